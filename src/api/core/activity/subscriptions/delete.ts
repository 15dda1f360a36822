import { Type } from 'typebox'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { Deleted } from '../../deleted.ts'
import { closed, endpoint, subscriptionId, subscriptionNotFound, Totals, unsubscribe } from './endpoint.ts'

/** DELETE /2/activity/subscriptions/{subscription_id} (core reference, 02 section 6.1). */
export const deleteActivitySubscription = endpoint({
  id: 'deleteActivitySubscription',
  host: 'core',
  method: 'DELETE',
  path: '/2/activity/subscriptions/{subscription_id}',
  summary: 'Delete an activity subscription',
  description: 'Deletes a subscription of the calling app.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '500/15m' },
  params: { subscription_id: subscriptionId },
  reply: Type.Object({ data: Deleted, meta: Totals }, closed),
  reasons: ['SubscriptionIdInvalid'],
  example: {
    params: { subscription_id: '1900000000000000042' },
    reply: { data: { deleted: true }, meta: { total_subscriptions: 0 } },
  },
  async handle({ principal: { app }, params: { subscription_id } }, { store }) {
    const { missing, total } = await unsubscribe(app.id, [subscription_id], store)
    if (missing.length > 0) throw subscriptionNotFound(subscription_id)
    return json({ data: { deleted: true }, meta: { total_subscriptions: total } })
  },
})
