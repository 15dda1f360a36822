import type { Clock } from '../common/clock.ts'
import type { Config } from '../config/config.ts'
import type { Module } from '../module.ts'
import { schedule, taskType } from '../queue/task.ts'
import type { Store } from '../storage/store.ts'
import { trimEvents } from './log.ts'

const HOUR_MS = 3_600_000
const EVERY_MS = 300_000
const LEASE_MS = 600_000

interface EventLogOptions {
  store: Store
  clock: Clock
  config: Config
}

const trimLog = taskType<Record<never, never>>('trim event log')

/** Removes old events. */
export const eventLog: Module<EventLogOptions> = {
  tasks: ({ store, clock, config }) => [
    schedule(
      trimLog,
      {
        everyMs: EVERY_MS,
        leaseMs: LEASE_MS,
        run: (signal) => trimEvents(store, clock.now() - config.eventRetentionHours * HOUR_MS, signal),
      },
      clock,
    ),
  ],
}
