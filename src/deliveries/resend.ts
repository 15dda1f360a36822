import type { Store } from '../storage/store.ts'
import { deliveryBySeq, deliveryTarget, sendAgain } from './queries.ts'
import { channelOf } from './shares.ts'

/** Why a delivery cannot be sent again, in words for people. */
export const RESEND_PROBLEMS = {
  'no delivery': 'the delivery does not exist',
  'no webhook': 'its webhook was deleted',
  'suspended app': 'the app of its webhook is suspended',
  oversized: 'its event is too large for a delivery',
  'invalid webhook': 'its webhook is not valid: PUT /2/webhooks/{webhook_id} checks it again',
} as const
type ResendProblem = keyof typeof RESEND_PROBLEMS

/**
 * Sends a delivery again, with every attempt of the schedule, whether it had ended or waits. Resolves to the reason when
 * that cannot be: what cannot be sent now would end as skipped at once. With `webhook`: only a delivery to that one.
 */
export function resendDelivery(
  store: Store,
  { seq, webhook }: { seq: number; webhook?: string },
): Promise<ResendProblem | undefined> {
  return store.write(async (tx) => {
    const row = await tx.first(deliveryBySeq, { seq })
    if (!row || (webhook !== undefined && row.webhook_id !== webhook)) return 'no delivery'
    if (row.state === 'oversized') return 'oversized'
    const target = await tx.first(deliveryTarget, { webhook: row.webhook_id })
    if (!target) return 'no webhook'
    if (target.suspended === 1) return 'suspended app'
    if (target.valid === 0) return 'invalid webhook'
    await tx.run(sendAgain, { seq, now: tx.now })
    tx.notify(channelOf(row.share))
    return undefined
  })
}
