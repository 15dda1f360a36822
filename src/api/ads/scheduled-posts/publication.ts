import { enqueue } from '../../../platform/queue/enqueue.ts'
import { taskType } from '../../../platform/queue/task.ts'
import type { Transaction } from '../../../platform/storage/store.ts'

/** Publishes a scheduled post at its time. */
export const publishScheduledPost = taskType<{ account: string; id: string }>('publish scheduled post', {
  owner: ({ account }) => account,
  subject: ({ account, id }) => `${account} ${id}`,
})

/**
 * Schedules the publication of a new or changed scheduled post. If its time was moved to later, the
 * earlier task checks again then.
 */
export const enqueuePublication = (
  tx: Transaction,
  { account_id, id, scheduled_at }: { account_id: string; id: string; scheduled_at: number },
) => enqueue(tx, publishScheduledPost.task({ account: account_id, id }, scheduled_at))
