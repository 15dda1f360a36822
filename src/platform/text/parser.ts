import parser from 'twitter-text'
import { findLinks, type LinkSpan } from './find-links.ts'

const { regexen } = parser

/**
 * An entity of a text, as it is written there, without its sign. UTF-16 code units, the end
 * exclusive.
 */
export type FoundEntity = LinkSpan & { kind: 'link' | 'mention' | 'hashtag' | 'cashtag'; value: string }

/** Maximum length of a user name (interface, usernames). */
const MAX_NAME_LENGTH = 15

/** An expression of the parser for what follows, at a position. */
const at = ({ source, flags }: RegExp) => new RegExp(source.replace(/^\^/, ''), `${flags}y`)
const AFTER_NO_MENTION = at(regexen.endMentionMatch)
const AFTER_NO_HASHTAG = at(regexen.endHashtagMatch)

/** Every entity contains one of these characters; most texts contain none. */
const HINT = /[.@＠#＃$]/u

/** The links, mentions, hashtags and cashtags of a text, in order and without overlaps. */
export function findEntities(text: string): FoundEntity[] {
  if (!HINT.test(text)) return []
  const found: FoundEntity[] = []
  let end = 0
  // Of several that begin at the same place, the first one counts.
  for (const candidate of allIn(text).sort((a, b) => a.start - b.start)) {
    if (candidate.start < end) continue
    end = candidate.end
    if (candidate.kind !== 'list') found.push(candidate)
  }
  return found
}

type EntityOrList = FoundEntity | (LinkSpan & { kind: 'list'; value: string })

/** What looks like an entity, by kind. */
const allIn = (text: string): EntityOrList[] => [
  ...linksIn(text),
  ...mentionsIn(text),
  ...hashtagsIn(text),
  ...cashtagsIn(text),
]

// The functions of the parser do the same more slowly: that for hashtags also searches the text for
// links.

const linksIn = (text: string): EntityOrList[] =>
  Array.from(findLinks(text), ({ start, end }) => ({
    kind: 'link',
    start,
    end,
    value: text.slice(start, end),
  }))

function mentionsIn(text: string): EntityOrList[] {
  const found: EntityOrList[] = []
  if (!regexen.atSigns.test(text)) return found
  for (const { 0: whole, 1: before = '', 3: value = '', 4: slug, index } of text.matchAll(
    regexen.validMentionOrList,
  )) {
    const end = index + whole.length
    AFTER_NO_MENTION.lastIndex = end
    if (AFTER_NO_MENTION.test(text)) continue
    const kind = slug === undefined && value.length <= MAX_NAME_LENGTH ? 'mention' : 'list'
    found.push({ kind, start: index + before.length, end, value })
  }
  return found
}

function hashtagsIn(text: string): EntityOrList[] {
  const found: EntityOrList[] = []
  if (!regexen.hashSigns.test(text)) return found
  for (const { 0: whole, 1: before = '', 3: value = '', index } of text.matchAll(regexen.validHashtag)) {
    const end = index + whole.length
    AFTER_NO_HASHTAG.lastIndex = end
    if (!AFTER_NO_HASHTAG.test(text))
      found.push({ kind: 'hashtag', start: index + before.length, end, value })
  }
  return found
}

function cashtagsIn(text: string): EntityOrList[] {
  const found: EntityOrList[] = []
  if (!text.includes('$')) return found
  for (const { 0: whole, 1: before = '', 3: value = '', index } of text.matchAll(regexen.validCashtag))
    found.push({ kind: 'cashtag', start: index + before.length, end: index + whole.length, value })
  return found
}
