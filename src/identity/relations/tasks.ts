import { taskType } from '../../platform/queue/task.ts'

/** Makes the pending follow requests to a user who is no longer protected follows. */
export const acceptRequests = taskType<{ user: string }>('accept follow requests', {
  owner: ({ user }) => user,
  subject: ({ user }) => user,
})
