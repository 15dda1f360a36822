import { bigint, bytewise, flag, integer, serial, table, text } from '../table.ts'
import { webhooks } from './webhooks.ts'

/**
 * Events for webhooks: what is still to be sent, and what became of the rest. Rows outlive their webhook until a task
 * removes them: there may be too many for one transaction.
 */
export const deliveries = table(
  'deliveries',
  {
    /** In the order in which deliveries were enqueued. Never reused. */
    seq: serial(),
    webhook_id: bytewise(),
    /** Which share of all webhooks it belongs to: nodes lease shares. */
    share: integer(),
    /** By which consumers recognize a duplicate. */
    event_id: text(),
    /** Deliveries of one subject to one webhook arrive one after the other. Null: in any order. */
    subject: bytewise({ null: true }),
    /** As it is signed and sent. Empty when it was too large to be stored. */
    body: text(),
    /**
     * `pending`, `delivered`, `failed`, `skipped` (the webhook was not valid), `dropped` (too many were pending),
     * `oversized`, `withdrawn` (the app may not see it any more) or `capped` (the app has no posts left).
     */
    state: text(),
    /** About a replay rather than about an event: not replayed. */
    notice: flag({ default: 0 }),
    /** Those since it was enqueued or sent again by hand. */
    attempts: integer({ default: 0 }),
    due_at: bigint(),
    created_at: bigint(),
    /** When it was sent again by hand; null when it never was. */
    resent_at: bigint({ null: true }),
    /** Null while it is pending. */
    ended_at: bigint({ null: true }),
    /** Each attempt, as a JSON list. */
    log: text({ default: '[]' }),
    /** The post that it is about: it is not sent any more once the post is deleted or protected. */
    post_id: bytewise({ null: true }),
    /** Whose activity it is: not sent any more once the user is suspended. Null: it is about no user. */
    user_id: text({ null: true }),
    /** What that user must let the app see. Null: it is public. */
    scope: text({ null: true }),
    /** What asked for it: `account`, `stream`, or the id of an activity subscription. Null: nothing that can end. */
    subscription: text({ null: true }),
  },
  {
    key: ['seq'],
    indexes: {
      deliveries_due: { on: ['share', 'webhook_id', 'due_at', 'seq'], where: 'ended_at is null' },
      deliveries_by_subject: {
        on: ['webhook_id', 'subject', 'seq'],
        where: 'ended_at is null and subject is not null',
      },
      deliveries_of_webhook: ['webhook_id', 'created_at', 'seq'],
      deliveries_ended: { on: ['ended_at'], where: 'ended_at is not null' },
    },
  },
)

/** A replay: what was delivered or attempted in a window is sent once more. */
export const webhookReplays = table(
  'webhook_replays',
  {
    id: bytewise(),
    webhook_id: text({ belongsTo: webhooks }),
    /** The window, in epoch milliseconds, without its end. */
    from_at: bigint(),
    to_at: bigint(),
    /** Of the last delivery that was sent. */
    at_created: bigint(),
    at_seq: bigint(),
    failed: integer({ default: 0 }),
    created_at: bigint(),
    /** Null while it runs. */
    ended_at: bigint({ null: true }),
  },
  {
    key: ['id'],
    indexes: {
      webhook_replays_running: { on: ['webhook_id'], unique: true, where: 'ended_at is null' },
      webhook_replays_of_webhook: ['webhook_id'],
      webhook_replays_ended: { on: ['ended_at'], where: 'ended_at is not null' },
    },
  },
)

/** Which node sends the deliveries of a share of all webhooks. */
export const deliveryShares = table(
  'delivery_shares',
  {
    share: integer(),
    holder: text(),
    lease_until: bigint(),
  },
  { key: ['share'] },
)
