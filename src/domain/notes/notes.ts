import { lockAuthor } from '../../identity/users/queries.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { emit } from '../../platform/events/log.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { postsSeenBy } from '../posts/queries.ts'
import { isEligible } from './candidates.ts'
import { evaluate } from './evaluation.ts'
import { noteDeleted, noteStatusChanged, noteWritten } from './events.ts'
import {
  addNote,
  addRequest,
  countRequest,
  dropRating,
  dropRequest,
  lockCandidate,
  lockNote,
  noteOnPost,
  putRating,
  ratingOfNote,
  removeNote,
  setRatings,
  setSuggestion,
} from './queries.ts'
import { type NoteRating, noRatings, type RatingCounts, statusOf, withRating } from './ratings.ts'
import type { NoteRow } from './tables.ts'
import { requireWriter } from './writers.ts'

/** A note as its writer sends it. */
export interface NewNote {
  userId: string
  postId: string
  testMode: boolean
  text: string
  classification: string
  misleadingTags: readonly string[]
  trustworthySources: boolean
  isMediaNote: boolean
}

/** Throws if no notes may be written on the post. */
export async function requireEligible(
  store: Pick<Store | Transaction, 'first'>,
  postId: string,
  now: number,
): Promise<void> {
  const row = await store.first(postsSeenBy, { ids: JSON.stringify([postId]), viewer: '' })
  if (!row || !isEligible(row, now)) throw apiError('post not eligible for notes')
}

const noteEventData = ({ id, post_id, user_id, test_mode }: NoteRow) => ({
  note_id: id,
  post_id,
  user_id,
  test_mode: test_mode === 1,
})

/** Writes a note. Resolves to its id. Throws when the note is not allowed. */
export async function writeNote(tx: Transaction, note: NewNote, { ids }: { ids: IdSource }): Promise<string> {
  const { userId, postId, testMode } = note
  await requireWriter(tx, userId)
  // Of two concurrent notes, only one may be the writer's only note.
  await tx.first(lockAuthor, { id: userId })
  const [user, test_mode, post] = [userId, Number(testMode), postId]
  if (await tx.first(noteOnPost, { user, test_mode, post })) throw apiError('note exists')
  await requireEligible(tx, postId, tx.now)
  const row: NoteRow = {
    id: ids.next(),
    user_id: user,
    post_id: post,
    test_mode,
    text: note.text,
    classification: note.classification,
    misleading_tags: JSON.stringify(note.misleadingTags),
    trustworthy_sources: Number(note.trustworthySources),
    is_media_note: Number(note.isMediaNote),
    status: statusOf(noRatings()),
    evaluation: JSON.stringify(evaluate(note.text)),
    ratings: JSON.stringify(noRatings()),
    created_at: tx.now,
  }
  await tx.run(addNote, row)
  await emit(tx, noteWritten, noteEventData(row))
  return row.id
}

/** Deletes a note of a writer, with its ratings. */
export async function deleteNote(tx: Transaction, id: string, userId: string): Promise<void> {
  await requireWriter(tx, userId)
  const row = await tx.first(lockNote, { id })
  if (!row) throw apiError('not found')
  if (row.user_id !== userId) throw apiError('note of another user')
  await dropNote(tx, row)
}

/** Removes a note, which is locked, with its ratings. */
export async function dropNote(tx: Transaction, row: NoteRow): Promise<void> {
  await tx.run(removeNote, { id: row.id })
  await emit(tx, noteDeleted, { ...noteEventData(row), status: row.status })
}

/** Takes back the rating of a user. */
export async function removeRating(tx: Transaction, noteId: string, userId: string): Promise<void> {
  const row = await tx.first(lockNote, { id: noteId })
  const former = await tx.first(ratingOfNote, { note: noteId, user: userId })
  if (!row || !former) return
  const ratings = withRating(JSON.parse(row.ratings) as RatingCounts, ratingOf(former), -1)
  const status = statusOf(ratings)
  await tx.run(dropRating, { note: noteId, user: userId })
  await tx.run(setRatings, { id: noteId, ratings: JSON.stringify(ratings), status })
  if (status !== row.status)
    await emit(tx, noteStatusChanged, { ...noteEventData(row), before: row.status, status })
}

/** Takes back the request of a user for a note on a post. */
export async function removeRequest(tx: Transaction, post: string, user: string): Promise<void> {
  await tx.first(lockCandidate, { post })
  if ((await tx.run(dropRequest, { post, user })) > 0) await tx.run(countRequest, { post, by: -1 })
}

/** Why a rating was not recorded. */
export type RatingFault = 'no such note' | 'own note' | 'test mode'

/** Records a user's rating of a note, or replaces it. Resolves to the new status of the note. */
export async function rateNote(
  tx: Transaction,
  noteId: string,
  { userId, ...rating }: NoteRating & { userId: string },
): Promise<{ status: string } | { fault: RatingFault }> {
  const row = await tx.first(lockNote, { id: noteId })
  if (!row) return { fault: 'no such note' }
  if (row.test_mode === 1) return { fault: 'test mode' }
  if (row.user_id === userId) return { fault: 'own note' }
  const former = await tx.first(ratingOfNote, { note: noteId, user: userId })
  const before = JSON.parse(row.ratings) as RatingCounts
  const ratings = withRating(former ? withRating(before, ratingOf(former), -1) : before, rating, 1)
  const status = statusOf(ratings)
  await tx.run(putRating, {
    note_id: noteId,
    user_id: userId,
    ...rating,
    tags: JSON.stringify(rating.tags),
    rated_at: tx.now,
  })
  await tx.run(setRatings, { id: noteId, ratings: JSON.stringify(ratings), status })
  if (status !== row.status)
    await emit(tx, noteStatusChanged, { ...noteEventData(row), before: row.status, status })
  return { status }
}

/** A stored rating. */
export const ratingOf = (row: { helpfulness: string; viewpoint: string; tags: string }) =>
  ({ ...row, tags: JSON.parse(row.tags) as string[] }) as NoteRating

/** What a user suggests with a request, and the source of its id. */
interface NoteSuggestion {
  readonly ids?: IdSource
  readonly suggestion?: string | undefined
  readonly source_link?: string | undefined
}

/**
 * Records that a user wants a note on a post. Resolves to undefined when the post is not eligible.
 */
export async function requestNote(
  tx: Transaction,
  post: string,
  user: string,
  { ids, suggestion, source_link }: NoteSuggestion = {},
): Promise<{ requests: number } | undefined> {
  const candidate = await tx.first(lockCandidate, { post })
  if (!candidate) return undefined
  const isNew = (await tx.run(addRequest, { post, user, now: tx.now })) > 0
  if (isNew) await tx.run(countRequest, { post, by: 1 })
  if (ids && (suggestion ?? source_link) !== undefined)
    await tx.run(setSuggestion, {
      ...{ post, user, suggestion: suggestion ?? null, source_link: source_link ?? null },
      suggestion_id: suggestion === undefined ? null : ids.next(),
    })
  return { requests: candidate.requests + Number(isNew) }
}
