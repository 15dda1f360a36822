import { Type } from 'typebox'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { checkedWindow, repeated, type StatsQuery, statsParameters } from './parameters.ts'
import { EntityStats, readStats } from './reply.ts'

/** Days of one call (reference: analytics, limits). */
const MAX_DAYS = 7

/** GET /12/stats/accounts/{account_id}: figures at once (extension; reference: analytics). */
export const getStats = adsEndpoint({
  id: 'getStats',
  method: 'GET',
  path: '/stats/accounts/{account_id}',
  summary: 'Get analytics',
  description:
    'Returns the figures of up to 20 entities, for at most 7 days. A metric without any activity is null. Hours that are not over have no figures yet. For longer times and for segments, create a job.',
  source: 'Advertising analytics',
  right: 'read',
  limits: LIMITS.stats,
  query: statsParameters,
  codes: ['INVALID_TIME_WINDOW'],
  data: Type.Array(EntityStats),
  beside: ['type', 'series'],
  sample: [
    {
      id: '8u94t',
      id_data: [
        { segment: null, metrics: { impressions: [1233], likes: [1], engagements: [58], follows: null } },
      ],
    },
  ],
  async handle({ scope, query }, { store, clock, naming, delivery }) {
    const { accountId, account } = scope
    const window = checkedWindow(query, { account, now: clock.now(), days: MAX_DAYS })
    const asked: StatsQuery = {
      ...query,
      start_time: window.fromMs,
      end_time: window.untilMs,
      segmentation_type: null,
      country: null,
      platform: null,
    }
    await delivery.complete(accountId)
    return {
      data_type: 'stats',
      ...(await readStats(accountId, asked, store)),
      request: repeated(asked, naming.vocabulary),
    }
  },
})
