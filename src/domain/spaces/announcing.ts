import type { TaskKind } from '../../platform/queue/task.ts'
import { exponential } from '../../platform/queue/task.ts'
import { announceDue } from './spaces.ts'
import { announceSpace } from './tasks.ts'

const LEASE_MS = 30_000
const MAX_ATTEMPTS = 20

/** Runs the announcements of spaces. */
export const spaceAnnouncing = (): TaskKind<{ space: string; creator: string }> => ({
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
