import { emit } from '../../platform/events/log.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { noteWriterChanged } from './events.ts'
import { enrollNoteWriter, noteWriterById, removeNoteWriter } from './queries.ts'
import type { NoteWriterRow } from './tables.ts'

/** What writers may read: `top` writers also the large feeds. */
export const WRITER_LEVELS = ['regular', 'top'] as const
export type WriterLevel = (typeof WRITER_LEVELS)[number]

export const writerRow = (userId: string, level: WriterLevel, now: number): NoteWriterRow => ({
  user_id: userId,
  is_top: Number(level === 'top'),
  enrolled_at: now,
})

/** Lets a user write notes, or changes the level of a writer. */
export async function enroll(tx: Transaction, userId: string, level: WriterLevel): Promise<void> {
  await tx.run(enrollNoteWriter, writerRow(userId, level, tx.now))
  await emit(tx, noteWriterChanged, { user_id: userId, enrolled: true })
}

/** Resolves to false for a user who was not a writer. Existing notes stay. */
export async function unenroll(tx: Transaction, userId: string): Promise<boolean> {
  if ((await tx.run(removeNoteWriter, { user: userId })) === 0) return false
  await emit(tx, noteWriterChanged, { user_id: userId, enrolled: false })
  return true
}

/** Throws for a user who may not write notes. */
export async function requireWriter(
  store: Pick<Store | Transaction, 'first'>,
  userId: string,
): Promise<NoteWriterRow> {
  const writer = await store.first(noteWriterById, { user: userId })
  if (!writer) throw apiError('not a note writer')
  return writer
}
