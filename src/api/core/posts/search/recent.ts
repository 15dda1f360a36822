import { searchEndpoint } from './search.ts'

/** GET /2/posts/search/recent: posts of the last seven days (core reference, 03 section 6). */
export const searchRecentPosts = searchEndpoint({
  id: 'searchRecentPosts',
  reach: 'recent',
  summary: 'Search posts of the last 7 days',
  description:
    'Returns posts of the last seven days that match a query, newest first. New posts can be found within a second; without `end_time` and `until_id`, the last 30 seconds are excluded. Repeating a call with the same `next_token` returns the same page.',
  auth: ['app', 'user'],
  limits: { app: '450/15m', user: '300/15m' },
  maxResults: 100,
})
