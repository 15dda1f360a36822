import { taskType } from '../../platform/queue/task.ts'

/** Creates what a GIF or video needs before it can be shown. */
export const processMedium = taskType<{ medium: string; user: string }>('process medium', {
  owner: ({ user }) => user,
  subject: ({ medium }) => medium,
})

/** Releases the media that a deleted account used. */
export const releaseAccountMedia = taskType<{ account: string }>('release media of account', {
  owner: ({ account }) => account,
  subject: ({ account }) => account,
})

/** Releases the media of a card that was deleted before the last post that showed it. */
export const releaseCardMedia = taskType<{ uri: string; author: string }>('release media of card', {
  owner: ({ author }) => author,
  subject: ({ uri }) => uri,
})

/** Deletes unused media that have expired, and marks unused files. */
export const collectMedia = taskType<Record<never, never>>('collect unused media')

/** Deletes a file that was marked. Several users may have uploaded it. */
export const deleteFile = taskType<{ hash: string }>('delete file', {
  owner: null,
  subject: ({ hash }) => hash,
})
