import { likingUsers } from '../../../../domain/posts/queries.ts'
import { listOfPost } from '../../object-lists.ts'

/** GET /2/posts/{id}/liking_users. */
export const listLikingUsers = listOfPost({
  id: 'listLikingUsers',
  segment: 'liking_users',
  summary: 'List the users who like a post',
  description: 'Returns the users who like a post, most recent like first.',
  scopes: ['post.read', 'users.read', 'like.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 100 },
  limits: { app: '75/15m', user: '75/15m' },
  read: (store, of, { direction, ...args }) => store.all(likingUsers[direction], { of, ...args }),
})
