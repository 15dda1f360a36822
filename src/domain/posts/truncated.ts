import type { Static } from 'typebox'
import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'
import { classicLink } from '../../platform/text/classic-links.ts'
import type { Entities } from '../../platform/text/entities.ts'
import { lengthOf, linkOf } from '../../platform/text/entities.ts'
import type { ClassicPost } from './classic.ts'
import { ClassicEntities } from './classic.ts'
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

/** A post that was read in `extended` mode, with `text` instead. That of a heavy post ends with a link to the post. */
export function truncatedPost(
  row: PostRow,
  { full_text = '', display_text_range = [], ...post }: ClassicPost,
  coreOrigin: string,
) {
  const { urls } = JSON.parse(row.entities) as Entities
  if (shortened(full_text, MAX_WEIGHT, urls) === full_text) return { ...post, text: full_text }
  const kept = shortened(full_text, MAX_WEIGHT - LINK_WEIGHT - 1, urls)
  const url = `${coreOrigin}/${post.user.screen_name}/status/${row.id}`
  const text = `${kept} ${url}`
  const [start, end] = [lengthOf(kept) + 1, lengthOf(text)]
  const link = classicLink({ start, end, ...linkOf(url) })
  const { entities, extended_entities } = post
  const moved = (media: readonly ClassicMedium[]) => media.map((one) => ({ ...one, indices: [end, end] }))
  return {
    ...post,
    text,
    truncated: true,
    entities: {
      // The last character of the kept text is the ellipsis.
      ...entitiesBefore(entities, start - 2, link),
      ...(entities.media && { media: moved(entities.media) }),
    },
    ...(extended_entities && { extended_entities: { media: moved(extended_entities.media) } }),
    extended_post: { full_text, display_text_range, entities },
  }
}

type Link = ReturnType<typeof classicLink>

/** The entities that end at a position or before it, and a link. */
function entitiesBefore(
  { hashtags, symbols, user_mentions, urls }: Static<typeof ClassicEntities>,
  last: number,
  link: Link,
) {
  const kept = <One extends { indices: readonly number[] }>(all: readonly One[]) =>
    all.filter(({ indices: [, end = 0] }) => end <= last)
  return {
    hashtags: kept(hashtags),
    symbols: kept(symbols),
    user_mentions: kept(user_mentions),
    urls: [...kept(urls), link],
  }
}
