import { removeAccountSubscription } from '../../../../delivery/activities/account/queries.ts'
import { invalidFor } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { requireWebhook } from '../../webhooks/find.ts'
import { endpoint, exampleWebhook, PATH, SOURCE, Subscribed, webhookParam } from './endpoint.ts'

/**
 * DELETE /2/account_activity/webhooks/{webhook_id}/subscriptions/{user_id}/all (core reference, 02
 * section 5).
 */
export const unsubscribeFromAccount = endpoint({
  id: 'unsubscribeFromAccount',
  host: 'core',
  method: 'DELETE',
  path: `${PATH}/{user_id}/all`,
  summary: 'End the subscription of a webhook to the activity of a user',
  description: 'The webhook no longer receives the activity of the user.',
  source: SOURCE,
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '500/15m' },
  params: { webhook_id: webhookParam, user_id: id('The user.') },
  reply: Subscribed,
  reasons: ['WebhookIdInvalid', 'SubscriptionNotFound'],
  example: {
    params: { webhook_id: exampleWebhook, user_id: '1900000000000000001' },
    reply: { data: { subscribed: false } },
  },
  async handle({ principal: { app }, params: { webhook_id, user_id } }, { store }) {
    const removed = await store.write(async (tx) => {
      await requireWebhook(tx, app.id, webhook_id)
      return tx.run(removeAccountSubscription, { webhook_id, user_id })
    })
    if (removed > 0) return json({ data: { subscribed: false } })
    throw invalidFor('SubscriptionNotFound', msg`the webhook has no subscription to the user ${user_id}`, {
      place: 'path',
      name: 'user_id',
      value: user_id,
    })
  },
})
