import { apps } from '../../identity/apps/tables.ts'
import { users } from '../../identity/users/tables.ts'
import { bigint, bytewise, id64, type RowOf, table, text } from '../../platform/storage/table.ts'
import { webhooks } from '../webhooks/tables.ts'

/** What an app wants to receive. */
export const activitySubscriptions = table(
  'activity_subscriptions',
  {
    id: id64(),
    app_id: text({ belongsTo: apps }),
    /** The first name of the kind of activity. */
    kind: text(),
    /** The name that the app uses for the kind. */
    event_type: text(),
    /**
     * The key for looking up activities: `user:ID`, `word:WORD` (the first of the keyword),
     * `app:ID`.
     */
    subject: bytewise(),
    user_id: text({ null: true }),
    keyword: text({ null: true }),
    /** As the app sent it: `sent`, `received`, `outbound` or `inbound`. Null for both. */
    direction: text({ null: true }),
    /** The kind and the filter, in the form in which subscriptions are compared. */
    filter_key: bytewise(),
    tag: text({ null: true }),
    /** Cleared when the webhook is deleted. */
    webhook_id: text({ null: true }),
    created_at: bigint(),
    updated_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      activity_subscriptions_by_app: ['app_id', 'id'],
      activity_subscriptions_by_user: ['app_id', 'user_id', 'id'],
      activity_subscriptions_of_user: {
        on: ['user_id', 'id'],
        where: 'user_id is not null',
      },
      activity_subscriptions_by_subject: ['kind', 'subject', 'id'],
      activity_subscriptions_by_webhook: ['webhook_id', 'filter_key'],
    },
  },
)

/** Activities that subscriptions matched, as streams send them. Trimmed by age. */
export const activityEvents = table(
  'activity_events',
  {
    app_id: text({ belongsTo: apps }),
    /** The position of the domain event in the event log. */
    position: bigint(),
    /** Numbers the activities of one domain event for one app. */
    number: bigint(),
    /** JSON text under the vocabulary of the node that wrote it. */
    body: text(),
    at: bigint(),
    /** The post that it is about. Null if there is none, or for its deletion. */
    post_id: id64({ null: true }),
    /**
     * The user whose activity it is. It is not sent if the user is suspended. Null if it is about
     * no user.
     */
    user_id: text({ null: true }),
    /** The scope that this user must grant the app. Null if it is public. */
    scope: text({ null: true }),
  },
  {
    key: ['app_id', 'position', 'number'],
    indexes: {
      activity_events_by_age: ['at'],
      /** Finds the apps that have new activities. */
      activity_events_by_position: ['position', 'app_id'],
    },
  },
)

/**
 * Users whose account activity a webhook receives, in the format that is older than activity
 * subscriptions.
 */
export const accountSubscriptions = table(
  'account_subscriptions',
  {
    webhook_id: text({ belongsTo: webhooks }),
    user_id: text({ belongsTo: users }),
    app_id: text({ belongsTo: apps }),
    created_at: bigint(),
  },
  {
    key: ['webhook_id', 'user_id'],
    indexes: {
      account_subscriptions_by_user: ['user_id', 'webhook_id'],
      account_subscriptions_by_app: ['app_id', 'user_id'],
    },
  },
)

export type ActivityEventRow = RowOf<typeof activityEvents>

export type AccountSubscriptionRow = RowOf<typeof accountSubscriptions>

export type ActivitySubscriptionRow = RowOf<typeof activitySubscriptions>
