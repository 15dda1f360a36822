import { Type } from 'typebox'
import { categoryOf, readPersonalTrends, sinceOf } from '../../../../domain/trends/read.ts'
import { profilesOf } from '../../../../identity/users/profiles.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choices, component } from '../../../../platform/http/schema.ts'
import { countForDay } from '../../../../platform/http/steps/count-day.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { chosen, endpoint, TrendsMeta } from '../../trends/endpoint.ts'

const MAX_TRENDS = 20
const closed = { additionalProperties: false }

const members = {
  category: Type.String({ description: '`News`, `Sports`, `Entertainment` or `Other`.' }),
  post_count: Type.Integer({ minimum: 0, description: 'Posts of the last day; of an author, one per hour.' }),
  trend_name: Type.String({ description: 'A hashtag, a ticker or a phrase.' }),
  trending_since: Type.String({ description: '`Trending now`, or `3 hours ago`.' }),
}
const FIELDS = Object.keys(members) as (keyof typeof members)[]
const PersonalizedTrend = component('PersonalizedTrend', Type.Partial(Type.Object(members, closed)))

/** GET /2/users/personalized_trends: trends for a user (core reference, 06 section 2). */
export const listPersonalizedTrends = endpoint({
  id: 'listPersonalizedTrends',
  host: 'core',
  method: 'GET',
  path: '/2/users/personalized_trends',
  summary: 'List the trends for you',
  description:
    'Returns the trends of the world, those first that the users whom the caller follows, and the members of the lists of the caller, write about. Users without a subscription get 403.',
  source: 'Core reference, 06 section 2',
  auth: ['user'],
  scopes: ['post.read', 'users.read'],
  limits: { user: '10/15m', 'user-24hour': '100/24h', 'app-24hour': '200/24h' },
  steps: [countForDay],
  query: {
    'personalized_trend.fields': Type.Optional(
      choices([...FIELDS], 'Members to return; the name and the count by default.', 'PersonalizedTrendField'),
    ),
  },
  reply: Type.Object(
    { data: Type.Optional(Type.Array(PersonalizedTrend)), meta: Type.Optional(TrendsMeta) },
    closed,
  ),
  errors: ['no subscription'],
  example: { reply: { data: [{ trend_name: '#Harbour', post_count: 42 }] } },
  async handle({ principal: { userId }, query }, { store, clock }) {
    const caller = (await profilesOf([userId], store)).get(userId)
    if (caller?.subscription_type === 'None') throw apiError('no subscription')
    const now = clock.now()
    const rows = await readPersonalTrends(store, { user: userId, now, limit: MAX_TRENDS })
    if (rows.length === 0) return json({ meta: { result_count: 0 } })
    const fields = query['personalized_trend.fields'] ?? ['trend_name', 'post_count']
    const shown = rows.map((row) => ({
      ...{ category: categoryOf(row), post_count: row.post_count, trend_name: row.name },
      trending_since: sinceOf(row, now),
    }))
    return json({ data: shown.map((one) => chosen(one, fields)) })
  },
})
