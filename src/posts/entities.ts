import { linksOf, shownLink } from './links.ts'

/** Where something stands in a text: code points, the end exclusive. */
interface Span {
  start: number
  end: number
}

export interface Tag extends Span {
  tag: string
}

export interface Mention extends Span {
  /** As it is written in the text. */
  username: string
  id: string
}

export interface UrlEntity extends Span {
  url: string
  expanded_url: string
  display_url: string
}

/** What a text holds beside words, as a post keeps it (reference: entities of a post). */
export interface Entities {
  hashtags: Tag[]
  cashtags: Tag[]
  mentions: Mention[]
  urls: UrlEntity[]
}

/** Entities as they are read from a text alone: whether there is such a user is not known yet. */
export interface ReadEntities extends Omit<Entities, 'mentions'> {
  mentions: Omit<Mention, 'id'>[]
}

const HASHTAG = /(?<![\p{L}\p{M}\p{Nd}_&/])[#＃]([\p{L}\p{M}\p{Nd}_]+)(?![\p{L}\p{M}\p{Nd}_#＃]|:\/\/)/gu
const CASHTAG = /(?<![\p{L}\p{M}\p{Nd}_$/])\$([A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)(?![\p{L}\p{M}\p{Nd}_$])/gu
const MENTION = /(?<![A-Za-z0-9_!#$%&*@＠])[@＠]([A-Za-z0-9_]{1,15})(?![\p{Script=Latin}0-9_@＠]|:\/\/)/gu

/** The hashtags, cashtags, mentions and links of a text. What stands in a link is part of the link. */
export function readEntities(text: string): ReadEntities {
  const links = linksOf(text)
  const place = codePoints(text)
  const inLink = (at: number) => links.some(({ start, end }) => at >= start && at < end)
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].filter(({ index }) => !inLink(index))
  const spanOf = ({ index, 0: whole }: RegExpExecArray): Span => ({
    start: place(index),
    end: place(index + whole.length),
  })
  const tags = (pattern: RegExp) => found(pattern).map((one) => ({ ...spanOf(one), tag: one[1] ?? '' }))
  return {
    // A number is no topic.
    hashtags: tags(HASHTAG).filter(({ tag }) => /[\p{L}\p{M}]/u.test(tag)),
    cashtags: tags(CASHTAG),
    mentions: found(MENTION).map((one) => ({ ...spanOf(one), username: one[1] ?? '' })),
    urls: links.map(({ start, end, url }) => ({
      start: place(start),
      end: place(end),
      url: text.slice(start, end),
      expanded_url: url,
      display_url: shownLink(url),
    })),
  }
}

/** Turns places in UTF-16 code units into places in code points. */
function codePoints(text: string): (unit: number) => number {
  const places = new Uint32Array(text.length + 1)
  let count = 0
  for (let unit = 0; unit < text.length; count++) {
    const size = (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1
    places.fill(count, unit, unit + size)
    unit += size
  }
  places[text.length] = count
  return (unit) => places[unit] ?? count
}

/** How many code points a text has. */
export const lengthOf = (text: string): number => codePoints(text)(text.length)
