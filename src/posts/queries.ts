import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Query } from '../storage/query.ts'
import { anyIn, picked, postgres, query } from '../storage/query.ts'
import { columnNames } from '../storage/table.ts'
import type { AppRow, PollOptionRow, PollRow, PostRow, PostVideoRow } from '../storage/tables.ts'
import { polls, posts } from '../storage/tables/posts.ts'
import { GONE, NULLCAST, NULLCAST_TO_SOMEBODY, ORGANIC, ORGANIC_TO_SOMEBODY } from '../storage/visibility.ts'

export const addPost = query<PostRow>('addPost', (db, at) =>
  db.insertInto('posts').values(picked(at, columnNames(posts))),
)

/** A post that shows a card. */
export const postOfCard = query<{ uri: string }, { id: string }>('postOfCard', (db, at) =>
  db.selectFrom('posts').select('id').where('card_uri', '=', at.uri).limit(1),
)

/** Another post of an author that says the same and is there still. `after` is a time. */
export const samePost = query<
  { author: string; environment: string; fingerprint: string; after: number },
  { id: string }
>('samePost', (db, at) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('author_id', '=', at.author)
    .where('environment', '=', at.environment)
    .where('fingerprint', '=', at.fingerprint)
    .where('created_at', '>', at.after)
    .where('deleted', '=', 0)
    .limit(1),
)

/** The repost that a user made of a post for advertisements only. */
export const nullcastRepost = query<{ author: string; post: string }, PostRow>('nullcastRepost', (db, at) =>
  db
    .selectFrom('posts')
    .selectAll()
    .where('reposted_post_id', '=', at.post)
    .where('author_id', '=', at.author)
    .where('visibility', '=', NULLCAST)
    .limit(1),
)

/** Posts of an environment that are there still. `ids` is a JSON list. */
export const postsByIds = query<{ environment: string; ids: string }, PostRow>('postsByIds', (db, at) =>
  db
    .selectFrom('posts')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('id'), at.ids))
    .where('environment', '=', at.environment)
    .where('visibility', '<', GONE),
)

/** A post with what decides who sees it. */
export interface SeenPostRow extends PostRow {
  author_protected: number
  author_suspended: number
  /** Null when the viewer does not follow the author. */
  viewer: string | null
}

/** Posts of production, former versions and deleted ones too. `ids` is a JSON list; `viewer` is a user, or empty. */
export const postsSeenBy = query<{ ids: string; viewer: string }, SeenPostRow>('postsSeenBy', (db, at) =>
  db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .leftJoin('follows', (on) =>
      on.onRef('follows.followed_id', '=', 'posts.author_id').on('follows.follower_id', '=', at.viewer),
    )
    .selectAll('posts')
    .select([
      'users.protected as author_protected',
      'users.suspended as author_suspended',
      'follows.follower_id as viewer',
    ])
    .where(anyIn(postgres(db), sql.ref('posts.id'), at.ids))
    .where('posts.environment', '=', 'production'),
)

/** A post of production with all its versions, oldest first, for a change. */
export const versionsOf = query<{ first: string }, PostRow>('versionsOf', (db, at) =>
  db.selectFrom('posts').selectAll().where('first_version_id', '=', at.first).orderBy('id'),
)

/** All versions of a post are gone. */
export const removePost = query<{ first: string }>('removePost', (db, at) =>
  db.updateTable('posts').set({ deleted: 1, visibility: GONE }).where('first_version_id', '=', at.first),
)

/** A new version takes the place of the others of a post. `versions` is a JSON list. */
export const replaceVersions = query<{ first: string; newest: string; versions: string }>(
  'replaceVersions',
  (db, at) =>
    db
      .updateTable('posts')
      .set({
        version_ids: at.versions,
        visibility: sql<number>`case when id = ${at.newest} then visibility else ${sql.lit(GONE)} end`,
      })
      .where('first_version_id', '=', at.first),
)

/** More replies to a post, or fewer. */
export const countReply = query<{ id: string; by: number }>('countReply', (db, at) =>
  db
    .updateTable('posts')
    .set({ reply_count: sql<number>`reply_count + ${at.by}` })
    .where('id', '=', at.id),
)

/** More posts that quote a post, or fewer. */
export const countQuote = query<{ id: string; by: number }>('countQuote', (db, at) =>
  db
    .updateTable('posts')
    .set({ quote_count: sql<number>`quote_count + ${at.by}` })
    .where('id', '=', at.id),
)

/** Polls with their answers: a row for each answer, in the order of the answers. `ids` is a JSON list. */
export const pollsByIds = query<
  { ids: string },
  PollRow & Pick<PollOptionRow, 'position' | 'label' | 'votes'>
>('pollsByIds', (db, at) =>
  db
    .selectFrom('polls')
    .innerJoin('poll_options', 'poll_options.poll_id', 'polls.id')
    .selectAll('polls')
    .select(['poll_options.position', 'poll_options.label', 'poll_options.votes'])
    .where(anyIn(postgres(db), sql.ref('polls.id'), at.ids))
    .orderBy('polls.id')
    .orderBy('poll_options.position'),
)

/** `ids` is a JSON list. */
export const appNamesByIds = query<{ ids: string }, Pick<AppRow, 'id' | 'name' | 'website'>>(
  'appNamesByIds',
  (db, at) =>
    db
      .selectFrom('apps')
      .select(['id', 'name', 'website'])
      .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

export const addPostVideo = query<PostVideoRow>('addPostVideo', (db, at) =>
  db.insertInto('post_videos').values({
    post_id: at.post_id,
    title: at.title,
    description: at.description,
    cta: at.cta,
    cta_value: at.cta_value,
  }),
)

/** What posts say about their videos. `ids` is a JSON list. */
export const postVideos = query<{ ids: string }, PostVideoRow>('postVideos', (db, at) =>
  db
    .selectFrom('post_videos')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('post_id'), at.ids)),
)

export interface TimelineArgs {
  environment: string
  author: string
  /** Only posts with a smaller id. */
  before: string
  limit: number
}

/** The shelves that a list may show, and how it is called. */
const TIMELINES: readonly (readonly number[])[] = [
  [ORGANIC],
  [ORGANIC, ORGANIC_TO_SOMEBODY],
  [NULLCAST],
  [NULLCAST, NULLCAST_TO_SOMEBODY],
  [ORGANIC, NULLCAST],
  [ORGANIC, ORGANIC_TO_SOMEBODY, NULLCAST, NULLCAST_TO_SOMEBODY],
]

/** The newest posts of an author on some shelves. Each shelf is a walk along an index, cut at the page. */
const timelines = new Map<string, Query<TimelineArgs, PostRow>>(
  TIMELINES.map((shelves) => {
    const key = shelves.join('')
    const made = query<TimelineArgs, PostRow>(`timeline_${key}`, (db, at) => ({
      compile: () => timelineSql(shelves, at).compile(db),
    }))
    return [key, made]
  }),
)

export function timelineQuery(shelves: readonly number[]): Query<TimelineArgs, PostRow> {
  const known = timelines.get(shelves.join(''))
  if (!known) throw new Error(`there is no timeline of the shelves ${shelves.join(', ')}`)
  return known
}

function timelineSql(shelves: readonly number[], at: TimelineArgs): RawBuilder<unknown> {
  const walk = (shelf: number) => sql`select * from posts
    where author_id = ${at.author} and environment = ${at.environment} and visibility = ${sql.lit(shelf)}
      and id < ${at.before} order by id desc limit ${at.limit}`
  const [only] = shelves
  if (shelves.length === 1 && only !== undefined) return walk(only)
  const walks = shelves.map((one) => sql`select * from (${walk(one)}) as walk_${sql.raw(String(one))}`)
  return sql`select * from (${sql.join(walks, sql` union all `)}) as walks order by id desc limit ${at.limit}`
}

export const addPoll = query<PollRow>('addPoll', (db, at) =>
  db.insertInto('polls').values(picked(at, columnNames(polls))),
)

export const addPollOption = query<Pick<PollOptionRow, 'poll_id' | 'position' | 'label'>>(
  'addPollOption',
  (db, at) =>
    db.insertInto('poll_options').values({ poll_id: at.poll_id, position: at.position, label: at.label }),
)
