import { Type } from 'typebox'
import { isTrendPlace } from '../../../domain/trends/places.ts'
import { readTrends } from '../../../domain/trends/read.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choices, component } from '../../../platform/http/schema.ts'
import { notFoundProblem, ResourceProblem } from '../../../platform/protocols/problem/resource.ts'
import { chosen, endpoint, TrendsMeta } from './endpoint.ts'

const MAX_TRENDS = 50
const DEFAULT_TRENDS = 20
const MAX_WOEID = 2_147_483_647
const closed = { additionalProperties: false }

const Trend = component(
  'Trend',
  Type.Object(
    {
      trend_name: Type.Optional(Type.String({ description: 'A hashtag, a ticker or a phrase.' })),
      post_count: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Posts of the last day; of an author, one per hour.' }),
      ),
    },
    closed,
  ),
)

/** GET /2/trends/by/woeid/{woeid}: the trends of a place (core reference, 06 section 2). */
export const getTrendsByWoeid = endpoint({
  id: 'getTrendsByWoeid',
  host: 'core',
  method: 'GET',
  path: '/2/trends/by/woeid/{woeid}',
  summary: 'List the trends of a place',
  description:
    'Returns the hashtags, tickers and phrases of a place that public posts of the last 24 hours use more than those of the seven days before, the strongest first. They are computed every minute. The places are 1 (the world), 23424977 (United States), 23424975 (United Kingdom), 23424856 (Japan), 2459115 (New York), 2442047 (Los Angeles), 44418 (London) and 1118370 (Tokyo).',
  source: 'Core reference, 06 section 2',
  auth: ['app'],
  limits: { app: '75/15m' },
  params: {
    woeid: Type.Integer({
      minimum: -MAX_WOEID - 1,
      maximum: MAX_WOEID,
      description: 'The Where-On-Earth id of the place.',
    }),
  },
  query: {
    max_trends: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TRENDS,
        default: DEFAULT_TRENDS,
        description: 'Maximum number of trends.',
      }),
    ),
    'trend.fields': Type.Optional(
      choices(['trend_name', 'post_count'], 'Members to return; `trend_name` by default.', 'TrendField'),
    ),
  },
  reply: Type.Object(
    {
      data: Type.Optional(Type.Array(Trend)),
      errors: Type.Optional(Type.Array(ResourceProblem)),
      meta: Type.Optional(TrendsMeta),
    },
    closed,
  ),
  example: { params: { woeid: '1' }, reply: { data: [{ trend_name: '#Harbour' }] } },
  async handle({ params: { woeid }, query }, { store, naming }) {
    const place = { type: 'place', noun: 'Place', value: String(woeid), parameter: 'woeid' } as const
    if (!isTrendPlace(woeid)) return json({ errors: [notFoundProblem(place, naming)] })
    const rows = await readTrends(store, woeid, query.max_trends ?? DEFAULT_TRENDS)
    if (rows.length === 0) return json({ meta: { result_count: 0 } })
    const fields = query['trend.fields'] ?? ['trend_name']
    return json({
      data: rows.map(({ name, post_count }) => chosen({ trend_name: name, post_count }, fields)),
    })
  },
})
