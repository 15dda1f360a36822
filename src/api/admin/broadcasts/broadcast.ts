import { type Static, Type } from 'typebox'
import { lockBroadcast } from '../../../domain/broadcasts/queries.ts'
import { BROADCAST_ID, STATES, stateAt } from '../../../domain/broadcasts/state.ts'
import type { BroadcastRow } from '../../../domain/broadcasts/tables.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { choice, closedComponent, id, nullable, time } from '../../../platform/http/schema.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'

export const broadcastId = Type.String({ pattern: BROADCAST_ID, description: 'The broadcast.' })

/** A broadcast in replies of the admin API. */
export const AdminBroadcast = closedComponent('AdminBroadcast', {
  id: broadcastId,
  state: choice([...STATES], 'Its state now.'),
  title: Type.String(),
  owner_id: id('The user who has it.'),
  source_id: nullable(Type.String({ description: 'The source of the video.' })),
  locked: Type.Boolean({ description: 'Whether only its owner knows of it.' }),
  starts_at: nullable(time('When it starts or started; null while it waits for a call.')),
  ends_at: nullable(time('When it ends or ended; null until it is ended.')),
})

export const EXAMPLE: Static<typeof AdminBroadcast> = {
  ...{ id: '0eFsRzAnbv4k', state: 'Running', title: 'Bridges of the north' },
  ...{ owner_id: '1900000000000000007', source_id: 'studio', locked: false },
  ...{ starts_at: '2026-03-01T12:00:00.000Z', ends_at: null },
}

const timeOf = (ms: number | null) => (ms === null ? null : isoTime(ms))

/** A row as the admin API shows it. */
export const presentBroadcast = (row: BroadcastRow, now: number): Static<typeof AdminBroadcast> => ({
  ...{ id: row.id, state: stateAt(row, now), title: row.title, owner_id: row.user_id },
  ...{ source_id: row.source_id, locked: row.locked === 1 },
  ...{ starts_at: timeOf(row.starts_at), ends_at: timeOf(row.ends_at) },
})

/** Locks the broadcast that a call names. */
export async function theBroadcast(tx: Transaction, broadcast: string): Promise<BroadcastRow> {
  const row = await tx.first(lockBroadcast, { id: broadcast })
  if (!row) throw new NotThere(`There is no broadcast ${broadcast}.`)
  return row
}
