import { sql } from 'kysely'
import { anyIn, locked, postgres, query } from '../../store/query.ts'
import type { AccountRow, ScheduledPostRow } from '../../store/tables.ts'
import { VISIBLE } from '../entity/queries.ts'

export const addScheduledPost = query<ScheduledPostRow>('addScheduledPost', (db, at) =>
  db.insertInto('scheduled_posts').values({
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
    scheduled_at: at.scheduled_at,
    scheduled_status: at.scheduled_status,
    completed_at: at.completed_at,
    post_id: at.post_id,
    created_at: at.created_at,
    updated_at: at.updated_at,
  }),
)

export const scheduledPostById = query<{ account: string; id: string }, ScheduledPostRow>(
  'scheduledPostById',
  (db, at) =>
    db.selectFrom('scheduled_posts').selectAll().where('account_id', '=', at.account).where('id', '=', at.id),
)

/** Keeps a scheduled post to the transaction: it must not be published while something is hung on it. */
export const lockScheduledPost = query<{ account: string; id: string }, ScheduledPostRow>(
  'lockScheduledPost',
  (db, at) =>
    locked(
      db,
      db
        .selectFrom('scheduled_posts')
        .selectAll()
        .where('account_id', '=', at.account)
        .where('id', '=', at.id),
    ),
)

export const changeScheduledPost = query<ScheduledPostRow>('changeScheduledPost', (db, at) =>
  db
    .updateTable('scheduled_posts')
    .set({
      app_id: at.app_id,
      contributor_id: at.contributor_id,
      name: at.name,
      name_key: at.name_key,
      text: at.text,
      card_uri: at.card_uri,
      media_keys: at.media_keys,
      nullcast: at.nullcast,
      scheduled_at: at.scheduled_at,
      scheduled_status: at.scheduled_status,
      completed_at: at.completed_at,
      post_id: at.post_id,
      updated_at: at.updated_at,
    })
    .where('account_id', '=', at.account_id)
    .where('id', '=', at.id),
)

export const removeScheduledPost = query<{ account: string; id: string }>('removeScheduledPost', (db, at) =>
  db.deleteFrom('scheduled_posts').where('account_id', '=', at.account).where('id', '=', at.id),
)

export const pageOfScheduledPosts = query<
  { account: string; user: string; after: string; limit: number },
  ScheduledPostRow
>('pageOfScheduledPosts', (db, at) =>
  db
    .selectFrom('scheduled_posts')
    .selectAll()
    .where('account_id', '=', at.account)
    .where('user_id', '=', at.user)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)

/** How many other posts of a user are scheduled between two times, by all accounts of an environment together. */
export const countScheduled = query<
  { user: string; environment: string; from: number; to: number; except: string },
  { total: number }
>('countScheduled', (db, at) =>
  db
    .selectFrom('scheduled_posts')
    .innerJoin('accounts', 'accounts.id', 'scheduled_posts.account_id')
    .select(sql<number>`count(*)`.as('total'))
    .where('scheduled_posts.user_id', '=', at.user)
    .where('scheduled_at', '>=', at.from)
    .where('scheduled_at', '<', at.to)
    .where('scheduled_posts.id', '<>', at.except)
    .where('accounts.environment', '=', at.environment)
    .where('accounts.deleted', '=', 0),
)

export type Due = Pick<ScheduledPostRow, 'account_id' | 'id' | 'scheduled_at'>

/** Scheduled posts whose time has come, those that wait longest first, behind the one at `afterTime` with `afterId`. */
export const dueScheduledPosts = query<
  { now: number; afterTime: number; afterId: string; limit: number },
  Due
>('dueScheduledPosts', (db, at) =>
  db
    .selectFrom('scheduled_posts')
    .select(['account_id', 'id', 'scheduled_at'])
    .where('scheduled_status', '=', 'SCHEDULED')
    .where('scheduled_at', '<=', at.now)
    .where('scheduled_at', '>=', at.afterTime)
    .where(({ eb, or }) => or([eb('scheduled_at', '>', at.afterTime), eb('id', '>', at.afterId)]))
    .orderBy('scheduled_at')
    .orderBy('id')
    .limit(at.limit),
)

export const accountById = query<{ id: string }, AccountRow>('accountById', (db, at) =>
  db.selectFrom('accounts').selectAll().where('id', '=', at.id),
)

/** What is to show a scheduled post as soon as it is published. */
export const holdersOfScheduled = query<{ account: string; scheduledPost: string }, { line_item_id: string }>(
  'holdersOfScheduled',
  (db, at) =>
    db
      .selectFrom('scheduled_promoted_posts' as never)
      .select('line_item_id' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('scheduled_post_id' as never, '=', at.scheduledPost as never)
      .where('visibility' as never, '=', VISIBLE as never) as never,
)

/** Says which post a scheduled one became, wherever it was to be shown. */
export const tellHolders = query<{ account: string; scheduledPost: string; post: string; now: number }>(
  'tellHolders',
  (db, at) =>
    db
      .updateTable('scheduled_promoted_posts' as never)
      .set({ post_id: at.post, updated_at: at.now } as never)
      .where('account_id' as never, '=', at.account as never)
      .where('scheduled_post_id' as never, '=', at.scheduledPost as never),
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

/** Posts that are not published yet as a list of posts shows them, newest first. */
export const newestScheduled = query<Newest, ScheduledPostRow>('newestScheduled', (db, at) =>
  db
    .selectFrom('scheduled_posts')
    .selectAll()
    .where('account_id', '=', at.account)
    .where('user_id', '=', at.user)
    .where('id', '<', at.before)
    .where('post_id', 'is', null)
    .where(anyIn(postgres(db), sql`cast(nullcast as text)`, at.nullcasts))
    .orderBy('id', 'desc')
    .limit(at.limit),
)

/** The same, of those whose name begins with some text. */
export const newestNamedScheduled = query<Newest & { from: string; to: string }, ScheduledPostRow>(
  'newestNamedScheduled',
  (db, at) =>
    db
      .selectFrom('scheduled_posts')
      .selectAll()
      .where('account_id', '=', at.account)
      .where('user_id', '=', at.user)
      .where('id', '<', at.before)
      .where('post_id', 'is', null)
      .where(anyIn(postgres(db), sql`cast(nullcast as text)`, at.nullcasts))
      .where('name_key', '>=', at.from)
      .where('name_key', '<', at.to)
      .orderBy('id', 'desc')
      .limit(at.limit),
)

/** Scheduled posts that are not published yet, by their ids, which are a JSON list. */
export const scheduledByIds = query<{ account: string; ids: string }, ScheduledPostRow>(
  'scheduledByIds',
  (db, at) =>
    db
      .selectFrom('scheduled_posts')
      .selectAll()
      .where('account_id', '=', at.account)
      .where(anyIn(postgres(db), sql.ref('id'), at.ids))
      .where('post_id', 'is', null),
)
