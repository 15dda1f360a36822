import { sql } from 'kysely'
import { isActiveUser, isPublicPost } from '../../domain/posts/public-sql.ts'
import { insertion } from '../../platform/storage/insertion.ts'
import { anyIdIn, pairsIn, picked, postgres } from '../../platform/storage/query.ts'
import { removalBefore, removalOf } from '../../platform/storage/removal.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import {
  type ActivityEventRow,
  type ActivitySubscriptionRow,
  activityEvents,
  activitySubscriptions,
} from './tables.ts'

export const addSubscription = query<ActivitySubscriptionRow>('addActivitySubscription', (db, at) =>
  db.insertInto('activity_subscriptions').values(picked(at, columnNames(activitySubscriptions))),
)

interface OfApp {
  app: string
}

/** The next subscriptions of an app, in creation order. */
export const pageOfSubscriptions = query<OfApp & { after: string; limit: number }, ActivitySubscriptionRow>(
  'pageOfActivitySubscriptions',
  (db, at) =>
    db
      .selectFrom('activity_subscriptions')
      .selectAll()
      .where('app_id', '=', at.app)
      .where('id', '>', at.after)
      .orderBy('id')
      .limit(at.limit),
)

interface AboutUser extends OfApp {
  user: string
}

/** The next subscriptions of an app to a user, in creation order. */
export const pageOfSubscriptionsTo = query<
  AboutUser & { after: string; limit: number },
  ActivitySubscriptionRow
>('pageOfActivitySubscriptionsToUser', (db, at) =>
  db
    .selectFrom('activity_subscriptions')
    .selectAll()
    .where('app_id', '=', at.app)
    .where('user_id', '=', at.user)
    .where('id', '>', at.after)
    .orderBy('id')
    .limit(at.limit),
)

export const countSubscriptionsTo = query<AboutUser, { count: number }>(
  'countActivitySubscriptionsToUser',
  (db, at) =>
    db
      .selectFrom('activity_subscriptions')
      .select(sql<number>`count(*)`.as('count'))
      .where('app_id', '=', at.app)
      .where('user_id', '=', at.user),
)

export const countSubscriptions = query<OfApp, { count: number }>('countActivitySubscriptions', (db, at) =>
  db
    .selectFrom('activity_subscriptions')
    .select(sql<number>`count(*)`.as('count'))
    .where('app_id', '=', at.app),
)

/** `ids` is a JSON list. */
export const subscriptionsByIds = query<OfApp & { ids: string }, ActivitySubscriptionRow>(
  'activitySubscriptionsByIds',
  (db, at) =>
    db
      .selectFrom('activity_subscriptions')
      .selectAll()
      .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
      .where('app_id', '=', at.app)
      .orderBy('id'),
)

/** The subscriptions of an app to a kind and subject, to detect duplicates. */
export const subscriptionsOfSubject = query<
  OfApp & { kind: string; subject: string },
  ActivitySubscriptionRow
>('activitySubscriptionsOfSubject', (db, at) =>
  db
    .selectFrom('activity_subscriptions')
    .selectAll()
    .where('kind', '=', at.kind)
    .where('subject', '=', at.subject)
    .where('app_id', '=', at.app)
    .orderBy('id'),
)

/**
 * The subscriptions of all apps that some activities could match, one page at a time. `pairs` is a
 * JSON list of `[kind, subject]`.
 */
export const matchingSubscriptions = query<
  { pairs: string; after: string; limit: number },
  ActivitySubscriptionRow
>('matchingActivitySubscriptions', (db, at) =>
  db
    .selectFrom('activity_subscriptions')
    .innerJoin(pairsIn(db, at.pairs, ['kind', 'subject']).as('wanted'), (on) =>
      on
        .onRef('wanted.kind', '=', 'activity_subscriptions.kind')
        .onRef('wanted.subject', '=', 'activity_subscriptions.subject'),
    )
    .innerJoin('apps', 'apps.id', 'activity_subscriptions.app_id')
    .selectAll('activity_subscriptions')
    .where('apps.suspended', '=', 0)
    .where('apps.enrolled', '=', 1)
    .where('activity_subscriptions.id', '>', at.after)
    .orderBy('activity_subscriptions.id')
    .limit(at.limit),
)

export const changeSubscription = query<
  OfApp & Pick<ActivitySubscriptionRow, 'id' | 'tag' | 'webhook_id' | 'updated_at'>
>('changeActivitySubscription', (db, at) =>
  db
    .updateTable('activity_subscriptions')
    .set({ tag: at.tag, webhook_id: at.webhook_id, updated_at: at.updated_at })
    .where('id', '=', at.id)
    .where('app_id', '=', at.app),
)

/** `ids` is a JSON list. */
export const removeSubscriptions = query<OfApp & { ids: string }>('removeActivitySubscriptions', (db, at) =>
  db
    .deleteFrom('activity_subscriptions')
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
    .where('app_id', '=', at.app),
)

/** Removes some subscriptions of all apps to a deleted user. */
export const removeSomeSubscriptionsTo = removalOf(
  'removeSomeActivitySubscriptionsTo',
  activitySubscriptions,
  'user_id',
  'user',
)

/** Subscriptions to a deleted webhook stay; only streams receive their activities. */
export const clearWebhook = query<{ webhook: string }>('clearWebhookOfActivitySubscriptions', (db, at) =>
  db.updateTable('activity_subscriptions').set({ webhook_id: null }).where('webhook_id', '=', at.webhook),
)

export const addActivityEvents = insertion<ActivityEventRow>(
  'addActivityEvent',
  activityEvents,
  columnNames(activityEvents),
)

interface StreamPosition {
  position: number
  number: number
}

/** An activity for a stream. */
export interface StoredActivity extends Omit<ActivityEventRow, 'app_id' | 'post_id'> {
  /** 1 when its post is no longer public, or its user is suspended. */
  hidden: number
}

/** The activities that the subscriptions of an app matched after a position, oldest first. */
export const activityEventsAfter = query<OfApp & StreamPosition & { limit: number }, StoredActivity>(
  'activityEventsAfter',
  (db, at) =>
    db
      .selectFrom('activity_events')
      .select(['position', 'number', 'body', 'at', 'user_id', 'scope'])
      .select(
        sql<number>`case when (post_id is null or ${isPublicPost('activity_events.post_id')})
        and (user_id is null or ${isActiveUser('activity_events.user_id')}) then 0 else 1 end`.as('hidden'),
      )
      .where('app_id', '=', at.app)
      .where(sql<boolean>`(position, number) > (${at.position}, ${at.number})`)
      .orderBy('position')
      .orderBy('number')
      .limit(at.limit),
)

/**
 * The apps with activities after a position, and the position of the last. One consumer of the
 * event log writes activities, in the order of their positions, so nothing appears later at an
 * earlier position.
 */
export const appsWithActivitiesAfter = query<{ after: number }, { app_id: string; position: number }>(
  'appsWithActivitiesAfter',
  (db, at) =>
    db
      .selectFrom('activity_events')
      .select([sql<string>`app_id || ''`.as('app_id'), sql<number>`max(position)`.as('position')])
      .where('position', '>', at.after)
      // An expression, because the planner would read the whole primary key to group by the column.
      .groupBy(sql`app_id || ''`),
)

/** The position of the last activity of any app. */
export const lastActivityPosition = query<object, { position: number }>('lastActivityPosition', (db) =>
  db
    .selectFrom('activity_events')
    .select('position')
    .where('position', '>', -1)
    .orderBy('position', 'desc')
    .limit(1),
)

/**
 * The last activity of an app that was written before a time. A stream with backfill starts after
 * it.
 */
export const lastActivityEventBefore = query<OfApp & { at: number }, StreamPosition>(
  'lastActivityEventBefore',
  (db, at) =>
    db
      .selectFrom('activity_events')
      .select(['position', 'number'])
      .where('app_id', '=', at.app)
      .where('at', '<', at.at)
      .orderBy('position', 'desc')
      .orderBy('number', 'desc')
      .limit(1),
)

export const trimActivityEvents = removalBefore('trimActivityEvents', activityEvents, 'at')
