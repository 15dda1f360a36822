import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { webhookOfApp } from './queries.ts'

/** A webhook of the app. A webhook of another app is not found. */
export async function requireWebhook(
  tx: Pick<Transaction, 'first'>,
  app: string,
  id: string,
): Promise<WebhookRow> {
  const row = await tx.first(webhookOfApp, { id, appId: app })
  if (row) return row
  throw invalidFor('WebhookIdInvalid', msg`this app has no webhook with the id ${id}`, {
    place: 'path',
    name: 'webhook_id',
    value: id,
  })
}
