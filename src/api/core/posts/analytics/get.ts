import { Type } from 'typebox'
import { POST_METRICS, postFigure } from '../../../../domain/analytics/metrics.ts'
import { readPosts } from '../../../../domain/analytics/read.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, choices, id, ids } from '../../../../platform/http/schema.ts'
import { endpoint } from '../../analytics/endpoint.ts'
import { ownershipErrors, ownPosts } from '../../analytics/owned.ts'
import { analyticsReply, selected, shownBuckets } from '../../analytics/reply.ts'
import { FIRST_MS, spanOf, spanParameters } from '../../analytics/span.ts'

const MAX_POSTS = 100
const MEMBERS = ['id', 'timestamp', 'timestamped_metrics'] as const
const POST = { type: 'post', noun: 'Post', parameter: 'ids' } as const

/** GET /2/posts/analytics: metrics of the caller's posts (core reference, 08 section 2). */
export const getPostsAnalytics = endpoint({
  id: 'getPostsAnalytics',
  host: 'core',
  method: 'GET',
  path: '/2/posts/analytics',
  summary: 'Get analytics of posts',
  description:
    'Returns what was counted of posts of the calling user in a time span, by hour, day or week (UTC; weeks begin on Monday) or in total. Hours that contain the bounds count as a whole. There are at most 744 periods. Posts of others, and those that do not exist, are reported in `errors`.',
  source: 'Core reference, 08 section 2',
  auth: ['user'],
  scopes: ['post.read', 'users.read'],
  limits: { user: '300/15m' },
  query: {
    ids: ids(id('A post.'), 'Posts of the user.', MAX_POSTS),
    ...spanParameters,
    granularity: Type.Optional(
      choice(['hourly', 'daily', 'weekly', 'total'], 'Length of each period; `total` by default.'),
    ),
    'analytics.fields': Type.Optional(
      choices([...MEMBERS, ...POST_METRICS], 'Metrics to return; all by default.', 'AnalyticsField'),
    ),
  },
  reply: analyticsReply('PostAnalytics', { id: id('The post.') }, POST_METRICS),
  example: { reply: { data: [{ id: '1900000000000000001', timestamped_metrics: [] }] } },
  async handle({ principal, query }, dependencies) {
    const { store, clock, naming } = dependencies
    const granularity = query.granularity ?? 'total'
    const span = spanOf(query, { now: clock.now(), oldestMs: FIRST_MS, granularity })
    const { own, ...others } = await ownPosts(query.ids, principal.userId, dependencies)
    const firsts = [...new Set(own.map(({ row }) => row.first_version_id))]
    const bucketsOf = await readPosts(firsts, { store, span, granularity })
    const items = own.map(({ key, row }) => ({ key: { id: key }, buckets: bucketsOf(row.first_version_id) }))
    const metrics = selected(query['analytics.fields'], POST_METRICS)
    const data = await shownBuckets(items, { metrics, granularity, figure: postFigure })
    return json({ ...(data.length > 0 && { data }), ...ownershipErrors(others, POST, naming) })
  },
})
