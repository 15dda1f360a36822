import { users } from '../../identity/users/tables.ts'
import { bigint, flag, id64, type RowOf, table, text } from '../../platform/storage/table.ts'

/** Users who may write community notes. */
export const noteWriters = table(
  'note_writers',
  {
    user_id: text({ belongsTo: users }),
    /** Top writers may read the large feeds. */
    is_top: flag(),
    enrolled_at: bigint(),
  },
  { key: ['user_id'] },
)

/** A community note on a post. Notes in test mode are listed separately: see `test_mode`. */
export const notes = table(
  'notes',
  {
    id: id64(),
    user_id: text({ belongsTo: users }),
    post_id: id64(),
    test_mode: flag(),
    text: text(),
    /** `misinformed_or_potentially_misleading` or `not_misleading`. */
    classification: text(),
    /** A JSON list. */
    misleading_tags: text(),
    trustworthy_sources: flag(),
    is_media_note: flag(),
    status: text(),
    /** JSON: the results of the evaluators when the note was written. */
    evaluation: text(),
    /** JSON: the counted ratings, by viewpoint. */
    ratings: text(),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      notes_by_writer: ['user_id', 'test_mode', 'id'],
      notes_by_post: { on: ['user_id', 'test_mode', 'post_id'], unique: true },
    },
  },
)

/** A user's rating of a note. */
export const noteRatings = table(
  'note_ratings',
  {
    note_id: id64({ belongsTo: notes }),
    user_id: text({ belongsTo: users }),
    /** `helpful`, `somewhat_helpful` or `not_helpful`. */
    helpfulness: text(),
    /** `positive`, `neutral` or `negative`. */
    viewpoint: text(),
    /** A JSON list. */
    tags: text(),
    rated_at: bigint(),
  },
  { key: ['note_id', 'user_id'], indexes: { note_ratings_by_user: ['user_id', 'note_id'] } },
)

/** Posts of the last days on which notes may be written. Derived from posts. */
export const noteCandidates = table(
  'note_candidates',
  {
    post_id: id64(),
    lang: text(),
    /** Users who requested a note. */
    requests: bigint(),
    /** How much a note is wanted: requests and reactions. */
    demand: bigint(),
    created_at: bigint(),
  },
  {
    key: ['post_id'],
    indexes: {
      note_candidates_by_demand: ['demand', 'post_id'],
      note_candidates_by_lang: ['lang', 'demand', 'post_id'],
      note_candidates_by_age: ['created_at', 'post_id'],
    },
  },
)

/** Users who requested a note on a post. */
export const noteRequests = table(
  'note_requests',
  {
    post_id: id64({ belongsTo: noteCandidates }),
    user_id: text({ belongsTo: users }),
    requested_at: bigint(),
    /** What the note should say, in the words of the user, with an id; null for none. */
    suggestion_id: id64({ null: true }),
    suggestion: text({ null: true }),
    /** A page that the user names as a source. */
    source_link: text({ null: true }),
  },
  { key: ['post_id', 'user_id'], indexes: { note_requests_by_user: ['user_id', 'post_id'] } },
)

export type NoteRequestRow = RowOf<typeof noteRequests>

export type NoteRow = RowOf<typeof notes>

export type NoteRatingRow = RowOf<typeof noteRatings>

export type NoteCandidateRow = RowOf<typeof noteCandidates>

export type NoteWriterRow = RowOf<typeof noteWriters>
