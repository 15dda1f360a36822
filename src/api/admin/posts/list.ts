import { postsByIds } from '../../../domain/posts/queries.ts'
import { postsOfUser } from '../../../domain/posts/timelines/queries.ts'
import { compareIds, FIRST_ID } from '../../../platform/common/ids.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { presentPost } from '../../../workbench/create/posts.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, placeOfId, readPage } from '../page.ts'
import { userName } from '../users/user.ts'
import { AdminPost, EXAMPLE } from './post.ts'

/** GET /admin/v1/users/{user}/posts: the posts of a user. */
export const listPosts = dataEndpoint({
  ...ADMIN,
  id: 'listPosts',
  method: 'GET',
  path: '/admin/v1/users/{user}/posts',
  summary: 'List the posts of a user',
  description: 'Lists the posts of a user, newest first: replies and reposts too.',
  params: { user: userName('Id or screen name.') },
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminPost),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { user: 'ann' }, reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ params, query }, { store }) {
    const { id: author } = await theUser(store, params.user)
    const page = await readPage(query, {
      read: ({ after, limit }) => postsBefore(store, author, { before: placeOfId(after), limit }),
      keyOf: ({ id }) => id,
      show: presentPost,
    })
    return json(page)
  },
})

/** The posts of a user before an id, newest first. */
async function postsBefore(store: Store, of: string, { before, limit }: { before: string; limit: number }) {
  const page = await store.all(postsOfUser('older', new Set()), { of, id: before, edge: FIRST_ID, limit })
  const ids = JSON.stringify(page.map(({ id }) => id))
  const rows = await store.all(postsByIds, { ids, environment: 'production' })
  return rows.sort((a, b) => compareIds(b.id, a.id))
}
