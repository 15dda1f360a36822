import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import type { App } from '../../../identity/apps/app.ts'
import type { ApiError, ParameterPlace } from '../../../platform/http/errors.ts'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { webhookOfApp } from './queries.ts'

/** A webhook of this app. A webhook of another app is not found, like one that does not exist. */
export async function findWebhook(
  store: Store,
  app: App,
  id: string,
  place: ParameterPlace = 'path',
): Promise<WebhookRow> {
  const row = await store.first(webhookOfApp, { id, appId: app.id })
  if (!row) throw webhookNotFound(id, place)
  return row
}

export function webhookNotFound(id: string, place: ParameterPlace = 'path'): ApiError {
  return invalidFor('WebhookIdInvalid', msg`this app has no webhook with the id ${id}`, {
    place,
    name: 'webhook_id',
    value: id,
  })
}
