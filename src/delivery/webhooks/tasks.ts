import type { Clock } from '../../platform/common/clock.ts'
import { again, DONE, exponential, schedule, type TaskKind, taskType } from '../../platform/queue/task.ts'
import type { Store } from '../../platform/storage/store.ts'
import { removeDeliveriesOfWebhook, removeEndedDeliveries, removeEndedReplays } from './queries.ts'

/** Deliveries that one transaction removes. */
const REMOVE_AT_ONCE = 500
const EVERY_MS = 300_000
const LEASE_MS = 60_000
const FIRST_BACKOFF_MS = 5_000
const LAST_BACKOFF_MS = 300_000

/** Removes every delivery of a deleted webhook. Its app is not always known. */
export const removeDeliveries = taskType<{ webhook: string }>('remove deliveries of webhook', {
  owner: ({ webhook }) => webhook,
  subject: ({ webhook }) => webhook,
})

export const deliveryRemoval = ({ clock }: { clock: Clock }): TaskKind<{ webhook: string }> => ({
  type: removeDeliveries,
  leaseMs: LEASE_MS,
  maxAttempts: Number.POSITIVE_INFINITY,
  backoff: exponential(FIRST_BACKOFF_MS, LAST_BACKOFF_MS),
  concurrency: 1,
  run: async ({ webhook }) => {
    return async (tx) => {
      const removed = await tx.run(removeDeliveriesOfWebhook, { webhook, limit: REMOVE_AT_ONCE })
      return removed < REMOVE_AT_ONCE ? DONE : again(clock.now())
    }
  },
})

const removeEnded = taskType<Record<never, never>>('remove old deliveries')

/** Removes deliveries that ended long ago. */
export const deliveryTrimming = ({ store, clock }: { store: Store; clock: Clock }, keptMs: number) =>
  schedule(
    removeEnded,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      async run(signal) {
        await store.write((tx) => tx.run(removeEndedReplays, { before: clock.now() - keptMs }))
        const at = { before: clock.now() - keptMs, limit: REMOVE_AT_ONCE }
        while (!signal.aborted) {
          const removed = await store.write((tx) => tx.run(removeEndedDeliveries, at))
          if (removed < REMOVE_AT_ONCE) return
        }
      },
    },
    clock,
  )
