import { invalidFor } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { webhookOfApp } from '../../webhooks/queries.ts'

/** Rejects a webhook that the app does not have. */
export async function rejectUnknownWebhook(
  tx: Transaction,
  app: string,
  webhook: string | undefined,
): Promise<void> {
  if (webhook === undefined || (await tx.first(webhookOfApp, { id: webhook, appId: app }))) return
  throw invalidFor('WebhookIdInvalid', msg`this app has no webhook with the id ${webhook}`, {
    place: 'body',
    name: 'webhook_id',
    value: webhook,
  })
}
