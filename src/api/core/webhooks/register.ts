import { clearWebhook } from '../../../delivery/activities/queries.ts'
import { streamLinksChanged } from '../../../delivery/streams/events.ts'
import { removeLink } from '../../../delivery/streams/links/queries.ts'
import type { WebhookRow } from '../../../delivery/webhooks/tables.ts'
import { removeDeliveries } from '../../../delivery/webhooks/tasks.ts'
import { lockApp } from '../../../identity/apps/queries.ts'
import { emit } from '../../../platform/events/log.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import { taskType } from '../../../platform/queue/task.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { webhookInvalidated } from './events.ts'
import { addWebhook, recordCheck, removeWebhook, webhookById } from './queries.ts'

/** The periodic check of a webhook. Each registered webhook has one such task. */
export const checkWebhook = taskType<{ webhook: string; app: string }>('check webhook', {
  owner: ({ app }) => app,
  subject: ({ webhook }) => webhook,
})

/** Invalidates a webhook that responded with status 410, to receive nothing more. */
export async function stopWebhook(tx: Transaction, id: string): Promise<void> {
  const webhook = await tx.first(webhookById, { id })
  if (webhook?.valid !== 1) return
  await tx.run(recordCheck, { id, valid: 0, last_success_at: webhook.last_success_at })
  await emit(tx, webhookInvalidated, { webhook_id: id, app_id: webhook.app_id })
}

/** Registers a webhook that has just passed a check, and schedules its periodic checks. */
export async function registerWebhook(
  tx: Transaction,
  row: WebhookRow,
  { revalidateAfterSeconds }: { revalidateAfterSeconds: number },
): Promise<void> {
  await tx.run(addWebhook, row)
  const dueAt = row.last_success_at + revalidateAfterSeconds * 1000
  await enqueue(tx, checkWebhook.task({ webhook: row.id, app: row.app_id }, dueAt))
}

/** Removes a webhook with all that it is used for. Resolves to whether the app had it. */
export async function unregisterWebhook(
  tx: Transaction,
  { id, appId }: { id: string; appId: string },
): Promise<boolean> {
  // Locks the app, so that it does not start to use the webhook meanwhile.
  await tx.run(lockApp, { appId })
  const unlinked = await tx.run(removeLink, { webhook: id, app: appId })
  if (unlinked > 0) await emit(tx, streamLinksChanged, { app_id: appId })
  if ((await tx.run(removeWebhook, { id, appId })) === 0) return false
  await tx.run(clearWebhook, { webhook: id })
  await enqueue(tx, removeDeliveries.task({ webhook: id }))
  return true
}
