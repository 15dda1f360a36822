import { enqueue } from '../../queue/enqueue.ts'
import { taskType } from '../../queue/task.ts'
import type { Transaction } from '../../storage/store.ts'
import type { ScheduledPostRow } from '../../storage/tables.ts'

/** Publishes a scheduled post when its time has come. */
export const publishScheduledPost = taskType<{ account: string; id: string }>('publish scheduled post', {
  subject: ({ account, id }) => `${account} ${id}`,
})

/** Has a scheduled post that is new or changed published. Of one whose time was moved back, the task looks again then. */
export const enqueuePublication = (tx: Transaction, { account_id, id, scheduled_at }: ScheduledPostRow) =>
  enqueue(tx, publishScheduledPost.task({ account: account_id, id }, scheduled_at))
