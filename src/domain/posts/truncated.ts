import { type Static, Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'
import { classicLink } from '../../platform/text/classic-links.ts'
import { type Entities, lengthOf, linkOf } from '../../platform/text/entities.ts'
import { ClassicEntities, type ClassicPost } from './classic.ts'
import type { ClassicMedium } from './classic-media.ts'
import type { PostRow } from './tables.ts'
import { LINK_WEIGHT, shortened } from './weight.ts'

/** Heavier texts are truncated. */
const MAX_WEIGHT = 140

/** The whole text of a post whose `text` is truncated. */
export const ExtendedPost = component(
  'ExtendedPost',
  Type.Object(
    { full_text: Type.String(), display_text_range: Type.Array(Type.Integer()), entities: ClassicEntities },
    { additionalProperties: false, description: 'The whole text, if `text` is truncated.' },
  ),
)

/** Converts a post from `extended` to `text`. A truncated text ends with a link to the post. */
export function truncatedPost(
  row: PostRow,
  { full_text = '', display_text_range = [], ...post }: ClassicPost,
  coreOrigin: string,
) {
  const { urls } = JSON.parse(row.entities) as Entities
  if (shortened(full_text, MAX_WEIGHT, urls) === full_text) return { ...post, text: full_text }
  const beginning = shortened(full_text, MAX_WEIGHT - LINK_WEIGHT - 1, urls)
  const url = `${coreOrigin}/${post.user.screen_name}/status/${row.id}`
  const text = `${beginning} ${url}`
  const [start, end] = [lengthOf(beginning) + 1, lengthOf(text)]
  const link = classicLink({ start, end, ...linkOf(url) })
  const { entities, extended_entities } = post
  const moved = (media: readonly ClassicMedium[]) =>
    media.map((medium) => ({ ...medium, indices: [end, end] }))
  return {
    ...post,
    text,
    truncated: true,
    entities: {
      // The last character of the beginning is the ellipsis.
      ...entitiesBefore(entities, start - 2, link),
      ...(entities.media && { media: moved(entities.media) }),
    },
    ...(extended_entities && { extended_entities: { media: moved(extended_entities.media) } }),
    extended_post: { full_text, display_text_range, entities },
  }
}

type ClassicLinkValue = ReturnType<typeof classicLink>

/** The entities that end at a position or before it, and a link. */
function entitiesBefore(
  { hashtags, symbols, user_mentions, urls }: Static<typeof ClassicEntities>,
  last: number,
  link: ClassicLinkValue,
) {
  const before = <Entity extends { indices: readonly number[] }>(all: readonly Entity[]) =>
    all.filter(({ indices: [, end = 0] }) => end <= last)
  return {
    hashtags: before(hashtags),
    symbols: before(symbols),
    user_mentions: before(user_mentions),
    urls: [...before(urls), link],
  }
}
