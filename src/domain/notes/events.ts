import { eventKind } from '../../platform/events/event.ts'

type NoteEventData = {
  note_id: string
  post_id: string
  user_id: string
  /** Not public. */
  test_mode: boolean
}

/** A note was written on a post. */
export const noteWritten = eventKind<NoteEventData>('note.written', ({ note_id }) => note_id)

/** Its writer deleted a note, which had a status. */
export const noteDeleted = eventKind<NoteEventData & { status: string }>(
  'note.deleted',
  ({ note_id }) => note_id,
)

/** Ratings changed the status of a note. */
export const noteStatusChanged = eventKind<NoteEventData & { before: string; status: string }>(
  'note.status_changed',
  ({ note_id }) => note_id,
)

/** A user may write notes from now on, or no longer. */
export const noteWriterChanged = eventKind<{ user_id: string; enrolled: boolean }>(
  'note_writer.changed',
  ({ user_id }) => user_id,
)
