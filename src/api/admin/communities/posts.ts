import { postsOfCommunity } from '../../../domain/communities/queries.ts'
import { postsByIds } from '../../../domain/posts/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { theCommunity } from '../../../workbench/create/communities.ts'
import { presentPost } from '../../../workbench/create/posts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, placeOfId, readPage } from '../page.ts'
import { AdminPost, EXAMPLE as POST } from '../posts/post.ts'
import { communityId, EXAMPLE } from './community.ts'

/** GET /admin/v1/communities/{community_id}/posts: its posts, in pages. */
export const listPostsOfCommunity = dataEndpoint({
  ...ADMIN,
  id: 'listPostsOfCommunity',
  method: 'GET',
  path: '/admin/v1/communities/{community_id}/posts',
  summary: 'List the posts of a community',
  description: 'Lists the posts of all authors, newest first: replies too.',
  params: { community_id: communityId },
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminPost),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { community_id: EXAMPLE.id },
    reply: { data: [{ ...POST, community_id: EXAMPLE.id }], meta: { result_count: 1 } },
  },
  async handle({ params: { community_id: community }, query }, { store }) {
    await theCommunity(store, community)
    const page = await readPage(query, {
      read: ({ after, limit }) => postsBefore(store, { community, id: placeOfId(after), limit }),
      keyOf: ({ id }) => id,
      show: ({ post }) => post && presentPost(post),
    })
    return json(page)
  },
})

/** The posts before an id. Those of deleted authors are missing until they are removed. */
async function postsBefore(store: Store, place: { community: string; id: string; limit: number }) {
  const page = await store.all(postsOfCommunity.older, place)
  const ids = JSON.stringify(page.map(({ id }) => id))
  const rows = await store.all(postsByIds, { ids, environment: 'production' })
  const posts = new Map(rows.map((post) => [post.id, post]))
  return page.map(({ id }) => ({ id, post: posts.get(id) }))
}
