import { Type } from 'typebox'
import { newerPostsOfSpace, olderPostsOfSpace, spacesByIds } from '../../../domain/spaces/queries.ts'
import { timeOfId } from '../../../platform/common/ids.ts'
import { notFoundProblem } from '../../../platform/protocols/problem/resource.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { PageMeta, pageParameters, readPage } from '../paging.ts'
import { SPACE, spaceId, spaceRead } from './space.ts'

const MAX_RESULTS = 100

/** GET /2/spaces/{id}/posts: posts that were shared in a space. */
export const listPostsOfSpace = objectEndpoint({
  ...spaceRead,
  id: 'listPostsOfSpace',
  path: '/2/spaces/{id}/posts',
  summary: 'Get the posts that were shared in a space',
  description:
    'Returns the posts that were shared in a space and that the caller may see, newest first. A space that does not exist is reported in `errors` with status 200.',
  params: { id: spaceId },
  query: pageParameters({ default: MAX_RESULTS, min: 1, max: MAX_RESULTS, what: 'posts' }),
  returns: { object: 'post', count: 'many', meta: Type.Optional(PageMeta) },
  example: {
    params: { id: SPACE.id },
    data: [{ id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] }],
    meta: { result_count: 1 },
  },
  async find({ params: { id }, query }, { store, naming }, shownKeys) {
    const [space] = await store.all(spacesByIds, { ids: JSON.stringify([id]) })
    if (!space || space.creator_suspended === 1)
      return {
        problem: notFoundProblem({ type: 'space', noun: 'Space', value: id, parameter: 'id' }, naming),
      }
    const { rows, tokens } = await readPage(query, {
      defaultLimit: MAX_RESULTS,
      async read({ direction, id: from, limit }) {
        const part = direction === 'older' ? olderPostsOfSpace : newerPostsOfSpace
        const found = await store.all(part, { space: id, id: from, limit })
        return found.map(({ post_id }) => ({ id: post_id, created_at: timeOfId(post_id) }))
      },
      async shown(posts) {
        const keys = await shownKeys(posts.map((row) => row.id))
        return posts.filter((row) => keys.has(row.id))
      },
    })
    return {
      keys: rows.map((row) => row.id),
      meta: (shown) => ({ result_count: shown.length, ...tokens }),
    }
  },
})
