import type { Logger } from 'pino'
import type { Clock } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import { NOTE_CANDIDATES, noteCandidateFollowing, noteCandidateRemoval } from './candidates.ts'

interface NotesModuleOptions {
  store: Store
  clock: Clock
  log: Logger
}

/** Maintains the posts that notes can be written on. */
export const notes: Module<NotesModuleOptions> = {
  tasks: (context) => [noteCandidateRemoval(context)],
  consumers: ({ log, ...parts }) => [
    noteCandidateFollowing({
      ...parts,
      skipped: (error) => log.error({ err: error, consumer: NOTE_CANDIDATES }, 'an item was left out'),
    }),
  ],
}
