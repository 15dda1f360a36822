import { taskType } from '../../../platform/queue/task.ts'

/** A job of analytics: its result is made, and removed when it expires. */
export const runJob = taskType<{ job: string; account: string }>('run analytics job', {
  owner: ({ account }) => account,
  subject: ({ job }) => job,
})
