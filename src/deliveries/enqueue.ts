import type { Transaction } from '../storage/store.ts'
import type { LoggedAttempt } from './attempt.ts'
import type { AddedDelivery } from './queries.ts'
import { addDeliveries, addOversized } from './queries.ts'
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
  /** The post that it is about: it is not replayed once the post is deleted. */
  readonly postId?: string
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
  for (const one of deliveries) if (!isSendable(one)) await tx.run(addOversized, oversized(one, tx.now))
}

const isSendable = ({ body }: NewDelivery) => Buffer.byteLength(body) <= MAX_DELIVERY_BYTES

/** Without its body, which would be kept for as long as other deliveries. */
function oversized(delivery: NewDelivery, now: number) {
  const bytes = Buffer.byteLength(delivery.body)
  const error = `not sent: the event has ${bytes} bytes, and a delivery at most ${MAX_DELIVERY_BYTES}`
  const log: readonly LoggedAttempt[] = [{ at: now, ms: 0, error }]
  return { ...rowOf({ ...delivery, body: '' }, now), log: JSON.stringify(log), now }
}

function rowOf(
  { webhookId, eventId, body, subject, notice, postId }: NewDelivery,
  now: number,
): AddedDelivery {
  return {
    webhook_id: webhookId,
    share: shareOf(webhookId),
    event_id: eventId,
    subject: subject ?? null,
    body,
    notice: notice === true ? 1 : 0,
    post_id: postId ?? null,
    state: 'pending',
    due_at: now,
    created_at: now,
  }
}
