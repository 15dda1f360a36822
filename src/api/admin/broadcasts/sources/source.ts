import { type Static, Type } from 'typebox'
import { SOURCE_ID } from '../../../../domain/broadcasts/sources.ts'
import type { BroadcastSourceRow } from '../../../../domain/broadcasts/tables.ts'
import { closedComponent, id } from '../../../../platform/http/schema.ts'

export const sourceId = Type.String({ pattern: SOURCE_ID, description: 'The source.' })

const MAX_PIXELS = 8_192
export const pixels = (description: string) =>
  Type.Integer({ minimum: 1, maximum: MAX_PIXELS, description: `${description} of the video, in pixels.` })

/** A source of broadcasts in replies of the admin API. */
export const AdminBroadcastSource = closedComponent('AdminBroadcastSource', {
  id: sourceId,
  owner_id: id('The user who has it.'),
  name: Type.String({ description: 'Name.' }),
  receiving: Type.Boolean({ description: 'Whether video arrives.' }),
  width: pixels('Width'),
  height: pixels('Height'),
  high_latency: Type.Boolean({ description: 'Whether the video is late.' }),
})

export const EXAMPLE: Static<typeof AdminBroadcastSource> = {
  ...{ id: 'studio', owner_id: '1900000000000000007', name: 'Studio', receiving: true },
  ...{ width: 1920, height: 1080, high_latency: false },
}

/** A row as the admin API shows it. */
export const presentSource = (row: BroadcastSourceRow): Static<typeof AdminBroadcastSource> => ({
  ...{ id: row.id, owner_id: row.user_id, name: row.name, receiving: row.receiving === 1 },
  ...{ width: row.width, height: row.height, high_latency: row.high_latency === 1 },
})
