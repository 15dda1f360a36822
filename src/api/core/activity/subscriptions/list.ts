import { Type } from 'typebox'
import {
  countSubscriptions,
  countSubscriptionsTo,
  pageOfSubscriptions,
  pageOfSubscriptionsTo,
} from '../../../../delivery/activities/queries.ts'
import { presentSubscription } from '../../../../delivery/activities/subscription.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { idOfToken, idToken, tokenOfId } from '../../id-token.ts'
import { ActivitySubscription, closed, count, endpoint, exampleSubscription } from './endpoint.ts'

const MAX_RESULTS = 1_000

/**
 * GET /2/activity/subscriptions: the subscriptions of the app, oldest first (core reference, 02
 * section 6.1). A user sees only those to this user.
 */
export const listActivitySubscriptions = endpoint({
  id: 'listActivitySubscriptions',
  host: 'core',
  method: 'GET',
  path: '/2/activity/subscriptions',
  summary: "List the app's activity subscriptions",
  description:
    'Returns the activity subscriptions of the calling app, oldest first. With the token of a user: those about that user only, and how many of them there are.',
  source: 'Other core endpoints named in release notes',
  auth: ['app', 'user'],
  scopes: ['like.read', 'post.read'],
  limits: { app: '500/15m', user: '500/15m' },
  query: {
    max_results: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RESULTS,
        default: MAX_RESULTS,
        description: 'Number of subscriptions in a page.',
      }),
    ),
    pagination_token: idToken,
  },
  reply: Type.Object(
    {
      data: Type.Array(ActivitySubscription),
      meta: Type.Object(
        { result_count: count, total_subscriptions: count, next_token: Type.Optional(Type.String()) },
        closed,
      ),
    },
    closed,
  ),
  example: {
    reply: { data: [exampleSubscription], meta: { result_count: 1, total_subscriptions: 1 } },
  },
  async handle({ principal, query }, { store }) {
    const { max_results: limit = MAX_RESULTS, pagination_token } = query
    const app = principal.app.id
    const user = principal.kind === 'user' ? principal.userId : undefined
    const at = { app, after: idOfToken(pagination_token), limit: limit + 1 }
    const [rows, counted] = await Promise.all([
      user === undefined
        ? store.all(pageOfSubscriptions, at)
        : store.all(pageOfSubscriptionsTo, { ...at, user }),
      user === undefined
        ? store.first(countSubscriptions, { app })
        : store.first(countSubscriptionsTo, { app, user }),
    ])
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return json({
      data: page.map(presentSubscription),
      meta: {
        result_count: page.length,
        total_subscriptions: Number(counted?.count ?? 0),
        ...(rows.length > page.length && last && { next_token: tokenOfId(last.id) }),
      },
    })
  },
})
