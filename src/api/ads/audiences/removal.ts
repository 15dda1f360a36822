import { enqueue } from '../../../platform/queue/enqueue.ts'
import { DONE, exponential, type TaskKind } from '../../../platform/queue/task.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { recountUses, removeCombination } from './flexible.ts'
import { audiencesOfAccount } from './queries.ts'
import { forgetMembers } from './tasks.ts'

/**
 * How long members of a deleted audience are kept. By then, every upload that had begun before has
 * ended.
 */
export const REMOVAL_DELAY_MS = 60_000

const LEASE_MS = 60_000
const MAX_ATTEMPTS = 50
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 600_000

interface AudienceKey {
  audience: string
  account: string
}

/** Enqueues the removal of the members of a deleted audience or do not reach list. */
export const enqueueRemoval = (tx: Transaction, audience: AudienceKey) =>
  enqueue(tx, forgetMembers.task(audience, tx.now + REMOVAL_DELAY_MS))

/** The same for all audiences and lists of an account. */
export async function enqueueRemovalsOfAccount(tx: Transaction, account: string): Promise<void> {
  const audiences = await tx.all(audiencesOfAccount, { account })
  await enqueue(
    tx,
    ...audiences.map(({ id }) => forgetMembers.task({ audience: id, account }, tx.now + REMOVAL_DELAY_MS)),
  )
}

/** Removes the members, or the combination. Idempotent, because it may run again after a crash. */
export const memberRemoval = ({
  membership,
}: Pick<AdsDependencies, 'membership'>): TaskKind<AudienceKey> => ({
  type: forgetMembers,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 2,
  async run({ audience }) {
    await membership.forget(audience)
    return async (tx) => {
      await removeCombination(audience, tx)
      await recountUses(audience, tx)
      return DONE
    }
  },
})
