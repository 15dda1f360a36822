import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Module } from '../../platform/module.ts'
import { again, DONE, exponential, type TaskKind } from '../../platform/queue/task.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { lockUsers, requestsTo } from './queries.ts'
import { acceptPending, lockPair } from './relations.ts'
import { acceptRequests } from './tasks.ts'

/** Requests of one transaction. It locks their users. */
const REQUESTS_AT_ONCE = 25
const TRANSACTIONS_OF_A_RUN = 100
const LEASE_MS = 600_000
const MAX_ATTEMPTS = 100
const FIRST_RETRY_MS = 60_000
const MAX_RETRY_MS = 3_600_000

/**
 * A user who is not protected is followed at once, so the requests of the time before become
 * follows. If the user is protected again, the remaining ones stay.
 */
const requestAcceptance = ({ store }: { store: Store }): TaskKind<{ user: string }> => ({
  type: acceptRequests,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  async run({ user }, { signal }) {
    for (let count = 0; count < TRANSACTIONS_OF_A_RUN; count++) {
      signal.throwIfAborted()
      if (!(await store.write((tx) => acceptSome(tx, user)))) return DONE
      await nextTurn()
    }
    return async (tx) => again(tx.now)
  },
})

/** Resolves to whether there may be more. */
async function acceptSome(tx: Transaction, target: string): Promise<boolean> {
  const sources = (await tx.all(requestsTo, { target, limit: REQUESTS_AT_ONCE })).map((row) => row.source_id)
  if (sources.length === 0) return false
  // All of them at once, so that two transactions lock them in the same order.
  const users = await tx.all(lockUsers, { ids: JSON.stringify([target, ...sources]) })
  const of = users.find(({ id }) => id === target)
  // The requests to a deleted user end otherwise.
  if (of?.protected !== 0 || of.deleted_at !== null) return false
  for (const source of sources) {
    const pair = await lockPair(tx, { source, target })
    if (pair) await acceptPending(pair)
  }
  return sources.length === REQUESTS_AT_ONCE
}

/** Accepts the follow requests of a user who is no longer protected. */
export const relations: Module<{ store: Store }> = {
  tasks: (context) => [requestAcceptance(context)],
}
