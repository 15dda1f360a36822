import { pendingWebhooks } from '../../delivery/webhooks/queries.ts'
import { everyShare } from '../../delivery/webhooks/shares.ts'
import type { Consumer } from '../../platform/events/follower.ts'
import { consumerLags } from '../../platform/events/lag.ts'
import { earliestDueAfter, hasDue } from '../../platform/queue/queries.ts'
import type { TaskKind } from '../../platform/queue/task.ts'
import type { Store } from '../../platform/storage/store.ts'

/** Work that the time makes due. */
export interface TimedWork {
  /** Whether something is due at a time, or in progress. */
  isDue(now: number): Promise<boolean>
  /** When the next work after a time becomes due; undefined if none is known. */
  nextDue(after: number): Promise<number | undefined>
}

const earliest = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/**
 * Background tasks. Those that run at an interval are done when they are due, but the time does not
 * stop for them.
 */
export function taskWork(store: Store, kinds: readonly TaskKind<never>[]): TimedWork {
  const run = kinds.filter(({ concurrency }) => concurrency > 0)
  const names = run.map(({ type }) => type.name)
  const planned = run.filter(({ everyMs }) => everyMs === undefined).map(({ type }) => type.name)
  return {
    async isDue(now) {
      for (const kind of names) if ((await store.first(hasDue, { kind, now })) !== undefined) return true
      return false
    },
    async nextDue(after) {
      const rows = await Promise.all(planned.map((kind) => store.first(earliestDueAfter, { kind, after })))
      return earliest(rows.map((row) => row?.due_at))
    },
  }
}

/** Deliveries to webhooks: attempts and retries. */
export const deliveryWork = (store: Store): TimedWork => {
  const shares = JSON.stringify(everyShare)
  const firstOfWebhooks = async () =>
    (await store.all(pendingWebhooks, { shares })).map(({ due_at }) => due_at)
  return {
    isDue: async (now) => (await firstOfWebhooks()).some((dueAt) => dueAt <= now),
    nextDue: async (after) => earliest((await firstOfWebhooks()).filter((dueAt) => dueAt > after)),
  }
}

/** Consumers of the event log. */
export function consumerWork(store: Store, consumers: readonly Consumer[]): TimedWork {
  const names = new Set(consumers.map(({ name }) => name))
  return {
    async isDue(now) {
      const lags = await consumerLags(store, { now: () => now })
      return lags.some(({ consumer, events }) => names.has(consumer) && events > 0)
    },
    nextDue: async () => undefined,
  }
}
