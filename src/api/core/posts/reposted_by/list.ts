import { repostsOf } from '../../../../domain/posts/queries.ts'
import { listOfPost } from '../../object-lists.ts'

/** GET /2/posts/{id}/reposted_by. */
export const listReposters = listOfPost({
  id: 'listReposters',
  segment: 'reposted_by',
  summary: 'List the users who reposted a post',
  description: 'Returns the users who reposted a post, most recent repost first.',
  scopes: ['post.read', 'users.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 100 },
  limits: { app: '75/15m', user: '75/15m' },
  read: (store, of, { direction, ...args }) => store.all(repostsOf[direction], { of, ...args }),
  keyOf: ({ author_id }) => author_id,
})
