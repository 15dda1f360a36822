import { type Static, type TObject, Type } from 'typebox'
import type { PostRow } from '../../../domain/posts/tables.ts'
import {
  NULLCAST,
  NULLCAST_TO_SOMEBODY,
  ORGANIC,
  ORGANIC_TO_SOMEBODY,
} from '../../../domain/posts/visibility.ts'
import { compareIds, LAST_ID } from '../../../platform/common/ids.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, flag, ids, long } from '../../../platform/http/schema.ts'
import { rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { paging } from '../entity/list.ts'
import { nameKey } from '../name-key.ts'
import type { AccountScope } from '../scope.ts'
import { postName } from './fields.ts'
import { plannedRows } from './planned-list.ts'
import { namesOf, POST_TYPES } from './post.ts'
import { isForAnyone, isKnown, type KnownPostRow, type PromotableType } from './promotable.ts'
import { knownPostsByIds, promotableUsersOf } from './queries.ts'

export const PAGE = 200

export const parameters = {
  post_type: choice([...POST_TYPES], 'Type of the posts: published, scheduled or drafts.', 'PostType'),
  ...paging(1000, PAGE),
  include_mentions_and_replies: Type.Optional(
    Type.Boolean({
      description:
        'Whether to include replies and posts that begin with a mention; false by default, true with `post_ids`.',
    }),
  ),
  name: Type.Optional(postName),
  post_ids: Type.Optional(
    ids(long('A post.'), 'Returns only these posts, of any promotable user and timeline.'),
  ),
  timeline_type: Type.Optional(
    choice(
      ['ALL', 'NULLCAST', 'ORGANIC'],
      'Timeline of the posts; `NULLCAST` by default, `ALL` with `post_ids`.',
    ),
  ),
  trim_user: flag('Whether to return only the ids of the users.'),
  user_id: Type.Optional(long('Author; the user that the account belongs to by default.')),
}

export type PostListQuery = Static<TObject<typeof parameters>>

type PostsByIdQuery = Required<Pick<PostListQuery, 'post_type' | 'post_ids'>>

/** The posts, drafts or scheduled posts, of those that a list returns by id, that have previews. */
export async function previewed(
  query: PostsByIdQuery,
  scope: AccountScope,
  context: Pick<AdsDependencies, 'store'>,
): Promise<{ id: string }[]> {
  const { post_type: type, post_ids } = query
  if (type === 'PUBLISHED') return previewedPosts(post_ids, scope, context)
  const users = [...(await authorsOf(query, scope, context)).keys()]
  const page = { users, before: LAST_ID, limit: post_ids.length }
  return plannedRows({ post_type: type, post_ids }, page, scope, context)
}

/** The published ones. */
export async function previewedPosts(
  post_ids: PostsByIdQuery['post_ids'],
  scope: AccountScope,
  context: Pick<AdsDependencies, 'store'>,
): Promise<PostRow[]> {
  const query: PostsByIdQuery = { post_type: 'PUBLISHED', post_ids }
  const authors = await authorsOf(query, scope, context)
  const page = { authors, before: LAST_ID, limit: post_ids.length }
  return (await pageOfListed(post_ids, query, page, scope, context.store)).filter(isForAnyone)
}

/** The users whose posts an account may promote. Throws if the given one is not among them. */
export async function promotableUsers(
  userId: string | undefined,
  accountId: string,
  store: Pick<Store, 'all'>,
) {
  const all = await store.all(promotableUsersOf, { account: accountId })
  if (userId === undefined || all.some((row) => row.user_id === userId)) return all
  const message = msg`User ${userId} cannot be promoted by Account ${accountId}`
  throw rejected('user_id', message, 'INVALID_USER_ID')
}

type Authors = ReadonlyMap<string, PromotableType>

/** The author whose posts are requested, and how far the account may promote this user. */
export async function authorsOf(
  { user_id, post_ids }: PostListQuery,
  { accountId }: AccountScope,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<Authors> {
  const all = await promotableUsers(user_id, accountId, store)
  const matching = all.filter((row) =>
    user_id === undefined
      ? post_ids !== undefined || row.promotable_user_type === 'FULL'
      : row.user_id === user_id,
  )
  return new Map(matching.map((row) => [row.user_id, row.promotable_user_type]))
}

/** The values of `visibility` that a call requests. */
export function visibilitiesOf({ post_ids, ...query }: PostListQuery): number[] {
  const timeline = query.timeline_type ?? (post_ids ? 'ALL' : 'NULLCAST')
  const toSomebody = query.include_mentions_and_replies ?? post_ids !== undefined
  return [
    ...(timeline === 'NULLCAST' ? [] : [ORGANIC, ...(toSomebody ? [ORGANIC_TO_SOMEBODY] : [])]),
    ...(timeline === 'ORGANIC' ? [] : [NULLCAST, ...(toSomebody ? [NULLCAST_TO_SOMEBODY] : [])]),
  ]
}

export interface PostPageArgs {
  authors: Authors
  before: string
  limit: number
}

/** Posts that are requested by id are few enough to be filtered in memory. */
export async function pageOfListed(
  postIds: readonly string[],
  query: PostListQuery,
  { authors, before, limit }: PostPageArgs,
  { accountId, account }: AccountScope,
  store: AdsDependencies['store'],
): Promise<KnownPostRow[]> {
  const listed = await store.all(knownPostsByIds, {
    environment: account.environment,
    ids: JSON.stringify(postIds),
  })
  const visibilities = visibilitiesOf(query)
  const shown = listed.filter(
    (row) =>
      authors.has(row.author_id) &&
      isKnown(authors.get(row.author_id), row) &&
      visibilities.includes(row.visibility) &&
      compareIds(row.id, before) < 0,
  )
  const prefix = query.name === undefined ? undefined : nameKey(query.name)
  const names = prefix === undefined ? undefined : await namesOf(shown, accountId, store)
  return shown
    .filter((row) => !names || nameKey(names.get(row.id) ?? '').startsWith(prefix ?? ''))
    .sort((a, b) => compareIds(b.id, a.id))
    .slice(0, limit)
}
