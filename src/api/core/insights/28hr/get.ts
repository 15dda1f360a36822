import { HOUR_MS } from '../../../../domain/analytics/metrics.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { endpoint } from '../../analytics/endpoint.ts'
import { granularityOf, insightParameters, insightReply, insights } from '../endpoint.ts'

const HOURS = 28

/** GET /2/insights/28hr: metrics of the last 28 hours (core reference, 08 section 4). */
export const getRecentInsights = endpoint({
  id: 'getRecentInsights',
  host: 'core',
  method: 'GET',
  path: '/2/insights/28hr',
  summary: 'Get insights of the last 28 hours',
  description:
    'Returns what was counted of posts of the calling user in the last 28 hours, in total and by hour or day (UTC). A week is one period. The first hour counts as a whole. Posts of others, and those that do not exist, are reported in `errors` of the item.',
  source: 'Core reference, 08 section 4',
  auth: ['user'],
  scopes: ['post.read'],
  limits: { user: '300/15m' },
  query: insightParameters,
  reply: insightReply,
  example: { reply: { data: [{}] } },
  async handle({ principal: { userId }, query }, dependencies) {
    const endMs = dependencies.clock.now()
    const span = { startMs: Math.floor(endMs / HOUR_MS - HOURS) * HOUR_MS, endMs: endMs + 1 }
    const named = granularityOf(query.granularity)
    // A Monday does not divide it.
    const series = query.granularity === 'Total' ? undefined : named === 'weekly' ? 'total' : named
    return json({ data: [await insights(query, { userId, span, series }, dependencies)] })
  },
})
