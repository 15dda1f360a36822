import { taskType } from '../../platform/queue/task.ts'

/** Removes the likes, bookmarks and reposts of a deleted post. `post` is its first version. */
export const removeReactions = taskType<{ post: string; author: string }>('remove reactions to post', {
  owner: ({ author }) => author,
  subject: ({ post }) => post,
})
