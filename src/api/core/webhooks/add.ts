import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import type { App } from '../../../identity/apps/app.ts'
import { lockApp } from '../../../identity/apps/queries.ts'
import { type ApiError, invalidFor } from '../../../platform/http/errors.ts'
import { type Message, msg } from '../../../platform/http/message.ts'
import { UniqueViolation } from '../../../platform/storage/store.ts'
import type { WebhookDependencies } from './endpoint.ts'
import { normalForm } from './normal-form.ts'
import { webhooksOfApp } from './queries.ts'
import { registerWebhook } from './register.ts'

/**
 * Registers a webhook of an app after it has answered a CRC check.
 * @throws ApiError The URL is not allowed, is registered already, or answers wrongly.
 */
export async function addWebhookOf(
  app: App,
  url: string,
  { store, outbound, checks, clock, ids, config }: WebhookDependencies,
): Promise<WebhookRow> {
  const rejectUrl = (reason: string, explanation: Message) =>
    invalidFor(reason, explanation, { place: 'body', name: 'url', value: url })
  const duplicate = (): ApiError =>
    rejectUrl('DuplicateUrlFailed', msg`this app has already registered the URL`)
  const target = outbound.checkTarget(url)
  if (!target.ok) throw rejectUrl('UrlValidationFailed', msg`${target.reason}`)
  const normalUrl = normalForm(target.url)
  const rejectWhenFull = (existing: readonly WebhookRow[]): void => {
    if (existing.some((webhook) => normalForm(new URL(webhook.url)) === normalUrl)) throw duplicate()
    if (existing.length >= config.webhooksPerApp)
      throw rejectUrl('WebhookLimitExceeded', msg`an app may register ${config.webhooksPerApp} webhooks`)
  }
  // Checked before the challenge, so that a caller without this right cannot make us send requests.
  rejectWhenFull(await store.all(webhooksOfApp, { appId: app.id }))

  const result = await checks.probe(app, url)
  if (result.kind === 'not attempted') throw rejectUrl('UrlValidationFailed', result.explanation)
  if (result.kind === 'failed') throw rejectUrl('CrcValidationFailed', result.explanation)

  const now = clock.now()
  const row: WebhookRow = {
    id: ids.next(),
    app_id: app.id,
    url,
    valid: 1,
    created_at: now,
    last_success_at: now,
  }
  try {
    await store.write(async (tx) => {
      await tx.run(lockApp, { appId: app.id })
      rejectWhenFull(await tx.all(webhooksOfApp, { appId: app.id }))
      await registerWebhook(tx, row, config)
    })
  } catch (error) {
    throw error instanceof UniqueViolation ? duplicate() : error
  }
  return row
}
