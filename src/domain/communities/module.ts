import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Module } from '../../platform/module.ts'
import { again, DONE, exponential, type TaskKind } from '../../platform/queue/task.ts'
import type { Store } from '../../platform/storage/store.ts'
import { removeSomeCommunityMembers } from './queries.ts'
import { removeMembers } from './tasks.ts'

/** Memberships of one transaction. */
const ROWS_AT_ONCE = 500
const TRANSACTIONS_OF_A_RUN = 100
const LEASE_MS = 600_000
const MAX_ATTEMPTS = 100
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 3_600_000

/** A community has any number of members. They are removed in small transactions. */
const memberRemoval = ({ store }: { store: Store }): TaskKind<{ community: string }> => ({
  type: removeMembers,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  async run({ community }, { signal }) {
    for (let count = 0; count < TRANSACTIONS_OF_A_RUN; count++) {
      signal.throwIfAborted()
      const removed = await store.write((tx) =>
        tx.run(removeSomeCommunityMembers, { community, limit: ROWS_AT_ONCE }),
      )
      if (removed < ROWS_AT_ONCE) return DONE
      await nextTurn()
    }
    return async (tx) => again(tx.now)
  },
})

/** Removes the members of deleted communities. */
export const communities: Module<{ store: Store }> = {
  tasks: (context) => [memberRemoval(context)],
}
