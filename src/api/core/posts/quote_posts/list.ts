import { quotesOf } from '../../../../domain/posts/queries.ts'
import { excludeParameter, listOfPost } from '../../object-lists.ts'

/** GET /2/posts/{id}/quote_posts. */
export const listQuotes = listOfPost({
  id: 'listQuotes',
  segment: 'quote_posts',
  summary: 'List the quotes of a post',
  description: 'Returns the posts that quote a post, newest first. `exclude=replies` omits replies.',
  scopes: ['post.read', 'users.read'],
  object: 'post',
  results: { default: 10, min: 10, max: 100 },
  limits: { app: '75/15m', user: '75/15m' },
  query: excludeParameter,
  read: (store, of, { direction, ...args }) => store.all(quotesOf[direction], { of, ...args }),
  isShown: ({ in_reply_to_post_id }, { exclude }) =>
    in_reply_to_post_id === null || !(Array.isArray(exclude) && exclude.includes('replies')),
})
