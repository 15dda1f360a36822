import type { Clock } from '../common/clock.ts'
import { schedule, taskType } from '../queue/task.ts'
import type { Store } from '../storage/store.ts'
import { trimEvents } from './log.ts'

const trimLog = taskType<Record<never, never>>('trim event log')

const EVERY_MS = 300_000
const LEASE_MS = 600_000

/** Removes events from the log that are older than `retentionMs`. */
export const eventTrimming = ({ store, clock }: { store: Store; clock: Clock }, retentionMs: number) =>
  schedule(
    trimLog,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      run: (signal) => trimEvents(store, clock.now() - retentionMs, signal),
    },
    clock,
  )
