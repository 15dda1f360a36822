import { taskType } from '../../platform/queue/task.ts'

/** Announces that a space starts or ends, when its time has come. */
export const announceSpace = taskType<{ space: string; creator: string }>('announce space', {
  owner: ({ creator }) => creator,
  subject: ({ space }) => space,
})
