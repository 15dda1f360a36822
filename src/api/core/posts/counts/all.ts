import { countEndpoint } from './counts.ts'

/** GET /2/posts/counts/all: counts of all time (core reference, 03 section 7). */
export const countAllPosts = countEndpoint({
  id: 'countAllPosts',
  reach: 'all',
  auth: ['app'],
  limits: { app: '300/15m' },
  summary: 'Count all posts',
  description:
    'Returns the number of posts of all time that match a query, by minute, hour or day (UTC). The default is the last 30 days; `start_time` or `since_id` change this. A page covers up to 31 days, oldest first; `next_token` returns the 31 days before.',
})
