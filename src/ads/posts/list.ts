import type { Static, TObject } from 'typebox'
import { Type } from 'typebox'
import { compareIds, LAST_ID } from '../../common/ids.ts'
import type { AdsDependencies } from '../dependencies.ts'
import {
  NULLCAST,
  NULLCAST_TO_SOMEBODY,
  ORGANIC,
  ORGANIC_TO_SOMEBODY,
  isPublic,
} from '../../storage/visibility.ts'
import { wrongParameter } from '../../protocols/ads/codes.ts'
import { adsApiError } from '../../protocols/ads/api-error.ts'
import { msg } from '../../http/message.ts'
import { choice, ids, long } from '../../http/schema.ts'
import type { PostRow } from '../../storage/tables.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage, paging } from '../entity/list.ts'
import { nameKey } from '../name-key.ts'
import type { AccountScope } from '../scope.ts'
import { plannedPosts, plannedRows } from './planned-list.ts'
import { AccountPost, accountPosts, namesOf, POST_TYPES, postName } from './post.ts'
import type { KnownPostRow, PromotableType } from './promotable.ts'
import { isForAnyone, isKnown } from './promotable.ts'
import { knownPostsByIds, postsByName, promotableUsersOf, publicPostsByName } from './queries.ts'
import { publicTimelineQuery, timelineQuery } from '../../posts/queries.ts'

const PAGE = 200

const parameters = {
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
  trim_user: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to return only the ids of the users.' }),
  ),
  user_id: Type.Optional(long('Author; the user that the account belongs to by default.')),
}

type Asked = Static<TObject<typeof parameters>>

export const listAccountPosts = adsEndpoint({
  id: 'listAccountPosts',
  method: 'GET',
  path: '/accounts/{account_id}/posts',
  summary: 'List posts',
  description:
    'Returns the posts of a user that the account may promote, newest first. `name` matches the beginning of a name; case does not matter. For a user whose posts may only be reposted, returns only posts that everyone sees.',
  source: 'Creatives (reference: posts)',
  right: 'read',
  limits: LIMITS.read,
  query: parameters,
  codes: ['INVALID_USER_ID'],
  data: Type.Array(AccountPost),
  beside: ['cursor'],
  async handle({ scope, query }, context) {
    const { accountId } = scope
    const authors = await authorsOf(query, scope, context)
    const { cursor, count = PAGE, trim_user, ...filters } = query
    const list = JSON.stringify(['posts', accountId, filters])
    const [position = LAST_ID] = cursor === undefined ? [] : positionOf(context.sealer, list, cursor, 1)
    const page = { before: String(position), limit: count + 1 }
    const { post_type: type } = query
    const trimUser = trim_user === true
    const next = (last: { id: string } | undefined) =>
      last ? cursorOf(context.sealer, list, [last.id]) : null
    if (type !== 'PUBLISHED') {
      const users = [...authors.keys()]
      const rows = await plannedRows({ ...query, post_type: type }, { users, ...page }, scope, context)
      const next_cursor = next(cutToPage(rows, count))
      const { environment } = scope.account
      return { data: await plannedPosts(rows, { type, environment, trimUser }, context), next_cursor }
    }
    const found = await pageOf(query, { authors, ...page }, scope, context)
    const next_cursor = next(cutToPage(found, count))
    return { data: await accountPosts(found, { accountId, trimUser }, context), next_cursor }
  },
})

type ById = Required<Pick<Asked, 'post_type' | 'post_ids'>>

/** The posts, drafts or scheduled posts, of those that a list returns by id, that have previews. */
export async function previewed(
  asked: ById,
  scope: AccountScope,
  context: Pick<AdsDependencies, 'store'>,
): Promise<{ id: string }[]> {
  const { post_type: type, post_ids } = asked
  if (type === 'PUBLISHED') return previewedPosts(post_ids, scope, context)
  const users = [...(await authorsOf(asked, scope, context)).keys()]
  const page = { users, before: LAST_ID, limit: post_ids.length }
  return plannedRows({ post_type: type, post_ids }, page, scope, context)
}

/** The published ones. */
export async function previewedPosts(
  post_ids: ById['post_ids'],
  scope: AccountScope,
  context: Pick<AdsDependencies, 'store'>,
): Promise<PostRow[]> {
  const asked: ById = { post_type: 'PUBLISHED', post_ids }
  const authors = await authorsOf(asked, scope, context)
  const page = { authors, before: LAST_ID, limit: post_ids.length }
  return (await pageOfListed(post_ids, asked, page, scope, context.store)).filter(isForAnyone)
}

type Authors = ReadonlyMap<string, PromotableType>

/** The author whose posts are requested, and how far the account may promote this user. */
async function authorsOf(
  { user_id, post_ids }: Asked,
  { accountId }: AccountScope,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<Authors> {
  const all = await store.all(promotableUsersOf, { account: accountId })
  if (user_id !== undefined && !all.some((one) => one.user_id === user_id))
    throw adsApiError(
      wrongParameter(
        'user_id',
        msg`User ${user_id} cannot be promoted by Account ${accountId}`,
        'INVALID_USER_ID',
      ),
    )
  const asked = all.filter((one) =>
    user_id === undefined
      ? post_ids !== undefined || one.promotable_user_type === 'FULL'
      : one.user_id === user_id,
  )
  return new Map(asked.map((one) => [one.user_id, one.promotable_user_type]))
}

/** The shelves that a call requests. */
function shelvesOf({ post_ids, ...asked }: Asked): number[] {
  const timeline = asked.timeline_type ?? (post_ids ? 'ALL' : 'NULLCAST')
  const toSomebody = asked.include_mentions_and_replies ?? post_ids !== undefined
  return [
    ...(timeline === 'NULLCAST' ? [] : [ORGANIC, ...(toSomebody ? [ORGANIC_TO_SOMEBODY] : [])]),
    ...(timeline === 'ORGANIC' ? [] : [NULLCAST, ...(toSomebody ? [NULLCAST_TO_SOMEBODY] : [])]),
  ]
}

interface Page {
  authors: Authors
  before: string
  limit: number
}

/** One page, newest first, and one more post if there is another page. */
async function pageOf(
  asked: Asked,
  page: Page,
  scope: AccountScope,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<PostRow[]> {
  if (asked.post_ids) return pageOfListed(asked.post_ids, asked, page, scope, store)
  const [author] = page.authors
  if (!author) return []
  const [authorId, type] = author
  const whole = type === 'FULL'
  const shelves = shelvesOf(asked).filter((shelf) => whole || isPublic(shelf))
  if (shelves.length === 0) return []
  const args = {
    environment: scope.account.environment,
    author: authorId,
    before: page.before,
    limit: page.limit,
  }
  if (asked.name === undefined)
    return store.all(whole ? timelineQuery(shelves) : publicTimelineQuery(shelves), args)
  const from = nameKey(asked.name)
  return store.all(whole ? postsByName : publicPostsByName, {
    ...args,
    account: scope.accountId,
    from,
    to: `${from}\u{10ffff}`,
    shelves: JSON.stringify(shelves.map(String)),
  })
}

/** Posts that are requested by id are few enough to be filtered in memory. */
async function pageOfListed(
  postIds: readonly string[],
  asked: Asked,
  { authors, before, limit }: Page,
  { accountId, account }: AccountScope,
  store: AdsDependencies['store'],
): Promise<KnownPostRow[]> {
  const listed = await store.all(knownPostsByIds, {
    environment: account.environment,
    ids: JSON.stringify(postIds),
  })
  const shelves = shelvesOf(asked)
  const shown = listed.filter(
    (row) =>
      authors.has(row.author_id) &&
      isKnown(authors.get(row.author_id), row) &&
      shelves.includes(row.visibility) &&
      compareIds(row.id, before) < 0,
  )
  const prefix = asked.name === undefined ? undefined : nameKey(asked.name)
  const names = prefix === undefined ? undefined : await namesOf(shown, accountId, store)
  return shown
    .filter((row) => !names || nameKey(names.get(row.id) ?? '').startsWith(prefix ?? ''))
    .sort((a, b) => compareIds(b.id, a.id))
    .slice(0, limit)
}
