import { type Clock, systemClock } from '../../platform/common/clock.ts'
import { Loop, POLL_MS } from '../../platform/common/loop.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Store } from '../../platform/storage/store.ts'
import { dropDeliveries, pendingWebhooks, surplusDelivery } from './queries.ts'
import type { Sender } from './sender.ts'
import { everyShare } from './shares.ts'

interface HeldParts {
  readonly store: Store
  readonly clock: Clock
  readonly config: Pick<Config, 'deliveryQueue'>
  onError(error: unknown): void
}

/** Deliveries that one transaction drops. */
const DROP_AT_ONCE = 500

/**
 * Sends nothing, and drops the pending deliveries of each webhook beyond the limit. Several nodes
 * may do so at the same time: all keep the same deliveries.
 */
export function holdDeliveries(parts: HeldParts): Sender {
  const loop: Loop = new Loop({
    async round() {
      await dropSurplus(parts, loop.stopping)
      return systemClock.now() + POLL_MS.housekeeping
    },
    onError: parts.onError,
  })
  loop.start()
  return { stop: () => loop.stop() }
}

async function dropSurplus({ store, clock, config }: HeldParts, stopping: AbortSignal): Promise<void> {
  const webhooks = await store.all(pendingWebhooks, { shares: JSON.stringify(everyShare) })
  for (const { share, webhook_id: webhook } of webhooks) {
    const surplus = { share, webhook, kept: config.deliveryQueue }
    while (!stopping.aborted && (await store.first(surplusDelivery, surplus)))
      await store.write((tx) => tx.run(dropDeliveries, { ...surplus, now: clock.now(), limit: DROP_AT_ONCE }))
  }
}
