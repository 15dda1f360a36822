import { Type } from 'typebox'
import {
  accountSubscription,
  addAccountSubscription,
  usersOfApp,
} from '../../../../delivery/activities/account/queries.ts'
import { lockApp } from '../../../../identity/apps/queries.ts'
import { invalidFor } from '../../../../platform/http/errors.ts'
import { type Message, msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { requireWebhook } from '../../webhooks/find.ts'
import { closed, endpoint, exampleWebhook, PATH, SOURCE, Subscribed, webhookParam } from './endpoint.ts'

const wrong = (webhook: string, reason: string, explanation: Message) =>
  invalidFor(reason, explanation, { place: 'path', name: 'webhook_id', value: webhook })

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
    const most = config.accountActivityUsersPerApp
    await store.write(async (tx) => {
      await tx.run(lockApp, { appId: app.id })
      await requireWebhook(tx, app.id, webhook_id)
      if (await tx.first(accountSubscription, { webhook_id, user_id: userId }))
        throw wrong(
          webhook_id,
          'DuplicateSubscriptionFailed',
          msg`the webhook is already subscribed to this user`,
        )
      const users = await tx.all(usersOfApp, { app: app.id })
      if (users.length >= most && !users.some(({ user_id }) => user_id === userId))
        throw wrong(webhook_id, 'SubscriptionLimitExceeded', msg`an app may subscribe to ${most} users`)
      const row = { webhook_id, user_id: userId, app_id: app.id, created_at: tx.now }
      await tx.run(addAccountSubscription, row)
    })
    return json({ data: { subscribed: true } })
  },
})
