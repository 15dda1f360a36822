import { Type } from 'typebox'
import { notFoundProblem } from '../../protocols/problem/resource.ts'
import { postsOfSpace, spacesByIds } from '../../spaces/queries.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { ListMeta, listMeta, SPACE, spaceId, spaceRead } from './space.ts'

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
  query: {
    max_results: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RESULTS,
        default: MAX_RESULTS,
        description: 'Posts of the reply.',
      }),
    ),
  },
  returns: { object: 'post', count: 'many', meta: Type.Optional(ListMeta) },
  example: {
    params: { id: SPACE.id },
    data: [{ id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] }],
    meta: { result_count: 1 },
  },
  async find({ params: { id }, query: { max_results: limit = MAX_RESULTS } }, { store, naming }) {
    const [space] = await store.all(spacesByIds, { ids: JSON.stringify([id]) })
    if (!space || space.creator_suspended === 1)
      return {
        problem: notFoundProblem({ type: 'space', noun: 'Space', value: id, parameter: 'id' }, naming),
      }
    const rows = await store.all(postsOfSpace, { space: id, limit })
    return { keys: rows.map((row) => row.post_id), meta: listMeta }
  },
})
