import type { Logger } from 'pino'
import type { TimeSource } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { StreamConnections } from './connections/connections.ts'
import { type LinkParts, StreamLinkDelivery } from './links/deliveries.ts'
import { rulesOf } from './open.ts'

const tidyConnections = taskType<Record<never, never>>('tidy stream connections')

const EVERY_MS = 60_000
const LEASE_MS = 600_000

/**
 * Closes the records of connections whose node has died, and removes the history that is too old or
 * too long.
 */
const connectionUpkeep = ({ connections, clock }: { connections: StreamConnections; clock: TimeSource }) =>
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

interface StreamModuleOptions extends Omit<LinkParts, 'rules' | 'onUnreadable'> {
  store: Store
  connections: StreamConnections
  log: Logger
}

/** Closes connections of dead nodes, and delivers matching posts to linked webhooks. */
export const streams: Module<StreamModuleOptions> = {
  tasks: (context) => [connectionUpkeep(context)],
  consumers: (context) => [
    new StreamLinkDelivery({
      ...context,
      rules: rulesOf('filtered', context),
      onUnreadable: ({ webhook_id, app_id }, error) =>
        context.log.error(
          { err: error, webhook_id, app_id },
          'the link of a webhook to the filtered stream could not be read',
        ),
    }),
  ],
}
