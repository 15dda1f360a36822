import { Type } from 'typebox'
import { MEDIA_METRICS } from '../../../../domain/analytics/metrics.ts'
import { readMedia } from '../../../../domain/analytics/read.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, choices, ids } from '../../../../platform/http/schema.ts'
import { endpoint } from '../../analytics/endpoint.ts'
import { ownershipErrors, ownMedia } from '../../analytics/owned.ts'
import { analyticsReply, selected, shownBuckets } from '../../analytics/reply.ts'
import { FIRST_MS, spanOf, spanParameters } from '../../analytics/span.ts'
import { mediaKey } from '../media-key.ts'

const MAX_MEDIA = 100
const MEMBERS = ['media_key', 'timestamp', 'timestamped_metrics'] as const
const MEDIUM = { type: 'media', noun: 'Media', parameter: 'media_keys' } as const

/** GET /2/media/analytics: metrics of the caller's media (core reference, 08 section 3). */
export const getMediaAnalytics = endpoint({
  id: 'getMediaAnalytics',
  host: 'core',
  method: 'GET',
  path: '/2/media/analytics',
  summary: 'Get analytics of media',
  description:
    'Returns what was counted of media of the calling user in a time span, over all posts that show them, by hour or day (UTC) or in total. Hours that contain the bounds count as a whole. There are at most 744 periods. Only videos have metrics other than 0. Media of others, and those that do not exist, are reported in `errors`.',
  source: 'Core reference, 08 section 3',
  auth: ['user'],
  scopes: ['post.read'],
  limits: { user: '300/15m' },
  query: {
    media_keys: ids(mediaKey('A medium.'), 'Media of the user.', MAX_MEDIA),
    ...spanParameters,
    granularity: Type.Optional(
      choice(['hourly', 'daily', 'total'], 'Length of each period; `daily` by default.'),
    ),
    'media_analytics.fields': Type.Optional(
      choices([...MEMBERS, ...MEDIA_METRICS], 'Metrics to return; all by default.', 'MediaAnalyticsField'),
    ),
  },
  reply: analyticsReply('MediaAnalytics', { media_key: mediaKey('The medium.') }, MEDIA_METRICS),
  example: { reply: { data: [{ media_key: '7_1900000000000000003', timestamped_metrics: [] }] } },
  async handle({ principal, query }, dependencies) {
    const { store, clock, naming } = dependencies
    const granularity = query.granularity ?? 'daily'
    const span = spanOf(query, { now: clock.now(), oldestMs: FIRST_MS, granularity })
    const { own, ...others } = await ownMedia(query.media_keys, principal.userId, dependencies)
    const ids = own.map(({ row }) => row.id)
    const bucketsOf = await readMedia(ids, { store, span, granularity })
    const items = own.map(({ key, row }) => ({ key: { media_key: key }, buckets: bucketsOf(row.id) }))
    const metrics = selected(query['media_analytics.fields'], MEDIA_METRICS)
    const figure = (figures: ReadonlyMap<string, number>, metric: string) => figures.get(metric) ?? 0
    const data = await shownBuckets(items, { metrics, granularity, figure })
    return json({ ...(data.length > 0 && { data }), ...ownershipErrors(others, MEDIUM, naming) })
  },
})
