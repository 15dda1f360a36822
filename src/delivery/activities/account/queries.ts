import { sql } from 'kysely'
import { anyIn, picked, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import { type AccountSubscriptionRow, accountSubscriptions } from '../tables.ts'

type Key = Pick<AccountSubscriptionRow, 'webhook_id' | 'user_id'>

export const addAccountSubscription = query<AccountSubscriptionRow>('addAccountSubscription', (db, at) =>
  db.insertInto('account_subscriptions').values(picked(at, columnNames(accountSubscriptions))),
)

export const accountSubscription = query<Key, AccountSubscriptionRow>('accountSubscription', (db, at) =>
  db
    .selectFrom('account_subscriptions')
    .selectAll()
    .where('webhook_id', '=', at.webhook_id)
    .where('user_id', '=', at.user_id),
)

export const removeAccountSubscription = query<Key>('removeAccountSubscription', (db, at) =>
  db
    .deleteFrom('account_subscriptions')
    .where('webhook_id', '=', at.webhook_id)
    .where('user_id', '=', at.user_id),
)

/** Removes all subscriptions to a deleted user. */
export const removeAccountSubscriptionsTo = query<{ user: string }>(
  'removeAccountSubscriptionsTo',
  (db, at) => db.deleteFrom('account_subscriptions').where('user_id', '=', at.user),
)

/** The users whose activity a webhook receives. The limit per app bounds their number. */
export const usersOfWebhook = query<{ webhook: string }, { user_id: string }>(
  'accountSubscriptionsOfWebhook',
  (db, at) =>
    db
      .selectFrom('account_subscriptions')
      .select('user_id')
      .where('webhook_id', '=', at.webhook)
      .orderBy('user_id'),
)

/** The users whose activity any webhook of an app receives. */
export const usersOfApp = query<{ app: string }, { user_id: string }>('accountSubscriptionsOfApp', (db, at) =>
  db
    .selectFrom('account_subscriptions')
    .select('user_id')
    .distinct()
    .where('app_id', '=', at.app)
    .orderBy('user_id'),
)

/** The subscriptions of all apps to some users, one page at a time. `users` is a JSON list. */
export const subscriptionsToUsers = query<
  { users: string; user: string; webhook: string; limit: number },
  AccountSubscriptionRow
>('accountSubscriptionsToUsers', (db, at) =>
  db
    .selectFrom('account_subscriptions')
    .innerJoin('apps', 'apps.id', 'account_subscriptions.app_id')
    .selectAll('account_subscriptions')
    .where(anyIn(postgres(db), sql.ref('account_subscriptions.user_id'), at.users))
    .where('apps.suspended', '=', 0)
    .where('apps.enrolled', '=', 1)
    .where(
      sql<boolean>`(account_subscriptions.user_id, account_subscriptions.webhook_id) > (${at.user}, ${at.webhook})`,
    )
    .orderBy('account_subscriptions.user_id')
    .orderBy('account_subscriptions.webhook_id')
    .limit(at.limit),
)

/**
 * Ends the subscriptions to a user who revoked the app's access. Subscriptions created after the
 * revocation stay.
 */
export const endAccountSubscriptions = query<{ app: string; user: string; before: number }>(
  'endAccountSubscriptions',
  (db, at) =>
    db
      .deleteFrom('account_subscriptions')
      .where('app_id', '=', at.app)
      .where('user_id', '=', at.user)
      .where('created_at', '<=', at.before),
)
