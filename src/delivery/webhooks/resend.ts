import type { Store } from '../../platform/storage/store.ts'
import { deliveryBySeq, deliveryTarget, sendAgain } from './queries.ts'
import { channelOf } from './shares.ts'
import { WITHDRAWALS } from './states.ts'
import { withdrawnAmong } from './withdrawal.ts'

/** Why a delivery cannot be sent again, as text. */
export const RESEND_PROBLEMS = {
  'no delivery': 'the delivery does not exist',
  'no webhook': 'its webhook was deleted',
  'suspended app': 'the app of its webhook is suspended',
  'unenrolled app': 'the app of its webhook is not enrolled',
  oversized: 'its event is too large for a delivery',
  capped: 'its app had no posts left when it matched, and it was not kept',
  'invalid webhook': 'its webhook is not valid: PUT /2/webhooks/{webhook_id} checks it again',
  ...WITHDRAWALS,
} as const
type ResendProblem = keyof typeof RESEND_PROBLEMS

/**
 * Sends a delivery again with all attempts of the schedule, whether it has ended or is pending.
 * Resolves to the reason if that is impossible, because the delivery would immediately end as
 * skipped or withdrawn. With `webhook`, only a delivery to that webhook.
 */
export function resendDelivery(
  store: Store,
  { seq, webhook }: { seq: number; webhook?: string },
): Promise<ResendProblem | undefined> {
  return store.write(async (tx) => {
    const row = await tx.first(deliveryBySeq, { seq })
    if (!row || (webhook !== undefined && row.webhook_id !== webhook)) return 'no delivery'
    if (row.state === 'oversized' || row.state === 'capped') return row.state
    const target = await tx.first(deliveryTarget, { webhook: row.webhook_id })
    if (!target) return 'no webhook'
    if (target.suspended === 1) return 'suspended app'
    if (target.enrolled === 0) return 'unenrolled app'
    if (target.valid === 0) return 'invalid webhook'
    const withdrawal = (await withdrawnAmong(tx, [seq], tx.now)).get(seq)
    if (withdrawal !== undefined) return withdrawal
    await tx.run(sendAgain, { seq, now: tx.now })
    tx.notify(channelOf(row.share))
    return undefined
  })
}
