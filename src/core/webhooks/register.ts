import { enqueue } from '../../queue/enqueue.ts'
import { taskType } from '../../queue/task.ts'
import type { Transaction } from '../../storage/store.ts'
import type { WebhookRow } from '../../storage/tables.ts'
import { addWebhook } from './queries.ts'

/** The periodic check of a webhook. There is one task for each webhook, as long as it is registered. */
export const checkWebhook = taskType<{ webhook: string }>('check webhook', {
  subject: ({ webhook }) => webhook,
})

/** Registers a webhook that has just answered a check, and has it checked periodically. */
export async function registerWebhook(
  tx: Transaction,
  row: WebhookRow,
  { revalidateAfterSeconds }: { revalidateAfterSeconds: number },
): Promise<void> {
  await tx.run(addWebhook, row)
  const dueAt = row.last_success_at + revalidateAfterSeconds * 1000
  await enqueue(tx, checkWebhook.task({ webhook: row.id }, dueAt))
}
