import { repostsOf } from '../../../../domain/posts/queries.ts'
import { listOfPost } from '../../object-lists.ts'

/** GET /2/posts/{id}/reposts. */
export const listReposts = listOfPost({
  id: 'listReposts',
  segment: 'reposts',
  summary: 'List the reposts of a post',
  description: 'Returns the reposts of a post, newest first. Each is a post that refers to the original.',
  scopes: ['post.read', 'users.read'],
  object: 'post',
  results: { default: 100, min: 1, max: 100 },
  limits: { app: '75/15m', user: '75/15m' },
  read: (store, of, { direction, ...args }) => store.all(repostsOf[direction], { of, ...args }),
})
