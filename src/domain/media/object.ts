import { type TProperties, Type } from 'typebox'
import { choice, component } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape, REFUSED, type View } from '../../platform/objects/shape.ts'
import type { MediaMetric } from '../analytics/metrics.ts'
import { mediaTotalsOf } from '../analytics/queries.ts'
import type { MediaKind } from './inspect/inspected.ts'
import { idIn, mediaPath, posterPath, rulesOf, urlOf } from './media.ts'
import { pathsOf } from './message-files.ts'
import { mediaByIds } from './queries.ts'
import type { MediaRow } from './tables.ts'

const { field, batched, restricted } = fieldsOf<MediaRow>()
const kindOf = (row: MediaRow): MediaKind => rulesOf(row).kind
const TYPES = { IMAGE: 'photo', GIF: 'animated_gif', VIDEO: 'video' } as const satisfies Record<
  MediaKind,
  string
>

const isVideo = (row: MediaRow) => kindOf(row) === 'VIDEO'
const closed = { additionalProperties: false }
const count = Type.Integer({ minimum: 0 })
const PLAYBACK = {
  playback_0_count: count,
  playback_25_count: count,
  playback_50_count: count,
  playback_75_count: count,
  playback_100_count: count,
}
const playback = <More extends TProperties>(more: More, description: string) =>
  Type.Object({ ...PLAYBACK, ...more }, { ...closed, description })

/** Only the owner sees private metrics, for a month. Photos have none. */
const PRIVATE_FOR_MS = 30 * 86_400_000
const isOwnAndRecent = (row: MediaRow, { userId, now }: View) =>
  !isVideo(row) || (row.owner_id === userId && now - row.created_at < PRIVATE_FOR_MS)

/** What was counted of the videos of a page. */
async function figuresOf(page: readonly MediaRow[], { store }: View) {
  const ids = JSON.stringify(page.filter(isVideo).map(({ id }) => id))
  const rows = ids === '[]' ? [] : await store.all(mediaTotalsOf, { ids })
  const totals = new Map(rows.map(({ id, metric, amount }) => [`${id} ${metric}`, Number(amount)]))
  return ({ id }: MediaRow) =>
    (metric: MediaMetric): number =>
      totals.get(`${id} ${metric}`) ?? 0
}

type FigureOf = (metric: MediaMetric) => number
const viewsOf = (figure: FigureOf) => ({ view_count: figure('video_views') })
const playbackOf = (figure: FigureOf) => ({
  playback_0_count: figure('playback_start'),
  playback_25_count: figure('playback25'),
  playback_50_count: figure('playback50'),
  playback_75_count: figure('playback75'),
  playback_100_count: figure('playback_complete'),
})

const Reach = component(
  'VideoReach',
  playback(
    { view_count: count },
    'Views and playbacks without advertising, only for its owner, for 30 days. Those by advertising are not counted.',
  ),
)

const fields = {
  media_key: field(Type.String({ description: 'Key of the medium.' }), (row) => row.media_key),
  type: field(
    choice(['photo', 'animated_gif', 'video'], 'Type of the medium.', 'MediaType'),
    (row) => TYPES[kindOf(row)],
  ),
  alt_text: field(Type.String({ description: 'Alternative text.' }), (row) => row.alt_text ?? undefined),
  duration_ms: field(
    Type.Integer({ minimum: 0, description: 'Length of a video in milliseconds.' }),
    (row) => (kindOf(row) === 'VIDEO' ? (row.duration_ms ?? undefined) : undefined),
  ),
  height: field(
    Type.Integer({ minimum: 0, description: 'Height in pixels.' }),
    (row) => row.height ?? undefined,
  ),
  non_public_metrics: restricted(
    playback({}, 'How far users played a video. Only for its owner, for 30 days.'),
    isOwnAndRecent,
    async (page, view) => {
      const figures = await figuresOf(page, view)
      return (row) => (isVideo(row) ? playbackOf(figures(row)) : undefined)
    },
  ),
  organic_metrics: restricted(Reach, isOwnAndRecent, async (page, view) => {
    const figures = await figuresOf(page, view)
    return (row) => (isVideo(row) ? { ...playbackOf(figures(row)), ...viewsOf(figures(row)) } : undefined)
  }),
  preview_image_url: batched(
    Type.String({ description: 'URL of the preview image of a video or GIF.' }),
    async (page, view) => {
      const urlFor = await urlsOf(page, view)
      return (row) => (kindOf(row) === 'IMAGE' ? undefined : urlFor(row, posterPath(row)))
    },
  ),
  promoted_metrics: restricted(
    Reach,
    isOwnAndRecent,
    async () => (row) => (isVideo(row) ? REFUSED : undefined),
  ),
  public_metrics: batched(
    Type.Object({ view_count: count }, { ...closed, description: 'Views of a video, over all posts.' }),
    async (page, view) => {
      const figures = await figuresOf(page, view)
      return (row) => (isVideo(row) ? viewsOf(figures(row)) : undefined)
    },
  ),
  url: batched(Type.String({ description: 'URL of a photo.' }), async (page, view) => {
    const urlFor = await urlsOf(page, view)
    return (row) => (kindOf(row) === 'IMAGE' ? urlFor(row, mediaPath(row)) : undefined)
  }),
  variants: batched(
    Type.Array(
      Type.Object(
        {
          content_type: Type.String(),
          url: Type.String(),
          bit_rate: Type.Optional(Type.Integer({ minimum: 0 })),
        },
        { additionalProperties: false },
      ),
      { description: 'Files of a video or GIF.' },
    ),
    async (page, view) => {
      const urlFor = await urlsOf(page, view)
      return (row) => (kindOf(row) === 'IMAGE' ? undefined : variantsOf(row, urlFor(row, mediaPath(row))))
    },
  ),
  width: field(
    Type.Integer({ minimum: 0, description: 'Width in pixels.' }),
    (row) => row.width ?? undefined,
  ),
}

/** The URLs of files of media: those of direct messages need the credentials of a user. */
async function urlsOf(page: readonly MediaRow[], view: View) {
  const pathOf = await pathsOf(page, view.store)
  return (row: MediaRow, path: string | null) => urlOf(pathOf(row, path), view) ?? undefined
}

/** The uploaded file: Plaza creates no other variants. */
function variantsOf(row: MediaRow, url: string | undefined) {
  if (url === undefined) return undefined
  const bits = row.duration_ms ? Math.round((row.bytes * 8 * 1000) / row.duration_ms) : undefined
  return [{ content_type: row.content_type ?? '', url, ...(bits !== undefined && { bit_rate: bits }) }]
}

/**
 * An image, GIF or video of a post (core reference, 00 section 6.2). Users who see the post see its
 * media.
 */
export const medium = objectShape<MediaRow>({
  name: 'media',
  plural: 'media',
  component: 'Media',
  description: 'An image, GIF or video. Fields that were not requested, or are empty, are omitted.',
  fields,
  defaults: ['media_key', 'type'],
  required: ['media_key', 'type'],
  lookups: {
    id: {
      load: (keys, { store }) => store.all(mediaByIds, { ids: JSON.stringify(keys.map(idIn)) }),
      keyOf: (row) => row.media_key,
    },
  },
})
