import type { Module } from '../../platform/module.ts'
import type { MediaTaskDependencies } from './dependencies.ts'
import { accountRelease, fileDeletion, mediaCollection, mediaProcessing } from './work.ts'

/** Makes posters, and deletes unused files. */
export const media: Module<MediaTaskDependencies> = {
  tasks: (context) => [
    mediaProcessing(context),
    mediaCollection(context),
    accountRelease(),
    fileDeletion(context),
  ],
}
