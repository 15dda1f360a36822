import { Type } from 'typebox'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { ids } from '../../../../platform/http/schema.ts'
import { problemOf } from '../../../../platform/protocols/problem/errors.ts'
import { Deleted } from '../../deleted.ts'
import { ProblemSchema } from '../../problem.ts'
import { closed, endpoint, subscriptionId, subscriptionNotFound, Totals, unsubscribe } from './endpoint.ts'

const MAX_IDS = 100

/** DELETE /2/activity/subscriptions: several at once (core reference, 02 section 6.1). */
export const deleteActivitySubscriptions = endpoint({
  id: 'deleteActivitySubscriptions',
  host: 'core',
  method: 'DELETE',
  path: '/2/activity/subscriptions',
  summary: 'Delete activity subscriptions',
  description:
    'Deletes up to 100 subscriptions of the calling app. Subscriptions that do not exist are reported in `errors`; `deleted` is true if at least one was deleted.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '500/15m' },
  query: { ids: ids(subscriptionId, 'The subscriptions.', MAX_IDS) },
  reply: Type.Object(
    { data: Deleted, meta: Totals, errors: Type.Optional(Type.Array(ProblemSchema, { minItems: 1 })) },
    closed,
  ),
  reasons: ['SubscriptionIdInvalid'],
  example: { reply: { data: { deleted: true }, meta: { total_subscriptions: 0 } } },
  async handle({ principal: { app }, query }, { store, naming }) {
    const { missing, total } = await unsubscribe(app.id, query.ids, store)
    return json({
      data: { deleted: missing.length < query.ids.length },
      meta: { total_subscriptions: total },
      ...(missing.length > 0 && {
        errors: missing.map((id) => problemOf(subscriptionNotFound(id, 'query'), naming)),
      }),
    })
  },
})
