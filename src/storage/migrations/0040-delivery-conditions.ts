import type { Migration } from './migration.ts'

/**
 * What must still hold when a delivery is sent, and an index for the activity subscriptions about a user.
 *
 * Deliveries of before noted nothing of it, and nothing may be sent after the upgrade that a user has withdrawn meanwhile. So it
 * is read from their bodies: whose activity they are, and what that user must let the app see. A body in which it is not found,
 * such as one in other words, is of the subscription `unknown`, which there is not: it is not sent.
 *
 * Streams keep activities for 25 hours. Those that name neither a post nor a user cannot be checked when they are
 * sent: they are removed. Streams of the past begin behind them; webhooks are not concerned.
 */
export const deliveryConditions: Migration = {
  name: '0040-delivery-conditions',
  statements: (dialect) => (dialect === 'sqlite' ? SQLITE : POSTGRES),
}

/** Members of account activity that is not private. Any other member may be a direct message, in other words. */
const PUBLIC_EVENTS = [
  'post_create_events',
  'post_delete_events',
  'favorite_events',
  'follow_events',
  'block_events',
  'mute_events',
]

/** What stands in the body `b.body`, which `member` reads by its path. */
const conditions = (member: (path: string) => string, has: (name: string) => string) => {
  const [account, type] = [member('for_user_id'), member('data.event_type')]
  return {
    user_id: `coalesce(${account}, ${member('data.filter.user_id')})`,
    scope: `case
      when ${account} is not null then case when ${PUBLIC_EVENTS.map(has).join(' or ')}
        then 'post.read' else 'dm.read' end
      when ${type} like 'dm.%' then 'dm.read'
      when ${type} like 'like.%' then 'like.read'
      when ${type} like 'mute.%' then 'mute.read'
      when ${type} like 'block.%' then 'block.read'
      when ${type} in ('post.mention.create', 'post.reply.create', 'post.quote.create', 'post.repost.create')
        then 'post.read' end`,
    subscription: `case
      when ${account} is not null then 'account'
      when ${has('matching_rules')} then 'stream'
      when ${has('user_event')} or ${type} like 'dm.%' or ${type} like 'like.%' or ${type} like 'mute.%' or
        ${type} like 'block.%' or ${type} like 'follow.%' or ${type} like 'profile.update.%' or
        ${type} like 'spaces.%' or ${type} in ('post.create', 'post.delete', 'post.mention.create',
        'post.reply.create', 'post.quote.create', 'post.repost.create', 'news.new', 'oauth.revoke') then null
      else 'unknown' end`,
  }
}

const COLUMNS = [
  'alter table "deliveries" add column "user_id" text',
  'alter table "deliveries" add column "scope" text',
  'alter table "deliveries" add column "subscription" text',
]

const REST = [
  'create index "activity_subscriptions_by_user" on "activity_subscriptions" ("app_id", "user_id", "id")',
  'delete from "activity_events" where "post_id" is null and "user_id" is null',
]

const inSqlite = conditions(
  (path) => `json_extract(b.body, '$.${path}')`,
  (name) => `json_type(b.body, '$.${name}') is not null`,
)

const SQLITE = [
  ...COLUMNS,
  `update "deliveries" set "user_id" = ${inSqlite.user_id}, "scope" = ${inSqlite.scope},
    "subscription" = ${inSqlite.subscription}
    from (select "seq", case when json_valid("body") then "body" else '{}' end as body from "deliveries") as b
    where b.seq = "deliveries"."seq" and "notice" = 0`,
  ...REST,
]

const inPostgres = conditions(
  (path) => `(b.body #>> '{${path.replaceAll('.', ',')}}')`,
  (name) => `jsonb_exists(b.body, '${name}')`,
)

// PostgreSQL reads no JSON with null characters or halves of characters.
const POSTGRES = [
  ...COLUMNS,
  `update "deliveries" set "user_id" = ${inPostgres.user_id}, "scope" = ${inPostgres.scope},
    "subscription" = ${inPostgres.subscription}
    from (select "seq", case when "body" like '{%' and "body" !~* '\\\\u(0000|d[89a-f])'
      then "body"::jsonb else '{}'::jsonb end as body
      from "deliveries") as b
    where b."seq" = "deliveries"."seq" and "notice" = 0`,
  ...REST,
]
