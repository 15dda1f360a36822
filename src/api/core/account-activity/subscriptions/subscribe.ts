import { Type } from 'typebox'
import { invalidFor } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { closed, endpoint, exampleWebhook, PATH, SOURCE, Subscribed, webhookParam } from './endpoint.ts'
import { addSubscription } from './subscription.ts'

/**
 * POST /2/account_activity/webhooks/{webhook_id}/subscriptions/all (core reference, 02 section 5).
 */
export const subscribeToAccount = endpoint({
  id: 'subscribeToAccount',
  host: 'core',
  method: 'POST',
  path: `${PATH}/all`,
  summary: 'Subscribe a webhook to the activity of the caller',
  description:
    'The webhook receives activity by and about the calling user: posts, likes, follows, blocks, mutes, and direct messages if the app may read them. The subscription ends when the user revokes the app.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['level-first', 'post.read', 'users.read'],
  limits: { user: '500/15m' },
  params: { webhook_id: webhookParam },
  optionalBody: true,
  body: Type.Object({}, closed),
  reply: Subscribed,
  reasons: ['WebhookIdInvalid', 'DuplicateSubscriptionFailed', 'SubscriptionLimitExceeded'],
  example: { params: { webhook_id: exampleWebhook }, body: {}, reply: { data: { subscribed: true } } },
  async handle({ principal: { app, userId }, params: { webhook_id } }, { store, config }) {
    const wanted = { appId: app.id, webhookId: webhook_id, userId }
    const isNew = await store.write((tx) => addSubscription(tx, wanted, config.accountActivityUsersPerApp))
    if (isNew) return json({ data: { subscribed: true } })
    throw invalidFor('DuplicateSubscriptionFailed', msg`the webhook is already subscribed to this user`, {
      place: 'path',
      name: 'webhook_id',
      value: webhook_id,
    })
  },
})
