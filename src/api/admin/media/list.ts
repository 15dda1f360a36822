import { Type } from 'typebox'
import { idIn, mediaPath, posterPath, rulesOf } from '../../../domain/media/media.ts'
import { mediaByIds } from '../../../domain/media/queries.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedComponent, closedObject, nullable, text } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

const MAX_KEYS = 100

const AdminMedium = closedComponent('AdminMedium', {
  media_key: Type.String(),
  type: choice(['IMAGE', 'GIF', 'VIDEO'], 'What it is.'),
  path: nullable(Type.String({ description: 'The path of its file; null until the upload is complete.' })),
  poster_path: nullable(Type.String({ description: 'The path of the preview image.' })),
  width: nullable(Type.Integer({ description: 'In pixels.' })),
  height: nullable(Type.Integer({ description: 'In pixels.' })),
  alt_text: nullable(Type.String({ description: 'Alternative text.' })),
})

/** GET /admin/v1/media: media by their keys. */
export const listMedia = dataEndpoint({
  ...ADMIN,
  id: 'listMedia',
  method: 'GET',
  path: '/admin/v1/media',
  summary: 'List media',
  description:
    'Returns the media with the given keys, in any order; those that do not exist are missing. Files are at the paths, on the core API and on the console.',
  query: { media_keys: text(1, 40 * MAX_KEYS, `Up to ${MAX_KEYS} keys, separated by commas.`) },
  reply: closedObject({ data: Type.Array(AdminMedium) }),
  example: {
    reply: {
      data: [
        {
          media_key: '3_1900000000000000042',
          type: 'IMAGE',
          path: '/media/0a1b.png',
          poster_path: null,
          width: 640,
          height: 480,
          alt_text: 'A bridge',
        },
      ],
    },
  },
  async handle({ query: { media_keys } }, { store }) {
    const ids = media_keys.split(',', MAX_KEYS).flatMap((key) => idIn(key) ?? [])
    const rows = await store.all(mediaByIds, { ids: JSON.stringify(ids) })
    return json({ data: rows.map(mediumOf) })
  },
})

const mediumOf = (row: MediaRow) => ({
  media_key: row.media_key,
  type: rulesOf(row).kind,
  path: mediaPath(row),
  poster_path: posterPath(row),
  width: row.width,
  height: row.height,
  alt_text: row.alt_text,
})
