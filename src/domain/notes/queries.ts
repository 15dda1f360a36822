import { sql } from 'kysely'
import { FIRST_ID } from '../../platform/common/ids.ts'
import { anyIdIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { removalBefore } from '../../platform/storage/removal.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { type Database, query } from '../tables.ts'
import {
  type NoteCandidateRow,
  type NoteRatingRow,
  type NoteRequestRow,
  type NoteRow,
  type NoteWriterRow,
  noteCandidates,
  noteRatings,
  notes,
} from './tables.ts'

export const noteWriterById = query<{ user: string }, NoteWriterRow>('noteWriterById', (db, at) =>
  db.selectFrom('note_writers').selectAll().where('user_id', '=', at.user),
)

export const enrollNoteWriter = query<NoteWriterRow>('enrollNoteWriter', (db, at) =>
  db
    .insertInto('note_writers')
    .values({ user_id: at.user_id, is_top: at.is_top, enrolled_at: at.enrolled_at })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_top: at.is_top })),
)

export const removeNoteWriter = query<{ user: string }>('removeNoteWriter', (db, at) =>
  db.deleteFrom('note_writers').where('user_id', '=', at.user),
)

export const addNote = query<NoteRow>('addNote', (db, at) =>
  db.insertInto('notes').values(picked(at, columnNames(notes))),
)

/** A note, locked until the transaction ends. */
export const lockNote = query<{ id: string }, NoteRow>('lockNote', (db, at) =>
  locked(db, db.selectFrom('notes').selectAll().where('id', '=', at.id)),
)

/** The note of a writer on a post. */
export const noteOnPost = query<{ user: string; test_mode: number; post: string }, { id: string }>(
  'noteOnPost',
  (db, at) =>
    db
      .selectFrom('notes')
      .select('id')
      .where('user_id', '=', at.user)
      .where('test_mode', '=', at.test_mode)
      .where('post_id', '=', at.post),
)

/** `ids` is a JSON list. */
export const notesByIds = query<{ ids: string }, NoteRow>('notesByIds', (db, at) =>
  db
    .selectFrom('notes')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** The next notes of a writer, newest first. */
export const pageOfNotes = query<
  { user: string; test_mode: number; before: string; limit: number },
  { id: string }
>('pageOfNotes', (db, at) =>
  db
    .selectFrom('notes')
    .select('id')
    .where('user_id', '=', at.user)
    .where('test_mode', '=', at.test_mode)
    .where('id', '<', at.before)
    .orderBy('id', 'desc')
    .limit(at.limit),
)

/** The next notes of all writers, newest first. */
export const pageOfAllNotes = query<{ before: string; limit: number }, NoteRow>('pageOfAllNotes', (db, at) =>
  db.selectFrom('notes').selectAll().where('id', '<', at.before).orderBy('id', 'desc').limit(at.limit),
)

export const removeNote = query<{ id: string }>('removeNote', (db, at) =>
  db.deleteFrom('notes').where('id', '=', at.id),
)

export const ratingOfNote = query<{ note: string; user: string }, NoteRatingRow>('ratingOfNote', (db, at) =>
  db.selectFrom('note_ratings').selectAll().where('note_id', '=', at.note).where('user_id', '=', at.user),
)

/** A user has one rating of a note: the latest. */
export const putRating = query<NoteRatingRow>('putNoteRating', (db, at) =>
  db
    .insertInto('note_ratings')
    .values(picked(at, columnNames(noteRatings)))
    .onConflict((conflict) =>
      conflict
        .columns(['note_id', 'user_id'])
        .doUpdateSet(picked(at, ['helpfulness', 'viewpoint', 'tags', 'rated_at'])),
    ),
)

export const dropRating = query<{ note: string; user: string }>('dropNoteRating', (db, at) =>
  db.deleteFrom('note_ratings').where('note_id', '=', at.note).where('user_id', '=', at.user),
)

export const setRatings = query<Pick<NoteRow, 'id' | 'ratings' | 'status'>>('setNoteRatings', (db, at) =>
  db
    .updateTable('notes')
    .set(picked(at, ['ratings', 'status']))
    .where('id', '=', at.id),
)

/** How much a request for a note counts, relative to a like. */
const REQUEST_POINTS = 10

/** `candidates`: a JSON list of post_id, lang, reactions and created_at. Requests are preserved. */
export const putCandidates = query<{ candidates: string }>('putNoteCandidates', (db, at) => {
  const rows = postgres(db)
    ? sql`select post_id, lang, reactions, created_at from jsonb_to_recordset(${at.candidates}::jsonb)
        as t(post_id numeric, lang text, reactions bigint, created_at bigint)`
    : sql`select value->>'post_id' as post_id, value->>'lang' as lang, value->>'reactions' as reactions,
        value->>'created_at' as created_at from json_each(${at.candidates})`
  return {
    compile: () =>
      sql`insert into note_candidates (post_id, lang, requests, demand, created_at)
        select post_id, lang, 0, reactions, created_at from (${rows}) as given where true
        on conflict (post_id) do update set lang = excluded.lang,
          demand = excluded.demand + note_candidates.requests * ${sql.lit(REQUEST_POINTS)}`.compile(db),
  }
})

/** `ids` is a JSON list. */
export const removeCandidates = query<{ ids: string }>('removeNoteCandidates', (db, at) =>
  db.deleteFrom('note_candidates').where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

export const removeOldCandidates = removalBefore('removeOldNoteCandidates', noteCandidates, 'created_at')

export const anyCandidate = query<object, { post_id: string }>('anyNoteCandidate', (db) =>
  db
    .selectFrom('note_candidates')
    .select('post_id')
    .where('post_id', '>', FIRST_ID)
    .orderBy('post_id')
    .limit(1),
)

/** Changes no row when the user has already requested it. */
export const addRequest = query<{ post: string; user: string; now: number }>('addNoteRequest', (db, at) =>
  db
    .insertInto('note_requests')
    .values({ post_id: at.post, user_id: at.user, requested_at: at.now })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing()),
)

type Suggestion = Pick<NoteRequestRow, 'suggestion_id' | 'suggestion' | 'source_link'>

/** Replaces what a user suggested with a request. */
export const setSuggestion = query<{ post: string; user: string } & Suggestion>(
  'setNoteSuggestion',
  (db, at) =>
    db
      .updateTable('note_requests')
      .set(picked(at, ['suggestion_id', 'suggestion', 'source_link']))
      .where('post_id', '=', at.post)
      .where('user_id', '=', at.user),
)

/** A link that requests for a note on a post name. */
export interface SuggestedLink {
  post_id: string
  source_link: string
  count: number
}

/**
 * The links that most requests for notes on posts name, of each post up to ten. `ids`: a JSON list.
 */
export const suggestedLinks = query<{ ids: string }, SuggestedLink>('suggestedNoteLinks', (db, at) => ({
  compile: () =>
    sql`select post_id, source_link, count from (
        select post_id, source_link, count(*) as count,
          row_number() over (partition by post_id order by count(*) desc, source_link) as place
        from note_requests where ${anyIdIn(postgres(db), sql.ref('post_id'), at.ids)} and source_link is not null
        group by post_id, source_link) as links
      where place <= 10 order by post_id, place`.compile(db),
}))

/** The newest suggestion for a note on each post that has one. `ids`: a JSON list. */
export const newestSuggestions = query<{ ids: string }, Suggestion & { post_id: string }>(
  'newestNoteSuggestions',
  (db, at) => ({
    compile: () =>
      sql`select post_id, suggestion_id, suggestion, source_link from (
          select post_id, suggestion_id, suggestion, source_link,
            row_number() over (partition by post_id order by suggestion_id desc) as place
          from note_requests where ${anyIdIn(postgres(db), sql.ref('post_id'), at.ids)} and suggestion is not null
        ) as suggestions where place = 1`.compile(db),
  }),
)

export const dropRequest = query<{ post: string; user: string }>('dropNoteRequest', (db, at) =>
  db.deleteFrom('note_requests').where('post_id', '=', at.post).where('user_id', '=', at.user),
)

// What a deleted user leaves, a few rows at a time.

type OfUser = { user: string; limit: number }

export const someNotesOf = query<OfUser, Pick<NoteRow, 'id'>>('someNotesOf', (db, at) =>
  db.selectFrom('notes').select('id').where('user_id', '=', at.user).limit(at.limit),
)

export const someRatingsOf = query<OfUser, Pick<NoteRatingRow, 'note_id'>>('someNoteRatingsOf', (db, at) =>
  db.selectFrom('note_ratings').select('note_id').where('user_id', '=', at.user).limit(at.limit),
)

export const someRequestsOf = query<OfUser, { post_id: string }>('someNoteRequestsOf', (db, at) =>
  db.selectFrom('note_requests').select('post_id').where('user_id', '=', at.user).limit(at.limit),
)

export const lockCandidate = query<{ post: string }, NoteCandidateRow>('lockNoteCandidate', (db, at) =>
  locked(db, db.selectFrom('note_candidates').selectAll().where('post_id', '=', at.post)),
)

export const countRequest = query<{ post: string; by: number }>('countNoteRequest', (db, at) =>
  db
    .updateTable('note_candidates')
    .set({
      requests: sql<number>`requests + ${at.by}`,
      demand: sql<number>`demand + ${at.by} * ${sql.lit(REQUEST_POINTS)}`,
    })
    .where('post_id', '=', at.post),
)

/** The start of a page of a feed: after a demand and a post. Posts up to `after` are too old. */
export interface FeedArgs {
  user: string
  test_mode: number
  demand: number
  post: string
  after: number
  limit: number
}

type FeedRow = Pick<NoteCandidateRow, 'post_id' | 'demand'>

/** The most wanted first, without the posts that the writer already has a note on. */
const feed = (db: Database, at: FeedArgs) =>
  db
    .selectFrom('note_candidates')
    .select(['post_id', 'demand'])
    .where(sql<boolean>`(demand, post_id) < (${at.demand}, ${at.post})`)
    .where('created_at', '>', at.after)
    .where((on) =>
      on.not(
        on.exists(
          on
            .selectFrom('notes')
            .select('notes.id')
            .where('notes.user_id', '=', at.user)
            .where('notes.test_mode', '=', at.test_mode)
            .whereRef('notes.post_id', '=', 'note_candidates.post_id'),
        ),
      ),
    )
    .orderBy('demand', 'desc')
    .orderBy('post_id', 'desc')
    .limit(at.limit)

export const pageOfFeed = query<FeedArgs, FeedRow>('pageOfNoteFeed', feed)

export const pageOfFeedIn = query<FeedArgs & { lang: string }, FeedRow>('pageOfNoteFeedIn', (db, at) =>
  feed(db, at).where('lang', '=', at.lang),
)
