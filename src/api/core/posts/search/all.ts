import { searchEndpoint } from './search.ts'

/** GET /2/posts/search/all: posts of all time (core reference, 03 section 6). */
export const searchAllPosts = searchEndpoint({
  id: 'searchAllPosts',
  reach: 'all',
  summary: 'Search all posts',
  description:
    'Returns posts of all time that match a query, newest first. The default is the last 30 days; `start_time` or `since_id` change this. Repeating a call with the same `next_token` returns the same page.',
  auth: ['app'],
  limits: { app: '300/15m' },
  maxResults: 500,
})
