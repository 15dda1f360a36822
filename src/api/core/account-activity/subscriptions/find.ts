import { accountSubscription } from '../../../../delivery/activities/account/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { requireWebhook } from '../../webhooks/find.ts'
import { endpoint, exampleWebhook, PATH, SOURCE, Subscribed, webhookParam } from './endpoint.ts'

/**
 * GET /2/account_activity/webhooks/{webhook_id}/subscriptions/all (core reference, 02 section 5).
 */
export const findAccountSubscription = endpoint({
  id: 'findAccountSubscription',
  host: 'core',
  method: 'GET',
  path: `${PATH}/all`,
  summary: 'Check whether a webhook receives the activity of the caller',
  description: 'Returns whether the webhook receives the activity of the calling user.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['level-first', 'post.read', 'users.read'],
  limits: { user: '500/15m' },
  params: { webhook_id: webhookParam },
  reply: Subscribed,
  reasons: ['WebhookIdInvalid'],
  example: { params: { webhook_id: exampleWebhook }, reply: { data: { subscribed: true } } },
  async handle({ principal: { app, userId }, params: { webhook_id } }, { store }) {
    await requireWebhook(store, app.id, webhook_id)
    const row = await store.first(accountSubscription, { webhook_id, user_id: userId })
    return json({ data: { subscribed: row !== undefined } })
  },
})
