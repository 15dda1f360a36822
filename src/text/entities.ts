import { addressOf, shownLink } from './links.ts'
import type { Found } from './parser.ts'
import { findEntities } from './parser.ts'

/** The position of something in a text: code points, the end exclusive. */
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

/** The entities of a text, as a post stores them (reference: entities of a post). */
export interface Entities {
  hashtags: Tag[]
  cashtags: Tag[]
  mentions: Mention[]
  urls: UrlEntity[]
}

/** Entities found in a text alone: whether the mentioned users exist is not known yet. */
export interface ReadEntities extends Omit<Entities, 'mentions'> {
  mentions: Omit<Mention, 'id'>[]
}

/** The hashtags, cashtags, mentions and links of a text. Whatever a link contains is part of the link. */
export function readEntities(text: string): ReadEntities {
  const found = [...findEntities(text)]
  if (found.length === 0) return { hashtags: [], cashtags: [], mentions: [], urls: [] }
  const place = codePoints(text)
  const all = <One>(kind: Found['kind'], make: (span: Span, value: string) => One): One[] =>
    found
      .filter((one) => one.kind === kind)
      .map(({ start, end, value }) => make({ start: place(start), end: place(end) }, value))
  const tag = (span: Span, value: string): Tag => ({ ...span, tag: value })
  return {
    hashtags: all('hashtag', tag),
    cashtags: all('cashtag', tag),
    mentions: all('mention', (span, username) => ({ ...span, username })),
    urls: all('link', (span, url) => {
      const address = addressOf(url)
      return { ...span, url, expanded_url: address, display_url: shownLink(address) }
    }),
  }
}

/**
 * Entities with the mentioned users. An unknown name remains plain text. `users`: ids by screen names in lower case.
 */
export function entitiesWith(
  { mentions, ...entities }: ReadEntities,
  users: Pick<ReadonlyMap<string, string>, 'get'>,
): Entities {
  return {
    ...entities,
    mentions: mentions.flatMap((one) => {
      const id = users.get(one.username.toLowerCase())
      return id === undefined ? [] : [{ ...one, id }]
    }),
  }
}

/** Converts positions in UTF-16 code units to code points. */
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

/** The number of code points of a text. */
export const lengthOf = (text: string): number => codePoints(text)(text.length)
