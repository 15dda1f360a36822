import { type RawBuilder, sql } from 'kysely'

// Who sees posts, as conditions of queries. Aliases name the tables of the query that contains a
// condition.

/** Whether a user is a member of the community of a row of `communities`. */
const isMember = (viewer: unknown) => sql`exists (select 1 from community_members
  where community_members.community_id = communities.id and community_members.user_id = ${viewer})`

/**
 * Whether a post is hidden from others than its author: the operator has dropped it; or it is for
 * subscribers, and nobody is a subscriber yet; or it is for the members of a community. Everyone
 * sees the posts of a public community. Nobody is a member of a community that does not exist.
 * `viewer`: a user who may be a member.
 */
const isRestricted = (posts: string, viewer?: unknown): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${posts}.${name}`)
  const member = viewer === undefined ? sql`` : sql` or ${isMember(viewer)}`
  return sql<boolean>`(${column('super_followers_only')} = 1 or ${column('dropped')} = 1
    or (${column('community_id')} is not null and ${column('share_with_followers')} = 0
      and not exists (select 1 from communities where communities.id = ${column('community_id')}
        and (communities.access = 'Public'${member}))))`
}

/**
 * 1 for a post that is hidden from a viewer who is not its author, otherwise 0; 0 for a left join
 * without a row. Without a viewer: from everyone else.
 */
export const restricted = (posts: string, viewer?: unknown): RawBuilder<number> =>
  sql<number>`case when ${isRestricted(posts, viewer)} then 1 else 0 end`

/** The aliases of a post and its author. */
interface PostAliases {
  posts: string
  authors: string
}

/**
 * Whether a post by itself is public: it was not deleted, and neither it nor its author is hidden.
 */
export const isOpen = ({ posts, authors }: PostAliases): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${posts}.deleted`)} = 0 and not ${isRestricted(posts)}
    and ${sql.ref(`${authors}.protected`)} = 0 and ${sql.ref(`${authors}.suspended`)} = 0)`

/**
 * Whether a post is public. A repost is public if both posts are. `originals` are left joins by
 * `reposted_post_id`, as in the objects of posts. Without them, reposts are never public.
 */
export const isSeenByEveryone = (post: PostAliases, originals?: PostAliases): RawBuilder<boolean> => {
  const original = originals
    ? sql`(${sql.ref(`${originals.posts}.id`)} is null or ${isOpen(originals)})`
    : sql`${sql.ref(`${post.posts}.reposted_post_id`)} is null`
  return sql<boolean>`(${isOpen(post)} and ${original})`
}

/** 1 for a public post, otherwise 0. */
export const seenByEveryone = (post: PostAliases, originals: PostAliases): RawBuilder<number> =>
  sql<number>`case when ${isSeenByEveryone(post, originals)} then 1 else 0 end`

// Conditions on ids that were stored earlier and are shown now. `column` is the SQL of a column
// with an id.

/** Whether a post is public. */
export const isPublicPost = (column: string): RawBuilder<boolean> => {
  const post = { posts: 'public_posts', authors: 'public_authors' }
  const originals = { posts: 'public_originals', authors: 'public_originators' }
  return sql<boolean>`exists (select 1 from posts as public_posts
    join users as public_authors on public_authors.id = public_posts.author_id
    left join posts as public_originals on public_originals.id = public_posts.reposted_post_id
    left join users as public_originators on public_originators.id = public_originals.author_id
    where public_posts.id = ${sql.raw(column)} and ${isSeenByEveryone(post, originals)})`
}

/** Whether a user exists: the row of a deleted user stays for a while. */
export const isPresentUser = (column: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from users where users.id = ${sql.raw(column)} and users.deleted_at is null)`

/** Whether a user exists and is not suspended. */
export const isActiveUser = (column: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from users where users.id = ${sql.raw(column)} and users.suspended = 0)`
