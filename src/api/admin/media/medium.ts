import { type Static, Type } from 'typebox'
import { mediaPath, posterPath, rulesOf } from '../../../domain/media/media.ts'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { choice, closedComponent, id, nullable } from '../../../platform/http/schema.ts'

/** A medium in replies of the admin API. */
export const AdminMedium = closedComponent('AdminMedium', {
  id: id('The medium.'),
  media_key: Type.String(),
  type: choice(['IMAGE', 'GIF', 'VIDEO'], 'What it is.'),
  path: nullable(Type.String({ description: 'The path of its file; null until the upload is complete.' })),
  poster_path: nullable(Type.String({ description: 'The path of the preview image.' })),
  width: nullable(Type.Integer({ description: 'In pixels.' })),
  height: nullable(Type.Integer({ description: 'In pixels.' })),
  alt_text: nullable(Type.String({ description: 'Alternative text.' })),
})

export const EXAMPLE: Static<typeof AdminMedium> = {
  id: '1900000000000000042',
  media_key: '3_1900000000000000042',
  type: 'IMAGE',
  path: '/media/0a1b.png',
  poster_path: null,
  width: 640,
  height: 480,
  alt_text: 'A bridge',
}

/** A row as the admin API shows it. */
export const presentMedium = (row: MediaRow): Static<typeof AdminMedium> => ({
  id: row.id,
  media_key: row.media_key,
  type: rulesOf(row).kind,
  path: mediaPath(row),
  poster_path: posterPath(row),
  width: row.width,
  height: row.height,
  alt_text: row.alt_text,
})
