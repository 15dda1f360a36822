import type { Clock } from '../common/clock.ts'
import type { Config } from '../config/config.ts'
import type { Module } from '../module.ts'
import type { Store } from '../storage/store.ts'
import { eventTrimming } from './trim.ts'

const HOUR_MS = 3_600_000

interface EventLogOptions {
  store: Store
  clock: Clock
  config: Config
}

/** Removes old events. */
export const eventLog: Module<EventLogOptions> = {
  tasks: ({ config, ...parts }) => [eventTrimming(parts, config.eventRetentionHours * HOUR_MS)],
}
