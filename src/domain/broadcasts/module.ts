import type { IdSource } from '../../platform/common/ids.ts'
import type { Module } from '../../platform/module.ts'
import { exponential, type TaskKind } from '../../platform/queue/task.ts'
import { announceBroadcast, announceDue } from './broadcasts.ts'
import { proceed } from './series.ts'

const LEASE_MS = 30_000
const MAX_ATTEMPTS = 20

interface BroadcastContext {
  readonly ids: IdSource
}

/** Runs the announcements of broadcasts, and continues series. */
const broadcastAnnouncing = ({ ids }: BroadcastContext): TaskKind<{ broadcast: string; owner: string }> => ({
  type: announceBroadcast,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(1_000, 60_000),
  concurrency: 1,
  run:
    async ({ broadcast }) =>
    (tx) =>
      announceDue(tx, broadcast, (within, row) => proceed(within, row, { ids })),
})

/** Announces when broadcasts start and end. */
export const broadcasts: Module<BroadcastContext> = {
  tasks: (context) => [broadcastAnnouncing(context)],
}
