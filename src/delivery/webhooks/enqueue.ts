import type { TokenScope } from '../../identity/tokens/scopes.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import type { LoggedAttempt } from './attempt.ts'
import { type AddedDelivery, addDeliveries, addUnsent, type UnsentDelivery } from './queries.ts'
import { channelOf, shareOf } from './shares.ts'

/** Maximum size of one body. */
const MAX_DELIVERY_BYTES = 262_144

/** An event for a webhook. */
export interface NewDelivery {
  readonly webhookId: string
  /** Lets the consumer recognize duplicates. The body contains it too. */
  readonly eventId: string
  /** JSON text, exactly as it is signed and sent. */
  readonly body: string
  /**
   * Deliveries of one subject to one webhook arrive in order. Deliveries without a subject arrive
   * in any order.
   */
  readonly subject?: string
  /** True if it reports a replay rather than an event; such a delivery is not replayed. */
  readonly notice?: boolean
  /** The post that it is about. It is not sent if the post is no longer public. */
  readonly postId?: string
  /** The user whose activity it is. It is not sent if the user is suspended. */
  readonly userId?: string
  /** The scope that this user must grant the app at the time it is sent. */
  readonly scope?: TokenScope
  /**
   * The subscription that caused it. It is not sent if the subscription no longer exists, and the
   * webhook has no other with the same filter.
   */
  readonly subscription?:
    | { readonly kind: 'account' | 'stream' }
    | { readonly kind: 'activity'; readonly id: string; readonly filterKey: string }
}

/**
 * Enqueues deliveries in the transaction that causes them. If it commits, each is sent at least
 * once. Whether the webhook exists and is valid is only checked when they are sent. An event that
 * is too large must not block the others: it is recorded in the delivery log as not sent.
 */
export async function enqueueDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.filter(isSendable).map((one) => rowOf(one, tx.now))
  for (const { share } of rows) tx.notify(channelOf(share))
  await addDeliveries(tx, rows)
  await recordOversized(tx, deliveries)
}

/** Records the deliveries that are too large. */
const recordOversized = (tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> =>
  addUnsent(
    tx,
    deliveries
      .filter((one) => !isSendable(one))
      .map((one) => {
        const error = `not sent: the event has ${bytesOf(one)} bytes, and a delivery at most ${MAX_DELIVERY_BYTES}`
        return unsent(one, { state: 'oversized', error, now: tx.now })
      }),
  )

/**
 * Records deliveries that are never sent because the app has reached its usage cap, so that the log
 * shows what is missing.
 */
export const recordCapped = (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  cap: string,
): Promise<void> =>
  addUnsent(
    tx,
    deliveries.map((one) => unsent(one, { state: 'capped', error: `not sent: ${cap}`, now: tx.now })),
  )

/**
 * Records deliveries to webhooks that may not receive anything. A replay sends them once they may.
 */
export async function recordSkipped(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.filter(isSendable).map((one) => rowOf(one, tx.now))
  await addUnsent(
    tx,
    rows.map((row) => ({ ...row, state: 'skipped', ended_at: tx.now, log: '[]' })),
  )
  await recordOversized(tx, deliveries)
}

const bytesOf = ({ body }: NewDelivery) => Buffer.byteLength(body)
const isSendable = (delivery: NewDelivery) => bytesOf(delivery) <= MAX_DELIVERY_BYTES

/**
 * Recorded without its body, which would otherwise be stored as long as those of other deliveries.
 */
function unsent(
  delivery: NewDelivery,
  { state, error, now }: { state: 'oversized' | 'capped'; error: string; now: number },
): UnsentDelivery {
  const log: readonly LoggedAttempt[] = [{ at: now, ms: 0, error }]
  return { ...rowOf({ ...delivery, body: '' }, now), state, ended_at: now, log: JSON.stringify(log) }
}

function rowOf(delivery: NewDelivery, now: number): AddedDelivery {
  const { webhookId, eventId, body, subject, notice, postId, userId, scope, subscription } = delivery
  return {
    webhook_id: webhookId,
    share: shareOf(webhookId),
    event_id: eventId,
    subject: subject ?? null,
    body,
    notice: notice === true ? 1 : 0,
    post_id: postId ?? null,
    user_id: userId ?? null,
    scope: scope ?? null,
    subscription: subscription?.kind === 'activity' ? subscription.id : (subscription?.kind ?? null),
    filter_key: subscription?.kind === 'activity' ? subscription.filterKey : null,
    state: 'pending',
    due_at: now,
    created_at: now,
  }
}
