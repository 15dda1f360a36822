import type { Clock } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Store } from '../../platform/storage/store.ts'
import { activityProducer, type ProducerParts } from './producer.ts'
import { trimActivityEvents } from './queries.ts'

const trimActivities = taskType<Record<never, never>>('trim activities')

const EVERY_MS = 300_000
const LEASE_MS = 600_000
const TRIM_AT_ONCE = 1_000

/** Streams reach back a day. */
const RETENTION_MS = 25 * 3_600_000

/** Removes activities that no stream can request any more. */
const activityTrimming = ({ store, clock }: { store: Store; clock: Clock }) =>
  schedule(
    trimActivities,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      async run(signal) {
        const at = { before: clock.now() - RETENTION_MS, limit: TRIM_AT_ONCE }
        while ((await store.write((tx) => tx.run(trimActivityEvents, at))) === TRIM_AT_ONCE)
          if (signal.aborted) return
      },
    },
    clock,
  )

/** Produces activities from events, and removes old ones. */
export const activities: Module<ProducerParts & { store: Store }> = {
  tasks: (context) => [activityTrimming(context)],
  consumers: (context) => [activityProducer(context)],
}
