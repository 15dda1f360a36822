import { sql } from 'kysely'
import { isActiveUser, isPublicPost } from '../../domain/posts/public-sql.ts'
import { insertion } from '../../platform/storage/insertion.ts'
import { picked, postgres } from '../../platform/storage/query.ts'
import { removalBefore, removalOf } from '../../platform/storage/removal.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { postgresQuery, query } from '../tables.ts'
import type { Withdrawal } from './states.ts'
import { type DeliveryRow, deliveries, type WebhookReplayRow, webhookReplays } from './tables.ts'

// The condition of the partial indexes, as a literal: a parameter would not match them.
const PENDING = sql<boolean>`ended_at is null`

/** The objects of a JSON list as rows, with the types of their columns on PostgreSQL. */
const listed = (isPostgres: boolean, list: unknown, columns: Readonly<Record<string, 'text' | 'bigint'>>) => {
  const names = Object.entries(columns)
  return isPostgres
    ? sql`select * from json_to_recordset(${list}::json) as r(${sql.raw(names.map((one) => one.join(' ')).join(', '))})`
    : sql`select ${sql.raw(names.map(([name]) => `value->>'${name}' as ${name}`).join(', '))} from json_each(${list})`
}

/** The numbers of a JSON list as rows of one column. */
const numbers = (isPostgres: boolean, list: unknown, name = 'value') =>
  isPostgres
    ? sql`select value::bigint as ${sql.raw(name)} from jsonb_array_elements_text(${list}::jsonb) as l(value)`
    : sql`select value as ${sql.raw(name)} from json_each(${list})`

/** The stored columns of a new delivery. */
const ADDED = [
  'webhook_id',
  'share',
  'event_id',
  'subject',
  'body',
  'notice',
  'post_id',
  'user_id',
  'scope',
  'subscription',
  'filter_key',
  'state',
  'due_at',
  'created_at',
] as const
export type AddedDelivery = Pick<DeliveryRow, (typeof ADDED)[number]>

export const addDeliveries = insertion<AddedDelivery>('addDelivery', deliveries, ADDED)

/** A delivery that is never sent. Its state says why, and it has no body. */
export type UnsentDelivery = AddedDelivery & Pick<DeliveryRow, 'ended_at' | 'log'>

export const addUnsent = insertion<UnsentDelivery>('addUnsentDelivery', deliveries, [
  ...ADDED,
  'ended_at',
  'log',
])

/**
 * Each webhook of some shares that has pending deliveries, with the time at which the first is due.
 * `shares` is a JSON list.
 */
export const pendingWebhooks = query<
  { shares: string },
  { share: number; webhook_id: string; due_at: number }
>('webhooksWithPendingDeliveries', (db, at) => {
  const shares = numbers(postgres(db), at.shares, 'share')
  const next = (share: string, after: string) =>
    sql`select d.webhook_id from deliveries as d
      where d.share = ${sql.raw(share)} and d.webhook_id > ${sql.raw(after)} and d.ended_at is null
      order by d.webhook_id limit 1`
  return {
    compile: () =>
      // Skips from one webhook to the next in the index, however many deliveries each of them has.
      sql`with recursive wanted(share) as (${shares}),
        pending(share, webhook_id) as (
          select share, (${next('wanted.share', "''")}) from wanted
          union all
          select share, (${next('pending.share', 'pending.webhook_id')}) from pending where webhook_id is not null)
        select share, webhook_id, (select d.due_at from deliveries as d
            where d.share = pending.share and d.webhook_id = pending.webhook_id and d.ended_at is null
            order by d.due_at limit 1) as due_at
          from pending where webhook_id is not null`.compile(db),
  }
})

/**
 * The next deliveries of a webhook with the times at which they are due, oldest first: first those
 * that are due, then others.
 */
export const nextDeliveries = query<
  { share: number; webhook: string; limit: number },
  { seq: number; due_at: number }
>('nextDeliveries', (db, at) =>
  db
    .selectFrom('deliveries')
    .select(['seq', 'due_at'])
    .where('share', '=', at.share)
    .where('webhook_id', '=', at.webhook)
    .where(PENDING)
    .orderBy('due_at')
    .orderBy('seq')
    .limit(at.limit),
)

/** A delivery to be sent. */
export interface DueDelivery {
  seq: number
  event_id: string
  subject: string | null
  body: string
  attempts: number
  due_at: number
  /** Since when it has been waiting: since it was created, or resent by an operator. */
  since: number
  /** The pending delivery before it with the same subject. */
  behind: number | null
}

/** Deliveries with their bodies. `seqs` is a JSON list. */
export const deliveriesToSend = query<{ seqs: string }, DueDelivery>('deliveriesToSend', (db, at) =>
  db
    .selectFrom('deliveries as d')
    .select([
      'd.seq',
      'd.event_id',
      'd.subject',
      'd.body',
      'd.attempts',
      'd.due_at',
      sql<number>`coalesce(d.resent_at, d.created_at)`.as('since'),
      sql<number | null>`case when d.subject is not null then (select e.seq from deliveries as e
        where e.webhook_id = d.webhook_id and e.subject = d.subject and e.seq < d.seq
        and e.ended_at is null and e.subject is not null order by e.seq desc limit 1) end`.as('behind'),
    ])
    .where(sql<boolean>`d.seq in (${numbers(postgres(db), at.seqs)})`)
    .where('d.ended_at', 'is', null),
)

/** A delivery with conditions that must hold when it is sent. */
interface Conditional extends Pick<DeliveryRow, 'seq' | 'user_id' | 'scope'> {
  app_id: string
  /**
   * The condition that no longer holds; null if all hold, apart from the user's consent to `scope`.
   */
  withdrawal: Exclude<Withdrawal, 'no consent'> | null
}

/** The deliveries that have conditions, of those in `seqs`, a JSON list. */
export const deliveriesWithConditions = query<{ seqs: string }, Conditional>(
  'deliveriesWithConditions',
  (db, at) => {
    const subscriptionId = postgres(db) ? sql`d.subscription::numeric` : sql`d.subscription`
    const subscription = sql`case d.subscription
      when 'stream' then exists (select 1 from stream_links as l where l.webhook_id = d.webhook_id)
      when 'account' then exists (select 1 from account_subscriptions as a
        where a.webhook_id = d.webhook_id and a.user_id = d.user_id)
      else exists (select 1 from activity_subscriptions as s where s.id = ${subscriptionId})
        or exists (select 1 from activity_subscriptions as s
          where s.webhook_id = d.webhook_id and s.filter_key = d.filter_key) end`
    return db
      .selectFrom('deliveries as d')
      .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
      .select(['d.seq', 'd.user_id', 'd.scope', 'w.app_id'])
      .select(
        sql<Conditional['withdrawal']>`case
        when d.subscription is not null and not ${subscription} then 'ended subscription'
        when d.post_id is not null and not ${isPublicPost('d.post_id')} then 'hidden post'
        when d.user_id is not null and not ${isActiveUser('d.user_id')} then 'suspended user'
        end`.as('withdrawal'),
      )
      .where(sql<boolean>`d.seq in (${numbers(postgres(db), at.seqs)})`)
      .where(sql<boolean>`(d.post_id is not null or d.user_id is not null or d.subscription is not null)`)
  },
)

/** Characters of a log. Beyond this, its oldest attempts are omitted. */
const MAX_LOG_LENGTH = 32_768
const LAST_ATTEMPTS = 20

/**
 * The log of a delivery with one more attempt. Appended where it is stored, because a replay and
 * the retries of a delivery may write to one log at the same time. `attempt` is an SQL expression.
 */
function withAttempt(isPostgres: boolean, attempt: unknown) {
  const latest = isPostgres
    ? sql`select '[' || string_agg(value::text, ',' order by place) || ',' from (
        select value, place from json_array_elements(deliveries.log::json) with ordinality as e(value, place)
        order by place desc limit ${sql.lit(LAST_ATTEMPTS)}) as latest`
    : sql`select '[' || group_concat(value, ',' order by place) || ',' from (
        select value, key as place from json_each(deliveries.log)
        order by place desc limit ${sql.lit(LAST_ATTEMPTS)})`
  return sql<string>`case when length(deliveries.log) >= ${sql.lit(MAX_LOG_LENGTH)} then (${latest})
    else substr(deliveries.log, 1, length(deliveries.log) - 1) || case deliveries.log when '[]' then '' else ',' end
    end || ${attempt} || ']'`
}

/** The outcome of an attempt. `ended_at` is null when another attempt follows at `due_at`. */
export interface Outcome {
  seq: number
  state: string
  /** The number of scheduled attempts, including this one. */
  attempts: number
  due_at: number
  ended_at: number | null
  /** What the log says about it, as JSON. */
  attempt: string
}

const recordOutcome = query<Outcome>('recordDeliveryOutcome', (db, at) =>
  db
    .updateTable('deliveries')
    .set({
      state: at.state,
      attempts: at.attempts,
      due_at: at.due_at,
      ended_at: at.ended_at,
      log: withAttempt(postgres(db), at.attempt),
    })
    .where('seq', '=', at.seq)
    .where(PENDING),
)

/** `outcomes` is a JSON list of `Outcome`. */
const recordOutcomesAtOnce = postgresQuery<{ outcomes: string }>('recordDeliveryOutcomes', (db, at) => {
  const rows = listed(postgres(db), at.outcomes, {
    seq: 'bigint',
    state: 'text',
    attempts: 'bigint',
    due_at: 'bigint',
    ended_at: 'bigint',
    attempt: 'text',
  })
  return {
    compile: () =>
      sql`update deliveries set state = o.state, attempts = o.attempts, due_at = o.due_at,
        ended_at = o.ended_at, log = ${withAttempt(postgres(db), sql`o.attempt`)} from (${rows}) as o
        where deliveries.seq = o.seq and deliveries.ended_at is null`.compile(db),
  }
})

/** Records outcomes. Deliveries that have ended meanwhile stay unchanged. */
export async function recordOutcomes(tx: Transaction, outcomes: readonly Outcome[]): Promise<void> {
  if (tx.dialect === 'sqlite') for (const outcome of outcomes) await tx.run(recordOutcome, outcome)
  else if (outcomes.length > 0) await tx.run(recordOutcomesAtOnce, { outcomes: JSON.stringify(outcomes) })
}

/** Delays deliveries until earlier ones of the same subject are due. `seqs` is a JSON list. */
export const delayBehindSubject = query<{ seqs: string }>('delayDeliveriesBehindSubject', (db, at) => ({
  compile: () =>
    sql`update deliveries set due_at = coalesce((select max(e.due_at) from deliveries as e
        where e.webhook_id = deliveries.webhook_id and e.subject = deliveries.subject and e.subject is not null
        and e.seq < deliveries.seq and e.ended_at is null and e.due_at > deliveries.due_at), due_at)
      where seq in (${numbers(postgres(db), at.seqs)}) and ended_at is null`.compile(db),
}))

/** Where deliveries are sent, and the app that signs them. */
export interface Target {
  app_id: string
  url: string
  valid: number
  last_success_at: number
  suspended: number
  enrolled: number
  consumer_secret_sealed: string
}

export const deliveryTarget = query<{ webhook: string }, Target>('deliveryTarget', (db, at) =>
  db
    .selectFrom('webhooks')
    .innerJoin('apps', 'apps.id', 'webhooks.app_id')
    .select([
      'webhooks.app_id',
      'webhooks.url',
      'webhooks.valid',
      'webhooks.last_success_at',
      'apps.suspended',
      'apps.enrolled',
      'apps.consumer_secret_sealed',
    ])
    .where('webhooks.id', '=', at.webhook),
)

interface Ending {
  share: number
  webhook: string
  now: number
  limit: number
}

const oldest = (at: Pick<Ending, 'share' | 'webhook'>) =>
  sql`select seq from deliveries where share = ${at.share} and webhook_id = ${at.webhook} and ended_at is null`

/** Ends the pending deliveries of a webhook that may not receive anything. */
export const skipDeliveries = query<Ending>('skipDeliveries', (db, at) => ({
  compile: () =>
    sql`update deliveries set state = 'skipped', ended_at = ${at.now}
      where seq in (${oldest(at)} order by due_at, seq limit ${at.limit})`.compile(db),
}))

/** Ends pending deliveries that have been waiting for longer than the schedule lasts. */
export const expireDeliveries = query<Ending & { before: number }>('expireDeliveries', (db, at) => ({
  compile: () =>
    sql`update deliveries set state = 'failed', ended_at = ${at.now}
      where seq in (${oldest(at)} and due_at <= ${at.now} order by due_at, seq limit ${at.limit})
      and coalesce(resent_at, created_at) < ${at.before}`.compile(db),
}))

/** Ends the pending deliveries of a webhook beyond the first `kept`. */
export const dropDeliveries = query<Ending & { kept: number }>('dropDeliveries', (db, at) => ({
  compile: () =>
    sql`update deliveries set state = 'dropped', ended_at = ${at.now}
      where seq in (${oldest(at)} order by due_at, seq limit ${at.limit} offset ${at.kept})`.compile(db),
}))

/** The first pending delivery of a webhook beyond the first `kept`. */
export const surplusDelivery = query<Pick<Ending, 'share' | 'webhook'> & { kept: number }, { seq: number }>(
  'surplusDelivery',
  (db, at) => ({
    compile: () => sql`${oldest(at)} order by due_at, seq limit 1 offset ${at.kept}`.compile(db),
  }),
)

interface Window {
  webhook: string
  from: number
  to: number
  /** The last delivery that was read. */
  created: number
  seq: number
  limit: number
}

/**
 * The deliveries that were delivered or attempted in a window, oldest first. Those that could never
 * be sent have no body.
 */
export const replayedDeliveries = query<Window, Pick<DeliveryRow, 'seq' | 'body' | 'created_at'>>(
  'replayedDeliveries',
  (db, at) =>
    db
      .selectFrom('deliveries')
      .select(['seq', 'body', 'created_at'])
      .where('webhook_id', '=', at.webhook)
      .where('created_at', '>=', at.from)
      .where('created_at', '<', at.to)
      .where(sql<boolean>`(created_at, seq) > (${at.created}, ${at.seq})`)
      .where('notice', '=', 0)
      .where('state', 'not in', ['oversized', 'capped'])
      .where(sql<boolean>`(ended_at is not null or log <> '[]')`)
      .orderBy('created_at')
      .orderBy('seq')
      .limit(at.limit),
)

/** `attempts` is a JSON list of objects with `seq` and `attempt`. */
export const logReplayed = query<{ attempts: string }>('logReplayedDeliveries', (db, at) => {
  const rows = listed(postgres(db), at.attempts, { seq: 'bigint', attempt: 'text' })
  return {
    compile: () =>
      sql`update deliveries set log = ${withAttempt(postgres(db), sql`o.attempt`)} from (${rows}) as o
        where deliveries.seq = o.seq`.compile(db),
  }
})

export const addReplay = query<WebhookReplayRow>('addWebhookReplay', (db, at) =>
  db.insertInto('webhook_replays').values(picked(at, columnNames(webhookReplays))),
)

export const replayById = query<{ id: string }, WebhookReplayRow>('webhookReplayById', (db, at) =>
  db.selectFrom('webhook_replays').selectAll().where('id', '=', at.id),
)

export const runningReplay = query<{ webhook: string }, { id: string }>('runningWebhookReplay', (db, at) =>
  db.selectFrom('webhook_replays').select('id').where('webhook_id', '=', at.webhook).where(PENDING),
)

/** The progress of a replay. */
export const moveReplay = query<
  Pick<WebhookReplayRow, 'id' | 'at_created' | 'at_seq' | 'failed' | 'failures_in_a_row' | 'ended_at'>
>('moveWebhookReplay', (db, at) =>
  db
    .updateTable('webhook_replays')
    .set({
      at_created: at.at_created,
      at_seq: at.at_seq,
      failed: at.failed,
      failures_in_a_row: at.failures_in_a_row,
      ended_at: at.ended_at,
    })
    .where('id', '=', at.id)
    .where(PENDING),
)

export const removeEndedReplays = query<{ before: number }>('removeEndedWebhookReplays', (db, at) =>
  db.deleteFrom('webhook_replays').where('ended_at', 'is not', null).where('ended_at', '<', at.before),
)

/** Deliveries before a given one, newest first. */
export const pageOfDeliveries = query<{ before: number; limit: number }, DeliveryRow>(
  'pageOfDeliveries',
  (db, at) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('seq', '<', at.before)
      .orderBy('seq', 'desc')
      .limit(at.limit),
)

/** Deliveries to a webhook before a given one, newest first. */
export const pageOfDeliveriesTo = query<
  { webhook: string; created: number; before: number; limit: number },
  DeliveryRow
>('pageOfDeliveriesToWebhook', (db, at) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('webhook_id', '=', at.webhook)
    .where('created_at', '<=', at.created)
    .where(sql<boolean>`(created_at, seq) < (${at.created}, ${at.before})`)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(at.limit),
)

export const deliveryBySeq = query<{ seq: number }, DeliveryRow>('deliveryBySeq', (db, at) =>
  db.selectFrom('deliveries').selectAll().where('seq', '=', at.seq),
)

/** The number of pending deliveries, counted up to a limit. */
export const countPendingDeliveries = query<{ limit: number }, { count: number }>(
  'countPendingDeliveries',
  (db, at) => ({
    compile: () =>
      sql`select count(*) as count from
        (select 1 as one from deliveries where share >= 0 and ended_at is null limit ${at.limit}) as pending`.compile(
        db,
      ),
  }),
)

/** The newest deliveries that ended after a time, up to a limit, counted by their state. */
export const countEndedDeliveries = query<{ after: number; limit: number }, { state: string; count: number }>(
  'countEndedDeliveries',
  (db, at) => ({
    compile: () =>
      sql`select state, count(*) as count from
      (select state from deliveries where ended_at is not null and ended_at > ${at.after}
        order by ended_at desc limit ${at.limit}) as ended
      group by state order by state`.compile(db),
  }),
)

/**
 * Makes a delivery due now with all attempts of the schedule, whether it has ended or is pending.
 */
export const sendAgain = query<{ seq: number; now: number }>('sendDeliveryAgain', (db, at) =>
  db
    .updateTable('deliveries')
    .set({ state: 'pending', attempts: 0, due_at: at.now, resent_at: at.now, ended_at: null })
    .where('seq', '=', at.seq),
)

/** Removes deliveries of a webhook, whatever their state. */
export const removeDeliveriesOfWebhook = removalOf(
  'removeDeliveriesOfWebhook',
  deliveries,
  'webhook_id',
  'webhook',
)

/** Removes deliveries that ended before a time. */
export const removeEndedDeliveries = removalBefore('removeEndedDeliveries', deliveries, 'ended_at')

/** `shares` is a JSON list. */
export const addShares = query<{ shares: string }>('addDeliveryShares', (db, at) => ({
  compile: () =>
    sql`insert into delivery_shares (share, holder, lease_until)
      select share, '', 0 from (${numbers(postgres(db), at.shares, 'share')}) as s where true
      on conflict (share) do nothing`.compile(db),
}))

export const allShares = query<object, { share: number; holder: string; lease_until: number }>(
  'allDeliveryShares',
  (db) => db.selectFrom('delivery_shares').selectAll().where('share', '>=', 0).orderBy('share'),
)

/** Leases those of some shares that no other node holds. `shares` is a JSON list. */
export const leaseShares = query<
  { shares: string; holder: string; now: number; until: number },
  { share: number }
>('leaseDeliveryShares', (db, at) =>
  db
    .updateTable('delivery_shares')
    .set({ holder: at.holder, lease_until: at.until })
    .where(sql<boolean>`share in (${numbers(postgres(db), at.shares)})`)
    .where((on) => on.or([on('holder', '=', at.holder), on('lease_until', '<=', at.now)]))
    .returning('share'),
)

/** `shares` is a JSON list. */
export const releaseShares = query<{ shares: string; holder: string }>('releaseDeliveryShares', (db, at) =>
  db
    .updateTable('delivery_shares')
    .set({ holder: '', lease_until: 0 })
    .where(sql<boolean>`share in (${numbers(postgres(db), at.shares)})`)
    .where('holder', '=', at.holder),
)
