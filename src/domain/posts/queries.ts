import { type RawBuilder, sql } from 'kysely'
import type { AppRow } from '../../identity/apps/tables.ts'
import { insertion } from '../../platform/storage/insertion.ts'
import { pairPages } from '../../platform/storage/pair-pages.ts'
import {
  anyIdIn,
  anyIn,
  distinctIdsIn,
  idsIn,
  locked,
  pairsIn,
  picked,
  postgres,
  type Query,
} from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { type Database, query } from '../tables.ts'
import { bookmarks, likes, type ReactionRow } from './engagement-tables.ts'
import { isOpen, isPresentUser, isPublicPost, restricted } from './public-sql.ts'
import {
  type MentionRow,
  type PollOptionRow,
  type PollRow,
  type PollVoteRow,
  type PostRow,
  type PostVideoRow,
  pollOptions,
  polls,
  pollVotes,
  postMentions,
  posts,
} from './tables.ts'
import { GONE, isPublic, NULLCAST, NULLCAST_TO_SOMEBODY, ORGANIC, ORGANIC_TO_SOMEBODY } from './visibility.ts'

export const addPost = query<PostRow>('addPost', (db, at) =>
  db.insertInto('posts').values(picked(at, columnNames(posts))),
)

export const addPosts = insertion<PostRow>('addPosts', posts, columnNames(posts))

/** An existing post that shows a card. */
export const postOfCard = query<{ uri: string }, { id: string }>('postOfCard', (db, at) =>
  db.selectFrom('posts').select('id').where('card_uri', '=', at.uri).where('deleted', '=', 0).limit(1),
)

/** Another existing post of an author with the same text. `after` is a time. */
export const samePost = query<
  { author: string; environment: string; fingerprint: string; after: number; replaced: string },
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
    .where('first_version_id', '<>', at.replaced)
    .limit(1),
)

/** The repost of a post that a user made for advertisements only. */
export const nullcastRepost = query<{ author: string; post: string }, PostRow>('nullcastRepost', (db, at) =>
  db
    .selectFrom('posts')
    .selectAll()
    .where('reposted_post_id', '=', at.post)
    .where('author_id', '=', at.author)
    // An expression, so that SQLite uses the index with the author.
    .where(sql<number>`visibility + 0`, '=', NULLCAST)
    .limit(1),
)

/** Existing posts of an environment. `ids` is a JSON list. */
export const postsByIds = query<{ environment: string; ids: string }, PostRow>('postsByIds', (db, at) =>
  db
    .selectFrom(distinctIdsIn(db, at.ids))
    .crossJoin('posts')
    .selectAll('posts')
    .whereRef('posts.id', '=', 'asked.value')
    .where('environment', '=', at.environment)
    .where('visibility', '<', GONE)
    .where(isPresentUser('posts.author_id')),
)

/** The existing posts of a conversation after an id, oldest first. */
export const postsOfConversation = query<{ conversation: string; after: string; limit: number }, PostRow>(
  'postsOfConversation',
  (db, at) =>
    db
      .selectFrom('posts')
      .selectAll()
      .where('conversation_id', '=', at.conversation)
      .where('id', '>', at.after)
      .where('environment', '=', 'production')
      .where('visibility', '<', GONE)
      .where(isPresentUser('posts.author_id'))
      .orderBy('id')
      .limit(at.limit),
)

/** A post, with what decides who sees it. */
export interface SeenPostRow extends PostRow {
  /** 1 if it is for members of a community or subscribers, and the viewer is neither. */
  restricted: number
  author_protected: number
  /** A JSON list of the countries in which the author is withheld. */
  author_withheld_in: string | null
  author_suspended: number
  author_deleted_at: number | null
  /** Null if the viewer does not follow the author. */
  viewer: string | null
  /** Null if the author does not block the viewer. */
  blocked: string | null
  /** For a repost: the author of the original, and whether it is gone. */
  original_author_id: string | null
  original_deleted: number | null
  original_restricted: number
  original_protected: number | null
  original_suspended: number | null
  original_author_deleted_at: number | null
  original_viewer: string | null
  original_blocked: string | null
}

/** Whether a post exists. It is gone if its author is, and a repost if its original is. */
export const postExists = (row: SeenPostRow): boolean =>
  row.deleted === 0 &&
  row.original_deleted !== 1 &&
  row.author_deleted_at === null &&
  row.original_author_deleted_at === null

/**
 * Whether the viewer of a row sees the post. Everyone does, except users whom the author blocks.
 * Followers see posts of protected users, and members those of a closed community. Only the author
 * sees posts for subscribers, because no one is a subscriber yet. A repost is seen by those who see
 * both posts.
 */
export function isShownTo(row: SeenPostRow, userId: string | undefined): boolean {
  const isSeen =
    row.author_suspended === 0 &&
    row.blocked === null &&
    (row.author_id === userId ||
      (row.restricted === 0 && (row.author_protected === 0 || row.viewer !== null)))
  if (!isSeen || row.original_author_id === null) return isSeen
  return (
    row.original_suspended === 0 &&
    row.original_blocked === null &&
    (row.original_author_id === userId ||
      (row.original_restricted === 0 && (row.original_protected === 0 || row.original_viewer !== null)))
  )
}

/** Whether a post that was read without a viewer is public. */
export const isForEveryone = (row: SeenPostRow): boolean => postExists(row) && isShownTo(row, undefined)

/**
 * The relations between the viewer and an author, as joins that add no row where there are none.
 */
const withRelations = (author: string, viewer: string) => sql`
  left join relations as ${sql.ref(`${author}_follows`)} on ${sql.ref(`${author}_follows.source_id`)} = ${viewer}
    and ${sql.ref(`${author}_follows.target_id`)} = ${sql.ref(`${author}.id`)} and ${sql.ref(`${author}_follows.kind`)} = 'follow'
  left join relations as ${sql.ref(`${author}_blocks`)} on ${sql.ref(`${author}_blocks.source_id`)} = ${sql.ref(`${author}.id`)}
    and ${sql.ref(`${author}_blocks.target_id`)} = ${viewer} and ${sql.ref(`${author}_blocks.kind`)} = 'block'`

/** Declares a query of posts in production. `condition` compares them with the ids in `asked`. */
const seenPosts = (name: string, condition: RawBuilder<unknown>) =>
  query<{ ids: string; viewer: string }, SeenPostRow>(name, (db, at) => {
    return {
      // The cross join makes SQLite begin with the ids: it would otherwise begin with the
      // environment.
      compile: () =>
        sql`select posts.*, ${restricted('posts', at.viewer)} as restricted,
      authors.protected as author_protected, authors.suspended as author_suspended,
      authors.deleted_at as author_deleted_at, authors.withheld_in as author_withheld_in,
      authors_follows.source_id as viewer, authors_blocks.target_id as blocked,
      originals.author_id as original_author_id, originals.deleted as original_deleted,
      ${restricted('originals', at.viewer)} as original_restricted,
      originators.protected as original_protected, originators.suspended as original_suspended,
      originators.deleted_at as original_author_deleted_at,
      originators_follows.source_id as original_viewer, originators_blocks.target_id as original_blocked
      from ${idsIn(db, at.ids, 'asked')} cross join posts
      inner join users as authors on authors.id = posts.author_id
      left join posts as originals on originals.id = posts.reposted_post_id
      left join users as originators on originators.id = originals.author_id
      ${withRelations('authors', at.viewer)} ${withRelations('originators', at.viewer)}
      where ${condition} and posts.environment = 'production'`.compile(db),
    }
  })

/**
 * Posts in production, including former versions and deleted ones. `ids` is a JSON list; `viewer`
 * is a user, or empty.
 */
export const postsSeenBy = seenPosts('postsSeenBy', sql`posts.id = asked.value`)

/** Which ids are public posts in production, including former versions. `ids` is a JSON list. */
export const publicPostsAmong = query<{ ids: string }, { id: string }>('publicPostsAmong', (db, at) => ({
  compile: () =>
    sql`select posts.id from ${idsIn(db, at.ids, 'asked')} cross join posts
      where posts.id = asked.value and posts.environment = 'production'
        and ${isPublicPost('posts.id')} and ${isPresentUser('posts.author_id')}`.compile(db),
}))

/** The newest versions of existing posts in production. `ids` is a JSON list of first versions. */
export const newestVersionsSeenBy = seenPosts(
  'newestVersionsSeenBy',
  sql`posts.first_version_id = asked.value and posts.visibility < ${sql.lit(GONE)}`,
)

/** The next posts in production of a visibility class, ordered by id. */
export const postIdsByVisibility = query<
  { visibility: number; after: string; limit: number },
  { id: string }
>('postIdsByVisibility', (db, at) =>
  db
    .selectFrom('posts')
    .select('id')
    .where('environment', '=', 'production')
    .where('visibility', '=', at.visibility)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)

/** A post with all its versions, oldest first. */
export const versionsOf = query<{ first: string }, PostRow>('versionsOf', (db, at) =>
  db.selectFrom('posts').selectAll().where('first_version_id', '=', at.first).orderBy('id'),
)

/** Removes all versions of a post. */
export const removePost = query<{ first: string }>('removePost', (db, at) =>
  db.updateTable('posts').set({ deleted: 1, visibility: GONE }).where('first_version_id', '=', at.first),
)

export const addMentions = insertion<MentionRow>('addMentions', postMentions, columnNames(postMentions))

/** Removes posts from the mentions. `posts` is a JSON list. */
export const removeMentions = query<{ posts: string }>('removeMentions', (db, at) =>
  db.deleteFrom('post_mentions').where(anyIdIn(postgres(db), sql.ref('post_id'), at.posts)),
)

/** Replaces the other versions of a post by a new one. `versions` is a JSON list. */
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

/**
 * Locks the first version of a post, so that its counts, its versions and its deletion wait for the
 * transaction. `id` is any version. It comes before the statements that change them: on PostgreSQL,
 * these then see a version that was added meanwhile.
 */
export const lockPost = query<{ id: string }, Pick<PostRow, 'id' | 'deleted'>>('lockPost', (db, at) =>
  locked(
    db,
    db
      .selectFrom('posts')
      .select(['id', 'deleted'])
      .where('id', '=', (on) => on.selectFrom('posts').select('first_version_id').where('id', '=', at.id)),
  ),
)

type PostCount = 'reply_count' | 'quote_count' | 'repost_count' | 'like_count' | 'bookmark_count'

/**
 * Declares a change of a count of a post, in all of its versions. `first`: the first version, which
 * is locked.
 */
const counting = (name: string, column: PostCount) =>
  query<{ first: string; by: number }>(name, (db, at) =>
    db
      .updateTable('posts')
      .set({ [column]: sql<number>`${sql.ref(column)} + ${at.by}` })
      .where('first_version_id', '=', at.first),
  )

export const countReply = counting('countReply', 'reply_count')
export const countQuote = counting('countQuote', 'quote_count')
export const countRepost = counting('countRepost', 'repost_count')
export const countPostLike = counting('countPostLike', 'like_count')
export const countBookmark = counting('countBookmark', 'bookmark_count')

const addReaction = (table: 'likes' | 'bookmarks') =>
  query<ReactionRow>(`addTo_${table}`, (db, at) =>
    db
      .insertInto(table)
      .values({ user_id: at.user_id, post_id: at.post_id, created_at: at.created_at })
      .onConflict((conflict) => conflict.doNothing()),
  )

const removeReaction = (table: 'likes' | 'bookmarks') =>
  query<Omit<ReactionRow, 'created_at'>>(`removeFrom_${table}`, (db, at) =>
    db.deleteFrom(table).where('user_id', '=', at.user_id).where('post_id', '=', at.post_id),
  )

export const addLike = addReaction('likes')

/** The newest version of a post, with a like of it. */
export interface PublicLikeRow extends PostRow {
  liked_by: string
  liked_at: number
}

/** Public likes. `pairs`: a JSON list of pairs of a user and the first version of a post. */
export const publicLikes = query<{ pairs: string }, PublicLikeRow>('publicLikes', (db, at) =>
  db
    .selectFrom('likes')
    .innerJoin(pairsIn(db, at.pairs, ['liker', 'liked']).as('wanted'), (on) =>
      on
        .onRef('wanted.liker', '=', 'likes.user_id')
        .on(({ eb, ref }) => eb(ref('likes.post_id'), '=', sql<string>`cast(wanted.liked as numeric)`)),
    )
    .innerJoin('posts', 'posts.id', 'likes.post_id')
    .innerJoin('users', 'users.id', 'likes.user_id')
    .innerJoin('users as authors', 'authors.id', 'posts.author_id')
    .selectAll('posts')
    .select(['likes.user_id as liked_by', 'likes.created_at as liked_at'])
    .where('users.protected', '=', 0)
    .where('users.suspended', '=', 0)
    .where(isOpen({ posts: 'posts', authors: 'authors' }))
    .where('posts.environment', '=', 'production')
    .where('posts.nullcast', '=', 0),
)

/** The first versions of posts. `ids` is a JSON list. */
export const firstVersions = query<{ ids: string }, Pick<PostRow, 'id' | 'first_version_id'>>(
  'firstVersions',
  (db, at) =>
    db
      .selectFrom('posts')
      .select(['id', 'first_version_id'])
      .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** The next likes of a period, oldest first: after the like of a user at a time. */
export const likesOfSpan = query<
  { at: number; user: string; post: string; before: number; limit: number },
  ReactionRow
>('likesOfSpan', (db, at) =>
  db
    .selectFrom('likes')
    .selectAll()
    .where('created_at', '>=', at.at)
    .where('created_at', '<', at.before)
    .where((on) =>
      on.or([
        on('created_at', '>', at.at),
        on.and([on('created_at', '=', at.at), on('user_id', '>', at.user)]),
        on.and([on('created_at', '=', at.at), on('user_id', '=', at.user), on('post_id', '>', at.post)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('user_id')
    .orderBy('post_id')
    .limit(at.limit),
)
/** Likes and bookmarks of users who had none. */
export const addLikes = insertion<ReactionRow>('addLikes', likes, columnNames(likes))
export const addBookmarks = insertion<ReactionRow>('addBookmarks', bookmarks, columnNames(bookmarks))
export const removeLike = removeReaction('likes')
export const addBookmark = addReaction('bookmarks')
export const removeBookmark = removeReaction('bookmarks')

// The reactions to a deleted post, which are removed a few at a time. `post` and `first` are its
// first version.

const reactionsTo = (table: 'likes' | 'bookmarks') =>
  query<{ post: string; limit: number }, Pick<ReactionRow, 'user_id'>>(`${table}OfPost`, (db, at) =>
    db.selectFrom(table).select('user_id').where('post_id', '=', at.post).limit(at.limit),
  )

/** Resolves to the users whose reactions were removed. `users` is a JSON list. */
const removeReactionsTo = (table: 'likes' | 'bookmarks') =>
  query<{ post: string; users: string }, Pick<ReactionRow, 'user_id'>>(`remove_${table}`, (db, at) =>
    db
      .deleteFrom(table)
      .where('post_id', '=', at.post)
      .where(anyIn(postgres(db), sql.ref('user_id'), at.users))
      .returning('user_id'),
  )

export const likesOfPost = reactionsTo('likes')
export const removeLikes = removeReactionsTo('likes')
export const bookmarksOfPost = reactionsTo('bookmarks')
export const removeBookmarks = removeReactionsTo('bookmarks')

// What a deleted user leaves, a few rows at a time.

type OfUser = { user: string; limit: number }

/** Some posts of a user that are not deleted, in both environments, by their visibility class. */
export const somePostsOf = query<OfUser & { environment: string; visibility: number }, PostRow>(
  'somePostsOf',
  (db, at) =>
    db
      .selectFrom('posts')
      .selectAll()
      .where('author_id', '=', at.user)
      .where('environment', '=', at.environment)
      .where('visibility', '=', at.visibility)
      .orderBy('id')
      .limit(at.limit),
)

/** Removes the rows of all versions of a post. */
export const removePostRows = query<{ first: string }>('removePostRows', (db, at) =>
  db.deleteFrom('posts').where('first_version_id', '=', at.first),
)

/** Removes a poll with its answers. */
export const removePoll = query<{ id: string }>('removePoll', (db, at) =>
  db.deleteFrom('polls').where('id', '=', at.id),
)

const someReactionsOf = (table: 'likes' | 'bookmarks') =>
  query<OfUser, { post_id: string }>(`some_${table}_of`, (db, at) =>
    db.selectFrom(table).select('post_id').where('user_id', '=', at.user).orderBy('post_id').limit(at.limit),
  )

export const someLikesOf = someReactionsOf('likes')
export const someBookmarksOf = someReactionsOf('bookmarks')

/** Including those that only advertisements show. */
export const repostsOfPost = query<{ first: string; limit: number }, PostRow>('repostsOfPost', (db, at) =>
  db
    .selectFrom('posts as versions')
    .innerJoin('posts', 'posts.reposted_post_id', 'versions.id')
    .selectAll('posts')
    .where('versions.first_version_id', '=', at.first)
    .where('posts.visibility', '<', GONE)
    .limit(at.limit),
)

/** The posts that a user likes, newest like first. */
export const likedPosts = pairPages('likedPosts', { table: 'likes', of: 'user_id', other: 'post_id' })
/** The users who like a post, newest like first. */
export const likingUsers = pairPages('likingUsers', { table: 'likes', of: 'post_id', other: 'user_id' })
export const bookmarkedPosts = pairPages('bookmarkedPosts', {
  table: 'bookmarks',
  of: 'user_id',
  other: 'post_id',
})

/** The repost that a user made of a post, of any of its versions. `first` is the first one. */
export const repostBy = query<{ author: string; first: string }, PostRow>('repostBy', (db, at) =>
  db
    .selectFrom('posts')
    .selectAll()
    .where('reposted_post_id', 'in', (on) =>
      on.selectFrom('posts as versions').select('versions.id').where('first_version_id', '=', at.first),
    )
    .where('author_id', '=', at.author)
    // An expression, so that SQLite uses the index with the author.
    .where(sql<number>`visibility + 0`, '=', ORGANIC)
    .limit(1),
)

/** Hides a reply with all its versions, or shows it again. */
/** Changes what the operator says of one version of a post. */
export const setPostNotes = query<Pick<PostRow, 'id' | 'entities' | 'context_annotations'>>(
  'setPostNotes',
  (db, at) =>
    db
      .updateTable('posts')
      .set({ entities: at.entities, context_annotations: at.context_annotations })
      .where('id', '=', at.id),
)

/** Withholds or drops all versions of a post, or ends it. */
export const setPostStanding = query<{ first: string } & Pick<PostRow, 'withheld' | 'dropped'>>(
  'setPostStanding',
  (db, at) =>
    db
      .updateTable('posts')
      .set({ withheld: at.withheld, dropped: at.dropped })
      .where('first_version_id', '=', at.first),
)

/** Removes where posts were written. `ids`: a JSON list. */
export const removePlaces = query<{ ids: string }>('removePlacesOfPosts', (db, at) =>
  db
    .updateTable('posts')
    .set({ place_id: null, longitude: null, latitude: null })
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids)),
)

/** The next posts of an author of a visibility class up to an id that have a place or a point. */
export const placedPosts = query<
  { author: string; visibility: number; after: string; last: string; limit: number },
  Pick<PostRow, 'id'> & { placed: number }
>('placedPosts', (db, at) =>
  db
    .selectFrom('posts')
    .select('id')
    .select(sql<number>`case when place_id is null and longitude is null then 0 else 1 end`.as('placed'))
    .where('author_id', '=', at.author)
    .where('environment', '=', sql.lit('production'))
    .where('visibility', '=', at.visibility)
    .where('id', '>', at.after)
    .where('id', '<=', at.last)
    .orderBy('id')
    .limit(at.limit),
)

export const hideReply = query<{ first: string; hidden: number }>('hideReply', (db, at) =>
  db
    .updateTable('posts')
    .set({ hidden: at.hidden })
    .where('first_version_id', '=', at.first)
    .where('hidden', '<>', at.hidden),
)

/** A page of the posts that refer to a post: those with an id after `id`. */
export interface PostPageArgs {
  /** The first version of the post. */
  of: string
  id: string
  limit: number
}

/** A post of a page. */
export type PostPageRow = Pick<
  PostRow,
  'id' | 'created_at' | 'author_id' | 'in_reply_to_post_id' | 'reposted_post_id'
>

/**
 * The posts of a visibility class that refer to a version of a post. Each index scan is limited to
 * the page. `of` is the first version.
 */
function referringInClass(
  db: Database,
  at: PostPageArgs,
  {
    column,
    visibility,
    name,
    direction,
  }: { column: string; visibility: number; name: string; direction: Direction },
): RawBuilder<unknown> {
  const [comparison, order] = orderOf(direction)
  const scan = (columns: RawBuilder<unknown>) => sql`select ${columns} from posts
    where ${sql.ref(column)} = versions.id and visibility = ${sql.lit(visibility)} and id ${comparison} ${at.id}
    order by id ${order} limit ${at.limit}`
  const columns = sql`id, created_at, author_id, in_reply_to_post_id, reposted_post_id`
  const scanned = sql.ref(name)
  return postgres(db)
    ? sql`select ${scanned}.* from posts as versions cross join lateral (${scan(columns)}) as ${scanned}
        where versions.first_version_id = ${at.of}`
    : sql`select ${sql.join(
        ['id', 'created_at', 'author_id', 'in_reply_to_post_id', 'reposted_post_id'].map((member) =>
          sql.ref(`${name}.${member}`),
        ),
      )} from posts as versions cross join posts as ${scanned}
        where versions.first_version_id = ${at.of} and ${sql.ref(`${name}.id`)} in (${scan(sql`id`)})`
}

type Direction = 'older' | 'newer'
const orderOf = (direction: Direction) =>
  direction === 'older' ? ([sql`<`, sql`desc`] as const) : ([sql`>`, sql`asc`] as const)

/** The posts that refer to a post through a column, in both directions. */
function referring(
  name: string,
  column: 'quoted_post_id' | 'reposted_post_id',
  visibilities: readonly number[],
) {
  const page = (direction: Direction) =>
    query<PostPageArgs, PostPageRow>(`${name}_${direction}`, (db, at) => ({
      compile: () => {
        const scans = visibilities.map((visibility) =>
          referringInClass(db, at, { column, visibility, name: `scan_${visibility}`, direction }),
        )
        const [, order] = orderOf(direction)
        return sql`select * from (${sql.join(scans, sql` union all `)}) as scans
          order by id ${order} limit ${at.limit}`.compile(db)
      },
    }))
  return { older: page('older'), newer: page('newer') }
}

/** The posts that quote a post, newest first. */
export const quotesOf = referring('quotesOf', 'quoted_post_id', [ORGANIC, ORGANIC_TO_SOMEBODY])
/** The reposts of a post, newest first. */
/** Reposts of the posts of a user, newest first. */
const repostsOfUser = (direction: Direction) =>
  query<{ of: string; id: string; limit: number }, Pick<PostRow, 'id' | 'created_at'>>(
    `repostsOfUser_${direction}`,
    (db, at) =>
      db
        .selectFrom('posts')
        .select(['id', 'created_at'])
        .where('reposted_user_id', '=', at.of)
        .where('visibility', '=', sql.lit(ORGANIC))
        .where('id', direction === 'older' ? '<' : '>', at.id)
        .orderBy('id', direction === 'older' ? 'desc' : 'asc')
        .limit(at.limit),
  )

export const repostsOfPostsOfUser = { older: repostsOfUser('older'), newer: repostsOfUser('newer') }

export const repostsOf = referring('repostsOf', 'reposted_post_id', [ORGANIC])

/**
 * Polls with their answers: one row per answer, in the order of the answers. `ids` is a JSON list.
 */
export const pollsByIds = query<
  { ids: string },
  PollRow & Pick<PollOptionRow, 'position' | 'label' | 'votes'>
>('pollsByIds', (db, at) =>
  db
    .selectFrom('polls')
    .innerJoin('poll_options', 'poll_options.poll_id', 'polls.id')
    .selectAll('polls')
    .select(['poll_options.position', 'poll_options.label', 'poll_options.votes'])
    .where(anyIdIn(postgres(db), sql.ref('polls.id'), at.ids))
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
    embeddable: at.embeddable,
    call_to_actions: at.call_to_actions,
  }),
)

/** The video metadata of posts. `ids` is a JSON list. */
export const postVideos = query<{ ids: string }, PostVideoRow>('postVideos', (db, at) =>
  db
    .selectFrom('post_videos')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

export interface TimelineArgs {
  environment: string
  author: string
  /** Only posts with a smaller id. */
  before: string
  limit: number
}

/** The visibility classes that a list may contain. */
const TIMELINES: readonly (readonly number[])[] = [
  [ORGANIC],
  [ORGANIC, ORGANIC_TO_SOMEBODY],
  [NULLCAST],
  [NULLCAST, NULLCAST_TO_SOMEBODY],
  [ORGANIC, NULLCAST],
  [ORGANIC, ORGANIC_TO_SOMEBODY, NULLCAST, NULLCAST_TO_SOMEBODY],
]

/** The newest posts of an author in some visibility classes: one bounded index scan for each. */
export const timelineQuery = timelinesOf('timeline', TIMELINES, sql``)

/** The same, for public posts only. */
export const publicTimelineQuery = timelinesOf(
  'public_timeline',
  TIMELINES.filter((visibilities) => visibilities.every(isPublic)),
  sql`and ${isPublicPost('scanned.id')}`,
)

function timelinesOf(name: string, lists: typeof TIMELINES, condition: RawBuilder<unknown>) {
  const timelines = new Map<string, Query<TimelineArgs, PostRow>>(
    lists.map((visibilities) => {
      const key = visibilities.join('')
      const declared = query<TimelineArgs, PostRow>(`${name}_${key}`, (db, at) => ({
        compile: () => timelineSql(visibilities, at, condition).compile(db),
      }))
      return [key, declared]
    }),
  )
  return (visibilities: readonly number[]): Query<TimelineArgs, PostRow> => {
    const known = timelines.get(visibilities.join(''))
    if (!known) throw new Error(`there is no ${name} of the visibility classes ${visibilities.join(', ')}`)
    return known
  }
}

function timelineSql(
  visibilities: readonly number[],
  at: TimelineArgs,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const scan = (visibility: number) => sql`select * from posts as scanned
    where author_id = ${at.author} and environment = ${at.environment} and visibility = ${sql.lit(visibility)}
      and id < ${at.before} ${condition} order by id desc limit ${at.limit}`
  const [only] = visibilities
  if (visibilities.length === 1 && only !== undefined) return scan(only)
  const scans = visibilities.map(
    (visibility) => sql`select * from (${scan(visibility)}) as scan_${sql.raw(String(visibility))}`,
  )
  return sql`select * from (${sql.join(scans, sql` union all `)}) as scans order by id desc limit ${at.limit}`
}

export const addPoll = query<PollRow>('addPoll', (db, at) =>
  db.insertInto('polls').values(picked(at, columnNames(polls))),
)

export const addPolls = insertion<PollRow>('addPolls', polls, columnNames(polls))
export const addPollOptions = insertion<PollOptionRow>(
  'addPollOptions',
  pollOptions,
  columnNames(pollOptions),
)

export const addVote = query<PollVoteRow>('addPollVote', (db, at) =>
  db
    .insertInto('poll_votes')
    .values(picked(at, columnNames(pollVotes)))
    .onConflict((on) => on.doNothing()),
)

export const removeVote = query<PollVoteRow>('removePollVote', (db, at) =>
  db.deleteFrom('poll_votes').where('poll_id', '=', at.poll_id).where('user_id', '=', at.user_id),
)

export const countVote = query<{ poll: string; position: number; by: number }>('countPollVote', (db, at) =>
  db
    .updateTable('poll_options')
    .set({ votes: sql<number>`votes + ${at.by}` })
    .where('poll_id', '=', at.poll)
    .where('position', '=', at.position),
)

/** The vote of a user in a poll. */
export const voteOf = query<{ user: string; poll: string }, PollVoteRow>('pollVoteOf', (db, at) =>
  db.selectFrom('poll_votes').selectAll().where('user_id', '=', at.user).where('poll_id', '=', at.poll),
)

/** Some votes of a user, in the order of their polls. */
export const someVotesOf = query<{ user: string; limit: number }, PollVoteRow>('somePollVotesOf', (db, at) =>
  db.selectFrom('poll_votes').selectAll().where('user_id', '=', at.user).orderBy('poll_id').limit(at.limit),
)

export const addPollOption = query<Pick<PollOptionRow, 'poll_id' | 'position' | 'label'>>(
  'addPollOption',
  (db, at) =>
    db.insertInto('poll_options').values({ poll_id: at.poll_id, position: at.position, label: at.label }),
)

/**
 * The users whom posts mention, reply to, quote and repost, and whether only their authors see
 * them. `ids` is a JSON list.
 */
export const referencesOfPosts = query<
  { ids: string },
  Pick<PostRow, 'id' | 'entities' | 'in_reply_to_post_id' | 'in_reply_to_user_id'> & {
    quoted_user_id: string | null
    reposted_user_id: string | null
    restricted: number
    reposted_restricted: number
  }
>('referencesOfPosts', (db, at) =>
  db
    .selectFrom('posts')
    .leftJoin('posts as quoted', 'quoted.id', 'posts.quoted_post_id')
    .leftJoin('posts as reposted', 'reposted.id', 'posts.reposted_post_id')
    .select([
      'posts.id',
      'posts.entities',
      'posts.in_reply_to_post_id',
      'posts.in_reply_to_user_id',
      'quoted.author_id as quoted_user_id',
      'reposted.author_id as reposted_user_id',
      restricted('posts').as('restricted'),
      restricted('reposted').as('reposted_restricted'),
    ])
    .where(anyIdIn(postgres(db), sql.ref('posts.id'), at.ids)),
)

/** Maximum number of an author's posts that are examined to find the newest visible one. */
const MAX_EXAMINED_POSTS = 100

/**
 * The newest public post and the newest post to someone of each of some users, as another user sees
 * them. Protected users whom the viewer does not follow have no row, nor have users who block the
 * viewer. `ids` is a JSON list; `viewer` is a user, or empty.
 */
export const newestPosts = query<
  { ids: string; viewer: string },
  { author_id: string; organic: string | null; to_somebody: string | null }
>('newestPosts', (db, at) => {
  const newest = (visibility: number) => sql`(select id from (
    select id, ${restricted('posts', at.viewer)} as restricted from posts
      where author_id = users.id and environment = 'production' and visibility = ${sql.lit(visibility)}
      order by id desc limit ${sql.lit(MAX_EXAMINED_POSTS)}) as newest
    where newest.restricted = 0 or users.id = ${at.viewer} order by id desc limit 1)`
  const relation = (source: unknown, target: unknown, kind: 'follow' | 'block') => sql`exists (
    select 1 from relations where source_id = ${source} and target_id = ${target} and kind = ${sql.lit(kind)})`
  const user = sql.ref('users.id')
  return {
    compile: () =>
      sql`select id as author_id, ${newest(ORGANIC)} as organic, ${newest(ORGANIC_TO_SOMEBODY)} as to_somebody
        from users where ${anyIn(postgres(db), user, at.ids)}
        and (protected = 0 or id = ${at.viewer} or ${relation(at.viewer, user, 'follow')})
        and deleted_at is null and not ${relation(user, at.viewer, 'block')}`.compile(db),
  }
})
