import type { Module } from '../../platform/module.ts'
import { exponential, type TaskKind } from '../../platform/queue/task.ts'
import { announceDue, announceSpace } from './spaces.ts'

const LEASE_MS = 30_000
const MAX_ATTEMPTS = 20

/** Runs the announcements of spaces. */
const spaceAnnouncing = (): TaskKind<{ space: string; creator: string }> => ({
  type: announceSpace,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(1_000, 60_000),
  concurrency: 1,
  run:
    async ({ space }) =>
    (tx) =>
      announceDue(tx, space),
})

/** Announces when spaces start and end. */
export const spaces: Module<object> = {
  tasks: () => [spaceAnnouncing()],
}
