import { Type } from 'typebox'
import { publicTimelineQuery, timelineQuery } from '../../../domain/posts/queries.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { isPublic } from '../../../domain/posts/visibility.ts'
import { LAST_ID } from '../../../platform/common/ids.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { adsEndpoint } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage } from '../entity/list.ts'
import { nameKey } from '../name-key.ts'
import type { AccountScope } from '../scope.ts'
import { plannedPosts, plannedRows } from './planned-list.ts'
import { AccountPost, accountPosts } from './post.ts'
import { postsByName, publicPostsByName } from './queries.ts'
import {
  authorsOf,
  PAGE,
  type PostListQuery,
  type PostPageArgs,
  pageOfListed,
  parameters,
  visibilitiesOf,
} from './selection.ts'

export const listAccountPosts = adsEndpoint({
  id: 'listAccountPosts',
  method: 'GET',
  path: '/accounts/{account_id}/posts',
  summary: 'List posts',
  description:
    'Returns the posts of a user that the account may promote, newest first. `name` matches the beginning of a name; case does not matter. For a user whose posts may only be reposted, returns only posts that everyone sees.',
  source: 'Creatives (reference: posts)',
  right: 'read',
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

/** One page, newest first, and one more post if there is another page. */
async function pageOf(
  query: PostListQuery,
  page: PostPageArgs,
  scope: AccountScope,
  { store }: Pick<AdsDependencies, 'store'>,
): Promise<PostRow[]> {
  if (query.post_ids) return pageOfListed(query.post_ids, query, page, scope, store)
  const [author] = page.authors
  if (!author) return []
  const [authorId, type] = author
  const whole = type === 'FULL'
  const visibilities = visibilitiesOf(query).filter((visibility) => whole || isPublic(visibility))
  if (visibilities.length === 0) return []
  const args = {
    environment: scope.account.environment,
    author: authorId,
    before: page.before,
    limit: page.limit,
  }
  if (query.name === undefined)
    return store.all(whole ? timelineQuery(visibilities) : publicTimelineQuery(visibilities), args)
  const from = nameKey(query.name)
  return store.all(whole ? postsByName : publicPostsByName, {
    ...args,
    account: scope.accountId,
    from,
    to: `${from}\u{10ffff}`,
    visibilities: JSON.stringify(visibilities.map(String)),
  })
}
