import { bigint, bytewise, table, text } from '../table.ts'
import { apps, users } from './identity.ts'
import { webhooks } from './webhooks.ts'

/** What an app wants to receive of what happens. */
export const activitySubscriptions = table(
  'activity_subscriptions',
  {
    id: bytewise(),
    app_id: text({ belongsTo: apps }),
    /** The kind of activity under its first name. */
    kind: text(),
    /** The name that the app uses for the kind. */
    event_type: text(),
    /** What activities are looked up by: `user:ID`, `word:WORD` (the first of the keyword), `app:ID`. */
    subject: bytewise(),
    user_id: text({ null: true }),
    keyword: text({ null: true }),
    /** As the app wrote it: `sent`, `received`, `outbound` or `inbound`. Null: both. */
    direction: text({ null: true }),
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
      activity_subscriptions_by_subject: ['kind', 'subject', 'id'],
      activity_subscriptions_by_webhook: ['webhook_id'],
    },
  },
)

/** What subscriptions matched, as streams send it. Trimmed by age. */
export const activityEvents = table(
  'activity_events',
  {
    app_id: text({ belongsTo: apps }),
    /** Of the domain event in the event log. */
    position: bigint(),
    /** Numbers the activities of one domain event for one app. */
    number: bigint(),
    /** JSON text under the vocabulary of the node that wrote it. */
    body: text(),
    at: bigint(),
    /** The post that it is about. Null: none, or its deletion. */
    post_id: text({ null: true }),
    /** Whose activity it is: not sent any more once the user is suspended. Null: it is about no user. */
    user_id: text({ null: true }),
    /** What that user must let the app see. Null: it is public. */
    scope: text({ null: true }),
  },
  {
    key: ['app_id', 'position', 'number'],
    indexes: { activity_events_by_age: ['at'] },
  },
)

/** Users whose whole activity goes to a webhook, in the form that is older than activity subscriptions. */
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
