import {
  accountSubscription,
  addAccountSubscription,
  usersOfApp,
} from '../../../../delivery/activities/account/queries.ts'
import { lockApp } from '../../../../identity/apps/queries.ts'
import { invalidFor } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { requireWebhook } from '../../webhooks/find.ts'

interface NewAccountSubscription {
  readonly appId: string
  readonly webhookId: string
  readonly userId: string
}

/**
 * Subscribes a webhook to the activity of a user. Resolves to false if it is subscribed already.
 * @throws ApiError The app has no such webhook, or subscriptions to `most` other users.
 */
export async function addSubscription(
  tx: Transaction,
  { appId, webhookId, userId }: NewAccountSubscription,
  most: number,
): Promise<boolean> {
  await tx.run(lockApp, { appId })
  await requireWebhook(tx, appId, webhookId)
  if (await tx.first(accountSubscription, { webhook_id: webhookId, user_id: userId })) return false
  const users = await tx.all(usersOfApp, { app: appId })
  if (users.length >= most && !users.some(({ user_id }) => user_id === userId))
    throw invalidFor('SubscriptionLimitExceeded', msg`an app may subscribe to ${most} users`, {
      place: 'path',
      name: 'webhook_id',
      value: webhookId,
    })
  const row = { webhook_id: webhookId, user_id: userId, app_id: appId, created_at: tx.now }
  await tx.run(addAccountSubscription, row)
  return true
}
