import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Query } from '../storage/query.ts'
import { anyIn, postgres, query } from '../storage/query.ts'
import type { AppRow, PostRow, PostVideoRow } from '../storage/tables.ts'
import { GONE, NULLCAST, NULLCAST_TO_SOMEBODY, ORGANIC, ORGANIC_TO_SOMEBODY } from './visibility.ts'

export const addPost = query<PostRow>('addPost', (db, at) =>
  db.insertInto('posts').values({
    id: at.id,
    environment: at.environment,
    author_id: at.author_id,
    visibility: at.visibility,
    text: at.text,
    fingerprint: at.fingerprint,
    lang: at.lang,
    entities: at.entities,
    conversation_id: at.conversation_id,
    in_reply_to_post_id: at.in_reply_to_post_id,
    in_reply_to_user_id: at.in_reply_to_user_id,
    quoted_post_id: at.quoted_post_id,
    reposted_post_id: at.reposted_post_id,
    first_version_id: at.first_version_id,
    edits_remaining: at.edits_remaining,
    editable_until: at.editable_until,
    nullcast: at.nullcast,
    reply_settings: at.reply_settings,
    possibly_sensitive: at.possibly_sensitive,
    card_uri: at.card_uri,
    media_keys: at.media_keys,
    app_id: at.app_id,
    contributor_id: at.contributor_id,
    repost_count: at.repost_count,
    reply_count: at.reply_count,
    like_count: at.like_count,
    quote_count: at.quote_count,
    bookmark_count: at.bookmark_count,
    impression_count: at.impression_count,
    created_at: at.created_at,
    deleted: at.deleted,
  }),
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
