import parser from 'twitter-text'

/** The position of something in a text: UTF-16 code units, the end exclusive. */
interface Place {
  start: number
  end: number
}

/** An entity of a text, as it is written there, without its sign. */
export type Found = Place & { kind: 'link' | 'mention' | 'hashtag' | 'cashtag'; value: string }

/** Maximum length of a user name (interface, usernames). */
const MAX_NAME_LENGTH = 15
/**
 * Maximum length of a link. Longer text is searched no further, because the time grows with the square of its length.
 */
const MAX_LINK_LENGTH = 4096

const WORD = /\S+/gu
/** Every entity contains one of these characters; most words contain none. */
const HINT = /[.@＠#＃$]/u

/** The words of a text that may contain an entity, with their positions. Entities contain no spaces. */
function* wordsOf(text: string): Generator<{ word: string; at: number }> {
  for (const { 0: word, index } of text.matchAll(WORD))
    if (HINT.test(word)) yield { word: word.slice(0, MAX_LINK_LENGTH), at: index }
}

/** The links, mentions, hashtags and cashtags of a text, in order and without overlaps. */
export function* findEntities(text: string): Generator<Found> {
  if (!HINT.test(text)) return
  for (const { word, at } of wordsOf(text)) {
    const found = parser.extractEntitiesWithIndices(word).flatMap((one): Found[] => {
      const [start, end] = one.indices
      const place = { start: at + start, end: at + end }
      if ('url' in one) return [{ ...place, kind: 'link', value: one.url }]
      if ('hashtag' in one) return [{ ...place, kind: 'hashtag', value: one.hashtag }]
      if ('cashtag' in one) return [{ ...place, kind: 'cashtag', value: one.cashtag }]
      return 'screenName' in one && isUser(one) ? [{ ...place, kind: 'mention', value: one.screenName }] : []
    })
    yield* found.sort((a, b) => a.start - b.start)
  }
}

/** A name followed by a slug is that of a list. */
const isUser = (one: { screenName: string; listSlug?: string }) =>
  one.screenName.length <= MAX_NAME_LENGTH && !one.listSlug

/** The links of a text, in order. */
export function* findLinks(text: string): Generator<Place> {
  for (const { word, at } of wordsOf(text)) {
    if (!word.includes('.')) continue
    for (const { indices } of parser.extractUrlsWithIndices(word))
      yield { start: at + indices[0], end: at + indices[1] }
  }
}
