import type { Static } from 'typebox'
import { Type } from 'typebox'
import { choice, component, id, longNumber, nullable } from '../http/schema.ts'
import type { Store } from '../storage/store.ts'
import type { MediaRow, PostRow, PostVideoRow } from '../storage/tables.ts'
import type { Kind } from '../media/inspect/inspected.ts'
import { mediaByKeys, mediaPath, posterPath, ratioOf, rulesOf, urlOf } from '../media/media.ts'
import { CallToActions } from './call-to-actions.ts'
import { postVideos } from './queries.ts'

const closed = { additionalProperties: false }
const text = Type.Optional(Type.String())

/** Metadata of the video of a post. */
const About = component(
  'VideoDescription',
  Type.Object(
    {
      title: text,
      description: text,
      embeddable: Type.Optional(Type.Boolean()),
      call_to_actions: Type.Optional(CallToActions),
    },
    closed,
  ),
)

/** A medium in a post in classic form. */
export const ClassicMedium = component(
  'PostMedia',
  Type.Object(
    {
      id: longNumber('The medium.'),
      id_str: id('The medium.'),
      media_key: Type.String({ description: 'Its key in the advertising API.' }),
      media_url: nullable(
        Type.String({
          description: 'A preview image: the image itself, or the image that represents the video or GIF.',
        }),
      ),
      type: choice(['photo', 'animated_gif', 'video'], 'Its type.'),
      original_info: Type.Object({ width: Type.Integer(), height: Type.Integer() }, closed),
      video_info: Type.Optional(
        Type.Object(
          {
            aspect_ratio: Type.Array(Type.Integer()),
            duration_millis: Type.Optional(Type.Integer()),
            variants: Type.Array(Type.Object({ content_type: Type.String(), url: Type.String() }, closed)),
          },
          closed,
        ),
      ),
      additional_media_info: Type.Optional(About),
    },
    closed,
  ),
)
export type ClassicMedium = Static<typeof ClassicMedium>

const TYPES = { IMAGE: 'photo', GIF: 'animated_gif', VIDEO: 'video' } as const satisfies Record<Kind, string>

interface Shown {
  media: ReadonlyMap<string, MediaRow>
  videos: ReadonlyMap<string, PostVideoRow>
}

const keysOf = ({ media_keys }: Pick<PostRow, 'media_keys'>): string[] => JSON.parse(media_keys)

/** The media of posts, with their metadata. Most posts have none, and then nothing is read. */
export async function mediaOfPosts(rows: readonly PostRow[], store: Pick<Store, 'all'>): Promise<Shown> {
  const showing = rows.filter(({ media_keys }) => media_keys !== '[]')
  if (showing.length === 0) return { media: new Map(), videos: new Map() }
  const media = await mediaByKeys(store, showing.flatMap(keysOf))
  const videos = await store.all(postVideos, { ids: JSON.stringify(showing.map((row) => row.id)) })
  return {
    media: new Map(media.flatMap((one) => (one ? [[one.media_key, one] as const] : []))),
    videos: new Map(videos.map((one) => [one.post_id, one])),
  }
}

/** Converts media that have been read to the classic form. */
export const classicMedia =
  ({ media, videos }: Shown, mediaOrigin: string) =>
  (row: PostRow): ClassicMedium[] =>
    row.media_keys === '[]'
      ? []
      : keysOf(row).flatMap((key) => {
          const one = media.get(key)
          return one ? [classicMedium(one, videos.get(row.id), { mediaOrigin })] : []
        })

function classicMedium(
  medium: MediaRow,
  said: PostVideoRow | undefined,
  origin: { readonly mediaOrigin: string },
): ClassicMedium {
  const { kind } = rulesOf(medium)
  const url = urlOf(mediaPath(medium), origin)
  const { width, height } = { width: medium.width ?? 1, height: medium.height ?? 1 }
  return {
    id: medium.id,
    id_str: medium.id,
    media_key: medium.media_key,
    media_url: kind === 'IMAGE' ? url : urlOf(posterPath(medium), origin),
    type: TYPES[kind],
    original_info: { width, height },
    ...(kind !== 'IMAGE' && {
      video_info: {
        aspect_ratio: ratioOf(width, height),
        ...(medium.duration_ms !== null && { duration_millis: medium.duration_ms }),
        variants: [{ content_type: medium.content_type ?? '', url: url ?? '' }],
      },
    }),
    ...(kind === 'VIDEO' && said && { additional_media_info: about(said) }),
  }
}

function about(said: PostVideoRow): Static<typeof About> {
  const { title, description, embeddable, call_to_actions: calls } = said
  return {
    ...(title !== null && { title }),
    ...(description !== null && { description }),
    ...(embeddable !== null && { embeddable: embeddable === 1 }),
    ...(calls !== null && { call_to_actions: JSON.parse(calls) as CallToActions }),
  }
}
