import { json } from '../../../../platform/http/reply-kinds.ts'
import { endpoint } from '../../analytics/endpoint.ts'
import { spanOf, spanParameters } from '../../analytics/span.ts'
import { granularityOf, insightParameters, insightReply, insights } from '../endpoint.ts'

const DAY_MS = 86_400_000
const LONGEST_MS = 28 * DAY_MS
const REACH_MS = 365 * DAY_MS

/** GET /2/insights/historical: metrics of a time span (core reference, 08 section 4). */
export const getHistoricalInsights = endpoint({
  id: 'getHistoricalInsights',
  host: 'core',
  method: 'GET',
  path: '/2/insights/historical',
  summary: 'Get insights of a time span',
  description:
    'Returns what was counted of posts of the calling user in up to 28 days of the last 365, in total and by hour, day or week (UTC; weeks begin on Monday). Hours that contain the bounds count as a whole. Posts of others, and those that do not exist, are reported in `errors` of the item.',
  source: 'Core reference, 08 section 4',
  auth: ['user'],
  scopes: ['post.read'],
  limits: { user: '300/15m' },
  query: { ...insightParameters, ...spanParameters },
  reply: insightReply,
  example: { reply: { data: [{}] } },
  async handle({ principal: { userId }, query }, dependencies) {
    const now = dependencies.clock.now()
    const granularity = granularityOf(query.granularity)
    const limits = { now, oldestMs: now - REACH_MS, longestMs: LONGEST_MS, granularity }
    const span = spanOf(query, limits)
    const series = granularity === 'total' ? undefined : granularity
    return json({ data: [await insights(query, { userId, span, series }, dependencies)] })
  },
})
