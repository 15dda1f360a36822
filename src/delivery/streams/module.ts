import type { Logger } from 'pino'
import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { StreamConnections } from './connections/connections.ts'
import { connectionUpkeep } from './connections/upkeep.ts'
import type { LinkParts } from './links/deliveries.ts'
import { StreamLinkDelivery } from './links/deliveries.ts'
import { rulesOf } from './open.ts'

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
