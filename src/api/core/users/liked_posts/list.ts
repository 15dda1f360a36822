import { likedPosts } from '../../../../domain/posts/queries.ts'
import { listOfUser } from '../../object-lists.ts'

/** GET /2/users/{id}/liked_posts. */
export const listLikedPosts = listOfUser({
  id: 'listLikedPosts',
  segment: 'liked_posts',
  summary: 'List the posts that a user likes',
  description:
    'Returns the posts that a user likes, most recent like first. Posts that the caller may not see are omitted. Edited posts are returned in their newest version.',
  scopes: ['post.read', 'users.read', 'like.read'],
  object: 'post',
  results: { default: 100, min: 5, max: 100 },
  limits: { app: '75/15m', user: '75/15m' },
  read: (store, of, { direction, ...args }) => store.all(likedPosts[direction], { of, ...args }),
  by: 'first_version',
})
