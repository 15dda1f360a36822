import { addressOf, shownLink } from './links.ts'
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

/** What the page that a link leads to says about itself, as far as it is known. */
export interface LinkPreview {
  readonly title?: string
  readonly description?: string
  /** Where the link leads in the end. */
  readonly unwound_url?: string
  /** The status with which the page answers. */
  readonly status?: number
  readonly images?: { url: string; width?: number; height?: number }[]
  /** Of a post of the platform: the first medium that it shows. */
  readonly media_key?: string
  /** The post of the platform that the preview describes. It is not shown. */
  readonly post_id?: string
}

export interface UrlEntity extends Span, LinkPreview {
  url: string
  expanded_url: string
  display_url: string
}

/** A name in a text. */
export interface Annotation {
  readonly start: number
  /** Of the last code point, unlike that of other entities. */
  readonly end: number
  readonly probability?: number
  /** `Person`, `Place`, `Product`, `Organization` or another. */
  readonly type?: string
  readonly normalized_text?: string
}

/** The entities of a text, as a post stores them (reference: entities of a post). */
export interface Entities {
  hashtags: Tag[]
  cashtags: Tag[]
  mentions: Mention[]
  urls: UrlEntity[]
  /** Absent if there are none. */
  annotations?: Annotation[]
}

/** Entities found in a text alone: whether the mentioned users exist is not known yet. */
export interface ReadEntities extends Omit<Entities, 'mentions'> {
  mentions: Omit<Mention, 'id'>[]
}

/**
 * The hashtags, cashtags, mentions and links of a text. Whatever a link contains is part of the
 * link.
 */
export function readEntities(text: string): ReadEntities {
  const { hashtags, cashtags, mentions, urls }: ReadEntities = {
    hashtags: [],
    cashtags: [],
    mentions: [],
    urls: [],
  }
  const found = findEntities(text)
  const place = found.length === 0 ? () => 0 : codePoints(text)
  for (const { kind, value, start: first, end: last } of found) {
    const [start, end] = [place(first), place(last)]
    if (kind === 'hashtag') hashtags.push({ start, end, tag: value })
    else if (kind === 'cashtag') cashtags.push({ start, end, tag: value })
    else if (kind === 'mention') mentions.push({ start, end, username: value })
    else urls.push({ start, end, ...linkOf(value) })
  }
  return { hashtags, cashtags, mentions, urls }
}

/** How a link is shown. */
export function linkOf(url: string) {
  const address = addressOf(url)
  return { url, expanded_url: address, display_url: shownLink(address) }
}

/**
 * Entities with the mentioned users. An unknown name remains plain text. `users`: ids by screen
 * names in lower case.
 */
export function entitiesWith(
  { mentions, ...entities }: ReadEntities,
  users: Pick<ReadonlyMap<string, string>, 'get'>,
): Entities {
  return {
    ...entities,
    mentions: mentions.flatMap((mention) => {
      const id = users.get(mention.username.toLowerCase())
      return id === undefined ? [] : [{ ...mention, id }]
    }),
  }
}

/** What each list of entities becomes. */
const eachList = (
  { hashtags, cashtags, mentions, urls, annotations }: Entities,
  change: <Item extends Readonly<Span>>(list: readonly Item[]) => Item[],
): Entities => ({
  hashtags: change(hashtags),
  cashtags: change(cashtags),
  mentions: change(mentions),
  urls: change(urls),
  ...(annotations && { annotations: change(annotations) }),
})

/** The entities that end at a position of the text or before it. */
export const entitiesBefore = (entities: Entities, end: number): Entities => ({
  ...eachList(entities, (list) => list.filter((entity) => entity.end <= end)),
  // Their end is the last code point.
  ...(entities.annotations && { annotations: entities.annotations.filter((one) => one.end < end) }),
})

/** The entities of a text, when `by` code points are put in front of it. */
export const movedEntities = (entities: Entities, by: number): Entities =>
  eachList(entities, (list) =>
    list.map((entity) => ({ ...entity, start: entity.start + by, end: entity.end + by })),
  )

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
export function lengthOf(text: string): number {
  let pairs = 0
  for (let unit = 0; unit < text.length; unit++) if ((text.codePointAt(unit) ?? 0) > 0xffff) pairs++
  return text.length - pairs
}
