import { type Static, Type } from 'typebox'
import { choice, component, id, longNumber, nullable, webAddress } from '../../platform/http/schema.ts'
import type { Store } from '../../platform/storage/store.ts'
import { Indices } from '../../platform/text/classic-links.ts'
import { shownLink } from '../../platform/text/links.ts'
import type { MediaKind } from '../media/inspect/inspected.ts'
import { mediaByKeys, mediaPath, posterPath, ratioOf, rulesOf, urlOf } from '../media/media.ts'
import { fittedSize } from '../media/poster/placeholder.ts'
import type { ImageSize } from '../media/poster/png.ts'
import type { MediaRow } from '../media/tables.ts'
import { postVideos } from './queries.ts'
import type { PostRow, PostVideoRow } from './tables.ts'

const closed = { additionalProperties: false }

const CallToActionLink = component(
  'CallToActionLink',
  Type.Object({ url: webAddress('Where it leads.') }, closed),
)

const appStoreId = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description }))

/** The call to action of a post's video (core reference, 04 section 1.1). */
export const CallToActions = component(
  'CallToActions',
  Type.Object(
    {
      app_install: Type.Optional(
        Type.Object(
          {
            app_store_id: appStoreId('Numeric part of the store identifier, for iPhones.'),
            ipad_app_store_id: appStoreId('Numeric part of the store identifier, for iPads.'),
            play_store_id: Type.Optional(
              Type.String({
                pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+$',
                maxLength: 255,
                description: 'Package name, for Android.',
              }),
            ),
          },
          { ...closed, description: 'The app to install, in at least one store.' },
        ),
      ),
      visit_site: Type.Optional(CallToActionLink),
      watch_now: Type.Optional(CallToActionLink),
    },
    closed,
  ),
)
export type CallToActions = Static<typeof CallToActions>
const text = Type.Optional(Type.String())

/** The metadata of the video of a post. */
const VideoDescription = component(
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

const MediumSize = component(
  'MediaSize',
  Type.Object(
    { w: Type.Integer(), h: Type.Integer(), resize: choice(['fit', 'crop'], 'How it becomes this size.') },
    closed,
  ),
)

/** A medium in a post or direct message in classic form. */
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
      media_url_https: nullable(Type.String({ description: 'The same.' })),
      url: nullable(Type.String({ description: 'The medium itself.' })),
      display_url: nullable(Type.String({ description: '`url`, shortened for readers.' })),
      expanded_url: nullable(Type.String({ description: 'The same as `url`.' })),
      indices: Indices,
      type: choice(['photo', 'animated_gif', 'video'], 'Its type.'),
      sizes: Type.Object(
        { thumb: MediumSize, small: MediumSize, medium: MediumSize, large: MediumSize },
        { ...closed, description: 'Usual sizes. The file has the size in `original_info`.' },
      ),
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
      additional_media_info: Type.Optional(VideoDescription),
    },
    closed,
  ),
)
export type ClassicMedium = Static<typeof ClassicMedium>

const TYPES = { IMAGE: 'photo', GIF: 'animated_gif', VIDEO: 'video' } as const satisfies Record<
  MediaKind,
  string
>

interface MediaOfPosts {
  media: ReadonlyMap<string, MediaRow>
  videos: ReadonlyMap<string, PostVideoRow>
}

const keysOf = ({ media_keys }: Pick<PostRow, 'media_keys'>): string[] => JSON.parse(media_keys)

/** Reads the media of posts and the metadata of videos. Without media, it reads nothing. */
export async function mediaOfPosts(
  rows: readonly PostRow[],
  store: Pick<Store, 'all'>,
): Promise<MediaOfPosts> {
  const showing = rows.filter(({ media_keys }) => media_keys !== '[]')
  if (showing.length === 0) return { media: new Map(), videos: new Map() }
  const media = await mediaByKeys(store, showing.flatMap(keysOf))
  const videos = await store.all(postVideos, { ids: JSON.stringify(showing.map((row) => row.id)) })
  return {
    media: new Map(media.flatMap((row) => (row ? [[row.media_key, row] as const] : []))),
    videos: new Map(videos.map((video) => [video.post_id, video])),
  }
}

/** Converts media to the classic form. `end` is the end of the text, in code points. */
export const classicMedia =
  ({ media, videos }: MediaOfPosts, mediaOrigin: string) =>
  (row: PostRow, end: number): ClassicMedium[] =>
    row.media_keys === '[]'
      ? []
      : keysOf(row).flatMap((key) => {
          const medium = media.get(key)
          return medium ? [classicMedium(medium, { video: videos.get(row.id), end, mediaOrigin })] : []
        })

/** The longest sides of the usual sizes that are not cropped. */
const SMALL = 680
const MEDIUM = 1200
const LARGE = 2048
const THUMB = { w: 150, h: 150, resize: 'crop' } as const

function sizesOf(whole: ImageSize): ClassicMedium['sizes'] {
  const fit = (side: number) => {
    const { width: w, height: h } = fittedSize(whole, side)
    return { w, h, resize: 'fit' } as const
  }
  return { thumb: THUMB, small: fit(SMALL), medium: fit(MEDIUM), large: fit(LARGE) }
}

interface ClassicMediumOptions {
  /** The metadata of the video, from the author of the post. */
  readonly video?: PostVideoRow | undefined
  /** The end of the text, in code points. Media are shown after it: texts do not link to them. */
  readonly end: number
  readonly mediaOrigin: string
}

/** A medium in classic form. */
export function classicMedium(
  medium: MediaRow,
  { video, end, ...origin }: ClassicMediumOptions,
): ClassicMedium {
  const { kind } = rulesOf(medium)
  const url = urlOf(mediaPath(medium), origin)
  const preview = kind === 'IMAGE' ? url : urlOf(posterPath(medium), origin)
  const { width, height } = { width: medium.width ?? 1, height: medium.height ?? 1 }
  return {
    id: medium.id,
    id_str: medium.id,
    media_key: medium.media_key,
    media_url: preview,
    media_url_https: preview,
    url,
    display_url: url === null ? null : shownLink(url),
    expanded_url: url,
    indices: [end, end],
    type: TYPES[kind],
    sizes: sizesOf({ width, height }),
    original_info: { width, height },
    ...(kind !== 'IMAGE' && {
      video_info: {
        aspect_ratio: ratioOf(width, height),
        ...(medium.duration_ms !== null && { duration_millis: medium.duration_ms }),
        variants: [{ content_type: medium.content_type ?? '', url: url ?? '' }],
      },
    }),
    ...(kind === 'VIDEO' && video && { additional_media_info: videoDescription(video) }),
  }
}

function videoDescription(video: PostVideoRow): Static<typeof VideoDescription> {
  const { title, description, embeddable, call_to_actions: calls } = video
  return {
    ...(title !== null && { title }),
    ...(description !== null && { description }),
    ...(embeddable !== null && { embeddable: embeddable === 1 }),
    ...(calls !== null && { call_to_actions: JSON.parse(calls) as CallToActions }),
  }
}
