import type { Store } from '../storage/store.ts'
import { deliveryBySeq, deliveryTarget, sendAgain } from './queries.ts'
import { channelOf } from './shares.ts'

/** Why a delivery cannot be sent again. */
export type ResendProblem = 'no delivery' | 'no webhook' | 'invalid webhook' | 'suspended app'

/**
 * Sends a delivery again, with every attempt of the schedule, whether it had ended or waits. Resolves to the reason when
 * that cannot be: what cannot be sent now would end as skipped at once.
 */
export function resendDelivery(store: Store, seq: number): Promise<ResendProblem | undefined> {
  return store.write(async (tx) => {
    const row = await tx.first(deliveryBySeq, { seq })
    if (!row) return 'no delivery'
    const target = await tx.first(deliveryTarget, { webhook: row.webhook_id })
    if (!target) return 'no webhook'
    if (target.suspended === 1) return 'suspended app'
    if (target.valid === 0) return 'invalid webhook'
    await tx.run(sendAgain, { seq, now: tx.now })
    tx.notify(channelOf(row.share))
    return undefined
  })
}
