import { countEndpoint } from './counts.ts'

/** GET /2/posts/counts/recent: counts of the last seven days (core reference, 03 section 7). */
export const countRecentPosts = countEndpoint({
  id: 'countRecentPosts',
  reach: 'recent',
  auth: ['app', 'user'],
  scopes: ['post.read'],
  limits: { app: '300/15m', user: '300/15m' },
  summary: 'Count posts of the last 7 days',
  description:
    'Returns the number of posts of the last seven days that match a query, by minute, hour or day (UTC), oldest first, in one reply. The first and the last period may be shorter.',
})
