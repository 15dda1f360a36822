import { taskType } from '../../../platform/queue/task.ts'

// `account` owns the audience.

/** Forgets the members of a deleted audience or do not reach list. */
export const forgetMembers = taskType<{ audience: string; account: string }>('forget members of audience', {
  owner: ({ account }) => account,
  subject: ({ audience }) => audience,
})

/** Counts the people of an audience that combines others. */
export const countFlexible = taskType<{ audience: string; account: string }>('count flexible audience', {
  owner: ({ account }) => account,
  subject: ({ audience }) => audience,
})
