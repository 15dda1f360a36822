import { sql } from 'kysely'
import { anyIn, locked, postgres, query } from '../../store/query.ts'
import type { DraftPostRow } from '../../store/tables.ts'

export const addDraft = query<DraftPostRow>('addDraft', (db, at) =>
  db.insertInto('draft_posts').values({
    account_id: at.account_id,
    id: at.id,
    user_id: at.user_id,
    app_id: at.app_id,
    contributor_id: at.contributor_id,
    name: at.name,
    name_key: at.name_key,
    text: at.text,
    card_uri: at.card_uri,
    media_keys: at.media_keys,
    nullcast: at.nullcast,
    created_at: at.created_at,
    updated_at: at.updated_at,
  }),
)

export const draftById = query<{ account: string; id: string }, DraftPostRow>('draftById', (db, at) =>
  db.selectFrom('draft_posts').selectAll().where('account_id', '=', at.account).where('id', '=', at.id),
)

/** For a change: nobody else changes the draft meanwhile. */
export const lockDraft = query<{ account: string; id: string }, DraftPostRow>('lockDraft', (db, at) =>
  locked(
    db,
    db.selectFrom('draft_posts').selectAll().where('account_id', '=', at.account).where('id', '=', at.id),
  ),
)

export const changeDraft = query<DraftPostRow>('changeDraft', (db, at) =>
  db
    .updateTable('draft_posts')
    .set({
      app_id: at.app_id,
      contributor_id: at.contributor_id,
      name: at.name,
      name_key: at.name_key,
      text: at.text,
      card_uri: at.card_uri,
      media_keys: at.media_keys,
      nullcast: at.nullcast,
      updated_at: at.updated_at,
    })
    .where('account_id', '=', at.account_id)
    .where('id', '=', at.id),
)

export const removeDraft = query<{ account: string; id: string }>('removeDraft', (db, at) =>
  db.deleteFrom('draft_posts').where('account_id', '=', at.account).where('id', '=', at.id),
)

export const pageOfDrafts = query<
  { account: string; user: string; after: string; limit: number },
  DraftPostRow
>('pageOfDrafts', (db, at) =>
  db
    .selectFrom('draft_posts')
    .selectAll()
    .where('account_id', '=', at.account)
    .where('user_id', '=', at.user)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)

interface Newest {
  account: string
  user: string
  /** Only those with a smaller id. */
  before: string
  /** JSON lists of texts. */
  nullcasts: string
  limit: number
}

/** Drafts as a list of posts shows them, newest first. */
export const newestDrafts = query<Newest, DraftPostRow>('newestDrafts', (db, at) =>
  db
    .selectFrom('draft_posts')
    .selectAll()
    .where('account_id', '=', at.account)
    .where('user_id', '=', at.user)
    .where('id', '<', at.before)
    .where(anyIn(postgres(db), sql`cast(nullcast as text)`, at.nullcasts))
    .orderBy('id', 'desc')
    .limit(at.limit),
)

/** The same, of those whose name begins with some text. */
export const newestNamedDrafts = query<Newest & { from: string; to: string }, DraftPostRow>(
  'newestNamedDrafts',
  (db, at) =>
    db
      .selectFrom('draft_posts')
      .selectAll()
      .where('account_id', '=', at.account)
      .where('user_id', '=', at.user)
      .where('id', '<', at.before)
      .where(anyIn(postgres(db), sql`cast(nullcast as text)`, at.nullcasts))
      .where('name_key', '>=', at.from)
      .where('name_key', '<', at.to)
      .orderBy('id', 'desc')
      .limit(at.limit),
)

/** Drafts by their ids, which are a JSON list. */
export const draftsByIds = query<{ account: string; ids: string }, DraftPostRow>('draftsByIds', (db, at) =>
  db
    .selectFrom('draft_posts')
    .selectAll()
    .where('account_id', '=', at.account)
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)
