import { taskType } from '../../platform/queue/task.ts'

/** Removes the memberships of a deleted community. */
export const removeMembers = taskType<{ community: string }>('remove members of community', {
  owner: ({ community }) => community,
  subject: ({ community }) => community,
})
