import { sql } from 'kysely'
import { anyIn, locked, postgres, query } from '../storage/query.ts'
import type { AppRow, PostRow, PostVideoRow, ProfileRow, UserRow } from '../storage/tables.ts'
import { GONE, NULLCAST } from './visibility.ts'

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

/** Keeps an author to the transaction: two posts at once must not both be the only one of their text. */
export const lockAuthor = query<{ id: string }, UserRow>('lockAuthor', (db, at) =>
  locked(db, db.selectFrom('users').selectAll().where('id', '=', at.id)),
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

/** One more post in the profile of its author. */
export const countPost = query<{ author: string }>('countPost', (db, at) =>
  db.updateTable('users').set({ post_count: sql<number>`post_count + 1` }).where('id', '=', at.author),
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

/** `keys` is a JSON list of screen names in lower case. */
export const usersByScreenNames = query<{ keys: string }, { id: string; screen_name_key: string }>(
  'usersByScreenNames',
  (db, at) =>
    db
      .selectFrom('users')
      .select(['id', 'screen_name_key'])
      .where(anyIn(postgres(db), sql.ref('screen_name_key'), at.keys)),
)

/** `ids` is a JSON list. */
export const profilesByIds = query<{ ids: string }, ProfileRow>('profilesByIds', (db, at) =>
  db
    .selectFrom('users')
    .selectAll()
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
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
