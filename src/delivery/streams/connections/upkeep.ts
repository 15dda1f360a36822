import type { TimeSource } from '../../../platform/common/clock.ts'
import { schedule, taskType } from '../../../platform/queue/task.ts'
import type { StreamConnections } from './connections.ts'

const tidyConnections = taskType<Record<never, never>>('tidy stream connections')

const EVERY_MS = 60_000
const LEASE_MS = 600_000

/** Closes the records of connections whose node has died, and removes the history that is too old or too long. */
export const connectionUpkeep = ({
  connections,
  clock,
}: {
  connections: StreamConnections
  clock: TimeSource
}) =>
  schedule(
    tidyConnections,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      async run(signal) {
        await connections.records.closeOfEnded()
        await connections.records.forget(clock, signal)
      },
    },
    clock,
  )
