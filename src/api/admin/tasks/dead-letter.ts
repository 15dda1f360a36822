import { type Static, Type } from 'typebox'
import { isoTime } from '../../../platform/common/time.ts'
import { closedComponent, raw, time } from '../../../platform/http/schema.ts'
import { deadLetterById } from '../../../platform/queue/queries.ts'
import type { TaskRow } from '../../../platform/queue/tables.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'

export const taskId = Type.String({ pattern: '^[0-9]{1,15}$', description: 'The dead letter.' })

/** A task with no attempts left. */
export const DeadLetter = closedComponent('DeadLetter', {
  id: taskId,
  kind: Type.String({ description: 'The kind of task.' }),
  payload: raw(Type.Object({}, { description: 'What it is about.' })),
  reason: Type.String({ description: 'Why the last attempt failed.' }),
  attempts: Type.Integer({ minimum: 0 }),
  created_at: time('When it was enqueued.'),
  failed_at: time('When the last attempt failed.'),
})

export const EXAMPLE: Static<typeof DeadLetter> = {
  id: '42',
  kind: 'delete file',
  payload: { hash: 'Zr1qk0' },
  reason: 'the disk is full',
  attempts: 50,
  created_at: '2026-03-01T12:00:00.000Z',
  failed_at: '2026-03-02T12:00:00.000Z',
}

/** A row as the admin API shows it. */
export const presentDeadLetter = (row: TaskRow): Static<typeof DeadLetter> => ({
  id: String(row.id),
  kind: row.kind,
  payload: JSON.parse(row.payload),
  reason: row.reason ?? '',
  attempts: row.attempts,
  created_at: isoTime(row.created_at),
  failed_at: isoTime(row.due_at),
})

/** @throws NotThere */
export async function theDeadLetter(tx: Pick<Transaction, 'first'>, id: string): Promise<TaskRow> {
  const row = await tx.first(deadLetterById, { id: Number(id) })
  if (!row) throw new NotThere(`There is no dead letter ${id}.`)
  return row
}
