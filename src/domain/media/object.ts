import { Type } from 'typebox'
import { choice } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape, type View } from '../../platform/objects/shape.ts'
import type { MediaKind } from './inspect/inspected.ts'
import { idIn, mediaPath, posterPath, rulesOf, urlOf } from './media.ts'
import { pathsOf } from './message-files.ts'
import { mediaByIds } from './queries.ts'
import type { MediaRow } from './tables.ts'

const { field, batched } = fieldsOf<MediaRow>()
const kindOf = (row: MediaRow): MediaKind => rulesOf(row).kind
const TYPES = { IMAGE: 'photo', GIF: 'animated_gif', VIDEO: 'video' } as const satisfies Record<
  MediaKind,
  string
>

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
  preview_image_url: batched(
    Type.String({ description: 'URL of the preview image of a video or GIF.' }),
    async (page, view) => {
      const urlFor = await urlsOf(page, view)
      return (row) => (kindOf(row) === 'IMAGE' ? undefined : urlFor(row, posterPath(row)))
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
  absent: ['non_public_metrics', 'organic_metrics', 'promoted_metrics', 'public_metrics'],
  defaults: ['media_key', 'type'],
  required: ['media_key', 'type'],
  lookups: {
    id: {
      load: (keys, { store }) => store.all(mediaByIds, { ids: JSON.stringify(keys.map(idIn)) }),
      keyOf: (row) => row.media_key,
    },
  },
})
