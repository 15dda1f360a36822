import { wordsOf } from '../../domain/query-language/tokenize.ts'
import { lockApp } from '../../identity/apps/queries.ts'
import { consentsOf } from '../../identity/tokens/consents.ts'
import { profilesByIds } from '../../identity/users/queries.ts'
import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { objectTime } from '../../platform/common/time.ts'
import type { Config } from '../../platform/config/config.ts'
import { invalidFor } from '../../platform/http/errors.ts'
import { type Message, msg } from '../../platform/http/message.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import type { ActivityKind } from './kind.ts'
import { kindNamed } from './kinds/kinds.ts'
import { addSubscription, countSubscriptions, subscriptionsOfSubject } from './queries.ts'
import { type DirectionName, type Filter, filterKeyOf, subjectOfFilter } from './subject.ts'
import type { ActivitySubscriptionRow } from './tables.ts'

export interface SubscriptionParts {
  readonly store: Store
  readonly clock: Clock
  readonly ids: IdSource
  readonly config: Pick<Config, 'activitySubscriptionsPerApp'>
}

/** A subscription that an app requests. */
export interface NewSubscription {
  readonly event_type: string
  readonly filter: Filter
  readonly tag?: string | undefined
  readonly webhook_id?: string | undefined
}

/** The filter as the app sent it. */
export const presentFilter = ({
  user_id,
  keyword,
  direction,
}: Pick<ActivitySubscriptionRow, 'user_id' | 'keyword' | 'direction'>) => ({
  ...(user_id !== null && { user_id }),
  ...(keyword !== null && { keyword }),
  ...(direction !== null && { direction: direction as DirectionName }),
})

/** A subscription as its app sees it (core reference, 02 section 6.1). */
export const presentSubscription = (row: ActivitySubscriptionRow) => ({
  subscription_id: row.id,
  event_type: row.event_type,
  filter: presentFilter(row),
  created_at: objectTime(row.created_at),
  updated_at: objectTime(row.updated_at),
  ...(row.tag !== null && { tag: row.tag }),
  ...(row.webhook_id !== null && { webhook_id: row.webhook_id }),
})

const wrong = (name: string, value: string, reason: string, explanation: Message) =>
  invalidFor(reason, explanation, { place: 'body', name, value })

/** The kind of a subscription, and the name that its events show. */
function kindOf(given: string): { kind: ActivityKind; name: string } {
  const found = kindNamed(given)
  if (!found) throw new Error(`the event type ${given} was accepted and has no kind`)
  return found
}

/** Rejects a filter that does not fit the kind. */
function checkFilter(
  { filter: needed, isDirected }: ActivityKind,
  { user_id, keyword, direction }: Filter,
): void {
  if (needed === 'user' && user_id === undefined)
    throw wrong('filter.user_id', '', 'FilterInvalid', msg`events of this type need a user`)
  if (needed !== 'user' && user_id !== undefined)
    throw wrong('filter.user_id', user_id, 'FilterInvalid', msg`events of this type have no user`)
  if (needed === 'keyword' && wordsOf(keyword ?? '').length === 0)
    throw wrong(
      'filter.keyword',
      keyword ?? '',
      'FilterInvalid',
      msg`events of this type need a keyword with a word`,
    )
  if (!isDirected && direction !== undefined)
    throw wrong('filter.direction', direction, 'FilterInvalid', msg`events of this type have no direction`)
}

/**
 * Rejects a user whom the app may not watch: the user does not exist, or has not granted access.
 */
async function checkUser(
  { kind, app, userId }: { kind: ActivityKind; app: string; userId: string | undefined },
  { store, clock }: { store: Pick<Transaction, 'all'>; clock: Clock },
): Promise<void> {
  if (userId === undefined) return
  const [user] = await store.all(profilesByIds, { ids: JSON.stringify([userId]) })
  if (!user) throw wrong('filter.user_id', userId, 'FilterInvalid', msg`the user does not exist`)
  if (kind.scope === undefined) return
  const pair = { app, user: userId }
  const allows = await consentsOf(store, [pair], clock.now())
  if (!allows(pair, kind.scope)) throw apiError('activity not permitted', `the app lacks ${kind.scope}`)
}

/**
 * Creates a subscription. Resolves to it and the number of subscriptions of the app.
 * @throws ApiError The kind, filter or user is invalid, the subscription is a duplicate, or the app
 * has too many.
 */
export async function subscribe(
  app: string,
  { event_type, filter, tag, webhook_id }: NewSubscription,
  parts: SubscriptionParts & { checkWebhook(tx: Transaction): Promise<void> },
): Promise<{ row: ActivitySubscriptionRow; total: number }> {
  const { kind, name } = kindOf(event_type)
  checkFilter(kind, filter)
  await checkUser({ kind, app, userId: filter.user_id }, parts)
  const subject = subjectOfFilter(kind, app, filter)
  return parts.store.write((tx) =>
    add(tx, { app, kind, name, subject, event_type, filter, tag, webhook_id }, parts),
  )
}

/**
 * The same in a transaction, which may have created the app and the user.
 * @throws ApiError
 */
export async function subscribeIn(
  tx: Transaction,
  app: string,
  { event_type, filter, tag, webhook_id }: NewSubscription,
  parts: Omit<SubscriptionParts, 'store'>,
): Promise<void> {
  const { kind, name } = kindOf(event_type)
  checkFilter(kind, filter)
  await checkUser({ kind, app, userId: filter.user_id }, { store: tx, clock: parts.clock })
  const subject = subjectOfFilter(kind, app, filter)
  const named = { app, kind, name, subject, event_type, filter, tag, webhook_id }
  await add(tx, named, { ...parts, checkWebhook: async () => undefined })
}

interface AddedSubscription extends NewSubscription {
  readonly app: string
  readonly kind: ActivityKind
  /** The present name of `event_type`, which errors show as it was sent. */
  readonly name: string
  readonly subject: string
}

async function add(
  tx: Transaction,
  { app, kind, name, subject, event_type, filter, tag, webhook_id }: AddedSubscription,
  parts: Omit<SubscriptionParts, 'store'> & { checkWebhook(tx: Transaction): Promise<void> },
): Promise<{ row: ActivitySubscriptionRow; total: number }> {
  await tx.run(lockApp, { appId: app })
  await parts.checkWebhook(tx)
  const row: ActivitySubscriptionRow = {
    id: parts.ids.next(),
    app_id: app,
    kind: kind.name,
    event_type: name,
    subject,
    user_id: filter.user_id ?? null,
    keyword: filter.keyword ?? null,
    direction: filter.direction ?? null,
    filter_key: filterKeyOf(kind, app, filter),
    tag: tag ?? null,
    webhook_id: webhook_id ?? null,
    created_at: tx.now,
    updated_at: tx.now,
  }
  await rejectDuplicate(tx, row, { name: 'event_type', value: event_type })
  const total = (await tx.first(countSubscriptions, { app }))?.count ?? 0
  const most = parts.config.activitySubscriptionsPerApp
  if (total >= most)
    throw wrong(
      'event_type',
      event_type,
      'SubscriptionLimitExceeded',
      msg`an app may have ${most} subscriptions`,
    )
  await tx.run(addSubscription, row)
  return { row, total: Number(total) + 1 }
}

/**
 * Rejects a new or changed subscription that duplicates another one of its app. The app is locked.
 * `name` and `value` are the member of the body to report.
 */
export async function rejectDuplicate(
  tx: Transaction,
  row: ActivitySubscriptionRow,
  { name, value }: { name: string; value: string },
): Promise<void> {
  const others = await tx.all(subscriptionsOfSubject, {
    app: row.app_id,
    kind: row.kind,
    subject: row.subject,
  })
  const same = others.find((one) => one.id !== row.id && isSame(one, row))
  if (!same) return
  const explanation = msg`the subscription ${same.id} has the same event type, filter and webhook`
  throw wrong(name, value, 'DuplicateSubscription', explanation)
}

/** Whether two subscriptions receive the same activities. */
const isSame = (one: ActivitySubscriptionRow, other: ActivitySubscriptionRow): boolean =>
  one.filter_key === other.filter_key && one.webhook_id === other.webhook_id
