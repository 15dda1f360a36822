import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import type { App } from '../../../identity/apps/app.ts'
import type { AppCaller, UserCaller } from '../../../identity/auth/principal.ts'
import { type ApiError, invalidFor, type ParameterPlace } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
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

/**
 * Rejects a user who does not own the app. Its webhooks receive the events of all its users, so
 * only its owner and the app itself may add or remove them.
 */
export function rejectOtherUsers(caller: AppCaller | UserCaller): void {
  if (caller.kind === 'user' && caller.userId !== caller.app.ownerUserId)
    throw apiError('client not permitted', 'the user does not own the app')
}
