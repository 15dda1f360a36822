import type { Clock } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { Query } from '../../platform/storage/query.ts'
import type { Store } from '../../platform/storage/store.ts'
import { dayOf, MAX_DAYS } from './days.ts'
import { removeAppDays, removeCounted, removeProjectDays } from './queries.ts'

const removeUsage = taskType<Record<never, never>>('remove old usage')

const EVERY_MS = 3_600_000
const LEASE_MS = 600_000
/** Rows that are removed in one transaction. */
const AT_ONCE = 1_000
/** The clocks of nodes differ: yesterday may still be today elsewhere. */
const COUNTED_DAYS = 2

/** Deletes the posts of past days, and usage that no call shows. */
const usageRemoval = ({ store, clock }: { store: Store; clock: Clock }) =>
  schedule(
    removeUsage,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      async run(signal) {
        const today = dayOf(clock.now())
        await remove(store, removeCounted, today + 1 - COUNTED_DAYS, signal)
        await remove(store, removeAppDays, today + 1 - MAX_DAYS, signal)
        await remove(store, removeProjectDays, today + 1 - MAX_DAYS, signal)
      },
    },
    clock,
  )

async function remove(
  store: Store,
  query: Query<{ before: number; limit: number }, unknown>,
  before: number,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const removed = await store.write((tx) => tx.run(query, { before, limit: AT_ONCE }))
    if (removed < AT_ONCE || signal.aborted) return
  }
}

/** Removes old usage. */
export const usage: Module<{ store: Store; clock: Clock }> = {
  tasks: (context) => [usageRemoval(context)],
}
