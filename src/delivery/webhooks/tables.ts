import { apps } from '../../identity/apps/tables.ts'
import {
  bigint,
  bytewise,
  flag,
  id64,
  integer,
  type RowOf,
  serial,
  table,
  text,
} from '../../platform/storage/table.ts'

export const webhooks = table(
  'webhooks',
  {
    id: text(),
    app_id: text({ belongsTo: apps }),
    url: text(),
    valid: flag(),
    created_at: bigint(),
    last_success_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      webhooks_url: { on: ['app_id', 'url'], unique: true },
      webhooks_list: ['app_id', 'id'],
    },
  },
)

/**
 * Events for webhooks: pending ones, and the outcomes of the others. Rows outlive their webhook
 * until a task removes them, because there may be too many for one transaction.
 */
export const deliveries = table(
  'deliveries',
  {
    /** In the order in which deliveries were enqueued. Never reused. */
    seq: serial(),
    webhook_id: bytewise(),
    /** The share of all webhooks that it belongs to. Nodes lease shares. */
    share: integer(),
    /** Lets consumers recognize duplicates. */
    event_id: text(),
    /** Deliveries of one subject to one webhook arrive in order. Null for any order. */
    subject: bytewise({ null: true }),
    /** Exactly as it is signed and sent. Empty if it was too large to be stored. */
    body: text(),
    /**
     * `pending`, `delivered`, `failed`, `skipped` (the webhook was not valid), `dropped` (too many
     * were pending), `oversized`, `withdrawn` (the app may no longer see it) or `capped` (the app
     * has reached its usage cap).
     */
    state: text(),
    /** 1 if it reports a replay rather than an event; such a delivery is not replayed. */
    notice: flag({ default: 0 }),
    /** The attempts since it was enqueued or resent by an operator. */
    attempts: integer({ default: 0 }),
    due_at: bigint(),
    created_at: bigint(),
    /** When an operator resent it; null if never. */
    resent_at: bigint({ null: true }),
    /** Null while it is pending. */
    ended_at: bigint({ null: true }),
    /** All attempts, as a JSON list. */
    log: text({ default: '[]' }),
    /** The post that it is about. It is not sent if the post is no longer public. */
    post_id: id64({ null: true }),
    /**
     * The user whose activity it is. It is not sent if the user is suspended. Null if it is about
     * no user.
     */
    user_id: text({ null: true }),
    /** The scope that this user must grant the app. Null if it is public. */
    scope: text({ null: true }),
    /**
     * What caused it: `account`, `stream`, or the id of an activity subscription. Null if nothing
     * of that kind did.
     */
    subscription: text({ null: true }),
    /**
     * The `filter_key` of this activity subscription: one that is created after it was deleted may
     * replace it.
     */
    filter_key: bytewise({ null: true }),
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

/** A replay: what was delivered or attempted in a window is sent again. */
export const webhookReplays = table(
  'webhook_replays',
  {
    id: bytewise(),
    webhook_id: text({ belongsTo: webhooks }),
    /** The window in epoch milliseconds; its end is exclusive. */
    from_at: bigint(),
    to_at: bigint(),
    /** The last delivery that was sent. */
    at_created: bigint(),
    at_seq: bigint(),
    failed: integer({ default: 0 }),
    /** Up to the last delivery that was sent. */
    failures_in_a_row: integer({ default: 0 }),
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

/** The node that sends the deliveries of a share of all webhooks. */
export const deliveryShares = table(
  'delivery_shares',
  {
    share: integer(),
    holder: text(),
    lease_until: bigint(),
  },
  { key: ['share'] },
)

export type DeliveryRow = RowOf<typeof deliveries>

export type WebhookReplayRow = RowOf<typeof webhookReplays>

export type WebhookRow = RowOf<typeof webhooks>
