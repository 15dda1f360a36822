import { Type } from 'typebox'
import { repostsOfPostsOfUser } from '../../../../domain/posts/queries.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { PageMeta, pageParameters, readPage } from '../../paging.ts'

const MAX_RESULTS = 100

/** GET /2/users/reposts_of_me: reposts of the caller's posts. */
export const listRepostsOfMe = objectEndpoint({
  id: 'listRepostsOfMe',
  path: '/2/users/reposts_of_me',
  summary: 'List the reposts of your posts',
  description:
    'Returns the reposts of the posts of the user who calls, newest first. Each is a post that refers to the original. Quotes are not included.',
  source: 'Core reference, 06 section 5',
  auth: ['user'],
  scopes: ['timeline.read', 'post.read'],
  limits: { user: '75/15m' },
  query: pageParameters({ default: MAX_RESULTS, min: 1, max: MAX_RESULTS, what: 'posts' }),
  returns: { object: 'post', count: 'many', meta: Type.Optional(PageMeta) },
  example: {
    data: [
      {
        id: '1900000000000000001',
        text: 'RP @demo: Hello',
        edit_history_post_ids: ['1900000000000000001'],
      },
    ],
    meta: { result_count: 1 },
  },
  async find({ principal: { userId: of }, query }, { store }, shownKeys) {
    const { rows, tokens } = await readPage(query, {
      defaultLimit: MAX_RESULTS,
      read: ({ direction, id, limit }) => store.all(repostsOfPostsOfUser[direction], { of, id, limit }),
      async shown(posts) {
        const keys = await shownKeys(posts.map(({ id }) => id))
        return posts.filter(({ id }) => keys.has(id))
      },
    })
    const meta = (shown: readonly unknown[]) => ({ result_count: shown.length, ...tokens })
    return { keys: rows.map(({ id }) => id), meta }
  },
})
