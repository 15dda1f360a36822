import { sql } from 'kysely'
import { ratingOf } from '../../domain/notes/notes.ts'
import { lockCandidate, lockNote, setRatings } from '../../domain/notes/queries.ts'
import { noRatings, type RatingCounts, statusOf, VIEWPOINTS, withRating } from '../../domain/notes/ratings.ts'
import type { NoteRatingRow, NoteRow } from '../../domain/notes/tables.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, differingRows } from './comparison.ts'

interface CheckPage {
  after: string
  limit: number
}

const pageOfNotes = query<CheckPage, NoteRow>('checkedNotes', (db, at) =>
  db.selectFrom('notes').selectAll().where('id', '>', at.after).orderBy('id').limit(at.limit),
)

const ratingsOf = query<{ note: string }, NoteRatingRow>('checkedNoteRatings', (db, at) =>
  db.selectFrom('note_ratings').selectAll().where('note_id', '=', at.note),
)

/** The counts of the ratings of a note, and the status that follows from them. */
async function expectedRatings(tx: Pick<Transaction, 'all'>, note: string) {
  const rows = await tx.all(ratingsOf, { note })
  const ratings = rows.map(ratingOf).reduce((counts, rating) => withRating(counts, rating, 1), noRatings())
  return { ratings, status: statusOf(ratings) }
}

/** In one order, without tags that no rating has any more. */
const inOrder = (counts: RatingCounts) =>
  JSON.stringify(
    VIEWPOINTS.map((viewpoint) => {
      const { helpful, somewhat_helpful, not_helpful, tags } = counts[viewpoint]
      const given = Object.entries(tags).filter(([, count]) => count > 0)
      return [viewpoint, helpful, somewhat_helpful, not_helpful, given.sort()]
    }),
  )

async function noteDiffers(tx: Pick<Transaction, 'all'>, { id, ratings, status }: NoteRow) {
  const expected = await expectedRatings(tx, id)
  const stored = { ratings: inOrder(JSON.parse(ratings) as RatingCounts), status }
  return differencesIn(`note ${id}`, ['ratings', 'status'], stored, {
    ratings: inOrder(expected.ratings),
    status: expected.status,
  })
}

/** The counted ratings of community notes. */
export const ratingsOfNotes: Comparison = {
  name: 'ratings of notes',
  pages: differingRows(
    (store, page) => store.all(pageOfNotes, page),
    (row, store) => noteDiffers(store, row),
  ),
  async compare(tx, id) {
    const row = await tx.first(lockNote, { id })
    return row ? noteDiffers(tx, row) : []
  },
  async repair(tx, id) {
    const { ratings, status } = await expectedRatings(tx, id)
    await tx.run(setRatings, { id, ratings: JSON.stringify(ratings), status })
  },
}

interface RequestCountsRow {
  id: string
  requests: number
  expected: number
}

const requested = sql`select post_id as id, requests,
  (select count(*) from note_requests where note_requests.post_id = note_candidates.post_id) as expected
  from note_candidates`

const pageOfRequested = query<CheckPage, RequestCountsRow>('checkedNoteRequests', (db, at) => ({
  compile: () => sql`${requested} where post_id > ${at.after} order by post_id limit ${at.limit}`.compile(db),
}))
const requestedFor = query<{ id: string }, RequestCountsRow>('checkedRequestsOfPost', (db, at) => ({
  compile: () => sql`${requested} where post_id = ${at.id}`.compile(db),
}))
/** A note counts as much as ten reactions, see `countRequest`. */
const setRequests = query<{ id: string; requests: number }>('setNoteRequests', (db, at) =>
  db
    .updateTable('note_candidates')
    .set({
      requests: at.requests,
      demand: sql<number>`demand + 10 * (${at.requests} - requests)`,
    })
    .where('post_id', '=', at.id),
)

const requestsDiffer = ({ id, requests, expected }: RequestCountsRow) =>
  differencesIn(`post ${id}`, ['requests'], { requests }, { requests: expected })

/** The counted requests for community notes. */
export const requestsForNotes: Comparison = {
  name: 'requests for notes',
  pages: differingRows((store, page) => store.all(pageOfRequested, page), requestsDiffer),
  async compare(tx, post) {
    await tx.first(lockCandidate, { post })
    return (await tx.all(requestedFor, { id: post })).flatMap(requestsDiffer)
  },
  async repair(tx, id) {
    for (const { expected } of await tx.all(requestedFor, { id }))
      await tx.run(setRequests, { id, requests: Number(expected) })
  },
}
