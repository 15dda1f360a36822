import { countEndpoint } from './counts.ts'

/** GET /2/posts/counts/all: counts of all time (core reference, 03 section 7). */
export const countAllPosts = countEndpoint({
  id: 'countAllPosts',
  reach: 'all',
  auth: ['app'],
  limits: { app: '300/15m' },
  summary: 'Count all posts',
  description:
    'Returns how many posts of all time a query finds, by minute, hour or day of UTC: of the last 30 days unless `start_time` or `since_id` says otherwise. A page holds up to 31 days, oldest first; `next_token` leads to the 31 days before.',
})
