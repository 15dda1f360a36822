import type { TokenScope } from '../identity/scopes.ts'
import type { Transaction } from '../storage/store.ts'
import type { LoggedAttempt } from './attempt.ts'
import type { AddedDelivery, UnsentDelivery } from './queries.ts'
import { addDeliveries, addUnsent } from './queries.ts'
import { channelOf, shareOf } from './shares.ts'

/** What one body may take. */
const MAX_DELIVERY_BYTES = 262_144

/** An event for a webhook. */
export interface NewDelivery {
  readonly webhookId: string
  /** By which the consumer recognizes a duplicate; it is in the body too. */
  readonly eventId: string
  /** JSON text, as it is signed and sent. */
  readonly body: string
  /** Deliveries of one subject to one webhook arrive one after the other. Without it: in any order. */
  readonly subject?: string
  /** About a replay rather than about an event: not replayed. */
  readonly notice?: boolean
  /** The post that it is about: once not everyone sees that any more, it is not sent. */
  readonly postId?: string
  /** Whose activity it is: once the user is suspended, it is not sent. */
  readonly userId?: string
  /** What that user must let the app see when it is sent. */
  readonly scope?: TokenScope
  /** What asked for it, and must still be there when it is sent. */
  readonly subscription?: { readonly kind: 'account' | 'stream' } | { readonly kind: 'activity'; id: string }
}

/**
 * Enqueues deliveries in the transaction of their cause: they are sent if it is committed, at least once each. Whether
 * the webhook is there and valid matters only when they are sent. An event that is too large for a delivery must not
 * hold up the rest: the log of deliveries says that it was not sent.
 */
export async function enqueueDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.filter(isSendable).map((one) => rowOf(one, tx.now))
  for (const { share } of rows) tx.notify(channelOf(share))
  await addDeliveries(tx, rows)
  await recordOversized(tx, deliveries)
}

/** Records those of some deliveries that are too large. */
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

/** Records deliveries that are never sent because the app has no posts left, so that their log says what is missing. */
export const recordCapped = (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  cap: string,
): Promise<void> =>
  addUnsent(
    tx,
    deliveries.map((one) => unsent(one, { state: 'capped', error: `not sent: ${cap}`, now: tx.now })),
  )

/** Records deliveries to webhooks that may receive nothing. A replay sends them once they may. */
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

/** Without its body, which would be kept for as long as other deliveries. */
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
    state: 'pending',
    due_at: now,
    created_at: now,
  }
}
