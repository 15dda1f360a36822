import { sql } from 'kysely'
import type { Query } from '../../platform/storage/query.ts'
import { anyIdIn, anyIn, postgres } from '../../platform/storage/query.ts'
import { query } from '../tables.ts'
import type { AdDeliveryRow, AdSpendingRow } from './tables.ts'

/** Begins the delivery of an account, unless it has begun. */
export const beginDelivery = query<{ account: string; now: number; due: number }>('beginDelivery', (db, at) =>
  db
    .insertInto('ad_delivery_accounts')
    .values({ account_id: at.account, delivered_until: at.now, due_at: at.due, promotions: 0 })
    .onConflict((conflict) => conflict.column('account_id').doNothing()),
)

export const deliveryOfAccount = query<{ account: string }, { delivered_until: number; promotions: number }>(
  'deliveryOfAccount',
  (db, at) =>
    db
      .selectFrom('ad_delivery_accounts')
      .select(['delivered_until', 'promotions'])
      .where('account_id', '=', at.account),
)

/** Accounts whose delivery may be computed, those that have waited longest first. */
export const dueDeliveries = query<{ now: number; limit: number }, { account_id: string }>(
  'dueDeliveries',
  (db, at) =>
    db
      .selectFrom('ad_delivery_accounts')
      .select('account_id')
      .where('due_at', '<=', at.now)
      .orderBy('due_at')
      .orderBy('account_id')
      .limit(at.limit),
)

/** Moves the delivery of an account on. Changes nothing if someone else has moved it. */
export const moveDelivery = query<{
  account: string
  from: number
  until: number
  due: number | null
  promotions: number
}>('moveDelivery', (db, at) =>
  db
    .updateTable('ad_delivery_accounts')
    .set({ delivered_until: at.until, due_at: at.due, promotions: at.promotions })
    .where('account_id', '=', at.account)
    .where('delivered_until', '=', at.from),
)

/** What some line items, campaigns and funding instruments have spent. `ids` is a JSON list. */
export const spendingByIds = query<{ account: string; ids: string }, Omit<AdSpendingRow, 'account_id'>>(
  'spendingByIds',
  (db, at) =>
    db
      .selectFrom('ad_spending')
      .select(['id', 'spent', 'unit', 'state'])
      .where('account_id', '=', at.account)
      .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** `rows` is a JSON list of id, spent, unit and state. */
export const putSpending = query<{ account: string; rows: string }>('putSpending', (db, at) => {
  const rows = postgres(db)
    ? sql`select ${at.account}::text, id, spent, unit, state from jsonb_to_recordset(${at.rows}::jsonb)
        as t(id text, spent bigint, unit bigint, state text)`
    : sql`select ${at.account}, value->>'id', value->>'spent', value->>'unit', value->>'state'
        from json_each(${at.rows})`
  return {
    compile: () =>
      sql`insert into ad_spending (account_id, id, spent, unit, state) select * from (${rows}) as given where true
        on conflict (account_id, id) do update
        set spent = excluded.spent, unit = excluded.unit, state = excluded.state`.compile(db),
  }
})

/**
 * Continues rows of the ledger, or begins them. `rows` is a JSON list of the columns but for the
 * account.
 */
export const addDeliveries = query<{ account: string; rows: string }>('addDeliveries', (db, at) => {
  const columns = sql`promotion_id, from_time, until_time, line_item_id, campaign_id, funding_instrument_id, post_id,
    about, impressions, engagements, charged, cells, last_cell`
  const rows = postgres(db)
    ? sql`select ${at.account}::text, ${columns} from jsonb_to_recordset(${at.rows}::jsonb)
        as t(promotion_id text, from_time bigint, until_time bigint, line_item_id text, campaign_id text,
          funding_instrument_id text, post_id numeric, about text, impressions bigint, engagements bigint, charged bigint,
          cells text,
          last_cell text)`
    : sql`select ${at.account}, value->>'promotion_id', value->>'from_time', value->>'until_time',
        value->>'line_item_id', value->>'campaign_id', value->>'funding_instrument_id', value->>'post_id',
        value->>'about', value->>'impressions', value->>'engagements', value->>'charged', value->>'cells',
        value->>'last_cell'
        from json_each(${at.rows})`
  return {
    compile: () =>
      sql`insert into ad_deliveries (account_id, ${columns}) select * from (${rows}) as given where true
        on conflict (account_id, promotion_id, from_time) do update
        set cells = ad_deliveries.cells || excluded.cells, last_cell = excluded.last_cell, until_time = excluded.until_time,
          impressions = ad_deliveries.impressions + excluded.impressions,
          engagements = ad_deliveries.engagements + excluded.engagements,
          charged = ad_deliveries.charged + excluded.charged`.compile(db),
  }
})

/** The levels by which the ledger is read. */
export const LEDGER_LEVELS = [
  'account_id',
  'funding_instrument_id',
  'campaign_id',
  'line_item_id',
  'promotion_id',
] as const

export type LedgerLevel = (typeof LEDGER_LEVELS)[number]

/** A row of the ledger in which people are looked for. */
export type TouchpointRow = Pick<
  AdDeliveryRow,
  | 'promotion_id'
  | 'line_item_id'
  | 'campaign_id'
  | 'funding_instrument_id'
  | 'post_id'
  | 'from_time'
  | 'about'
  | 'cells'
  | 'last_cell'
  | 'impressions'
  | 'engagements'
>

/** When the first row of the ledger of an account begins. */
export const firstDelivery = query<{ account: string }, { from_time: number }>('firstDelivery', (db, at) =>
  db
    .selectFrom('ad_deliveries')
    .select('from_time')
    .where('account_id', '=', at.account)
    .orderBy('from_time')
    .limit(1),
)

/** When the first row of a promotion begins. */
export const firstOfPromotion = query<{ account: string; promotion: string }, { from_time: number }>(
  'firstOfPromotion',
  (db, at) =>
    db
      .selectFrom('ad_deliveries')
      .select('from_time')
      .where('account_id', '=', at.account)
      .where('promotion_id', '=', at.promotion)
      .orderBy('from_time')
      .limit(1),
)

/** A row of the ledger with the id of what was asked for. */
export interface LedgerRow
  extends Pick<
    AdDeliveryRow,
    | 'from_time'
    | 'about'
    | 'cells'
    | 'last_cell'
    | 'funding_instrument_id'
    | 'campaign_id'
    | 'line_item_id'
    | 'promotion_id'
    | 'post_id'
  > {
  id: string
}

interface LedgerArgs {
  account: string
  /** A JSON list. */
  ids: string
  /** Rows that begin after this time, and before the other. */
  after: number
  before: number
}

const ledgerOf = (level: LedgerLevel): Query<LedgerArgs, LedgerRow> =>
  query<LedgerArgs, LedgerRow>(`ledgerBy ${level}`, (db, at) => {
    const rows = db
      .selectFrom('ad_deliveries')
      .select([
        `${level} as id`,
        'funding_instrument_id',
        'campaign_id',
        'line_item_id',
        'promotion_id',
        'post_id',
        'from_time',
        'about',
        'cells',
        'last_cell',
      ])
      .where('account_id', '=', at.account)
      .where('from_time', '>', at.after)
      .where('from_time', '<', at.before)
    return level === 'account_id' ? rows : rows.where(anyIn(postgres(db), sql.ref(level), at.ids))
  })

/** The rows of the ledger of some accounts, funding instruments, campaigns and so on. */
export const ledgerBy = Object.fromEntries(
  LEDGER_LEVELS.map((level) => [level, ledgerOf(level)]),
) as Readonly<Record<LedgerLevel, Query<LedgerArgs, LedgerRow>>>

/** The rows of the ledger of an account with what people are looked for by. */
export const touchpointRows = query<Pick<LedgerArgs, 'account' | 'after' | 'before'>, TouchpointRow>(
  'touchpointRows',
  (db, at) =>
    db
      .selectFrom('ad_deliveries')
      .select([
        'promotion_id',
        'line_item_id',
        'campaign_id',
        'funding_instrument_id',
        'post_id',
        'from_time',
        'about',
        'cells',
        'last_cell',
        'impressions',
        'engagements',
      ])
      .where('account_id', '=', at.account)
      .where('from_time', '>', at.after)
      .where('from_time', '<', at.before)
      .orderBy('promotion_id')
      .orderBy('from_time'),
)

/**
 * The rows of the ledger with some posts, of any account. `ids` is a JSON list of first versions;
 * any version may have been promoted.
 */
export const ledgerOfPosts = query<
  { ids: string; after: number; before: number },
  Pick<AdDeliveryRow, 'post_id' | 'from_time' | 'cells' | 'last_cell'>
>('ledgerOfPosts', (db, at) =>
  db
    .selectFrom('posts')
    .innerJoin('ad_deliveries', 'ad_deliveries.post_id', 'posts.id')
    .select(['posts.first_version_id as post_id', 'from_time', 'cells', 'last_cell'])
    .where(anyIdIn(postgres(db), sql.ref('posts.first_version_id'), at.ids))
    .where('from_time', '>', at.after)
    .where('from_time', '<', at.before),
)

interface ActivityArgs extends LedgerArgs {
  /** The bounds of the window. */
  from: number
  until: number
}

/** When something was active: epoch milliseconds, the end exclusive. */
export interface ActivityRow {
  id: string
  from_time: number
  until_time: number
}

/** Which rows: those of some promotions, line items, campaigns or funding instruments, or all. */
export type ActivityFilter = LedgerLevel

const activityOf = (level: LedgerLevel, filter: ActivityFilter): Query<ActivityArgs, ActivityRow> =>
  query<ActivityArgs, ActivityRow>(`activity ${level} ${filter}`, (db, at) => {
    const rows = db
      .selectFrom('ad_deliveries')
      .select([
        `${level} as id`,
        sql<number>`min(from_time)`.as('from_time'),
        sql<number>`max(until_time)`.as('until_time'),
      ])
      .where('account_id', '=', at.account)
      .where('from_time', '>=', at.from)
      .where('from_time', '<', at.before)
      .where('until_time', '<=', at.until)
      .groupBy(level)
    return filter === 'account_id' ? rows : rows.where(anyIn(postgres(db), sql.ref(filter), at.ids))
  })

/** Rows that begin before a window, or end after it. */
const edgesOf = (level: LedgerLevel, filter: ActivityFilter) =>
  query<ActivityArgs, ActivityRow & Pick<AdDeliveryRow, 'cells' | 'last_cell'>>(
    `activity edges ${level} ${filter}`,
    (db, at) => {
      const rows = db
        .selectFrom('ad_deliveries')
        .select([`${level} as id`, 'from_time', 'until_time', 'cells', 'last_cell'])
        .where('account_id', '=', at.account)
        .where('from_time', '>', at.after)
        .where('from_time', '<', at.before)
        .where('until_time', '>', at.from)
        .where((where) => where.or([where('from_time', '<', at.from), where('until_time', '>', at.until)]))
      return filter === 'account_id' ? rows : rows.where(anyIn(postgres(db), sql.ref(filter), at.ids))
    },
  )

type ByLevelAndFilter<Each> = Readonly<Record<LedgerLevel, Readonly<Record<ActivityFilter, Each>>>>

const byLevelAndFilter = <Each>(make: (level: LedgerLevel, filter: ActivityFilter) => Each) =>
  Object.fromEntries(
    LEDGER_LEVELS.map((level) => [
      level,
      Object.fromEntries(LEDGER_LEVELS.map((filter) => [filter, make(level, filter)])),
    ]),
  ) as ByLevelAndFilter<Each>

/** When rows within a window were active, by what they belong to. */
export const activity = byLevelAndFilter(activityOf)

/** The rows at the edges of a window. */
export const activityEdges = byLevelAndFilter(edgesOf)

/** The impressions of a line item on one day, with who could see it. */
export interface ReachRow extends Pick<AdDeliveryRow, 'line_item_id' | 'about'> {
  id: string
  day: number
  impressions: number
}

/** The impressions of rows within a window, by line item and day of UTC. */
export const reachBy = Object.fromEntries(
  (['campaign_id', 'funding_instrument_id'] as const).map((level) => [
    level,
    query<ActivityArgs, ReachRow>(`reachBy ${level}`, (db, at) => ({
      compile: () =>
        sql`select ${sql.ref(level)} as id, line_item_id, about, from_time / 86400000 as day,
            cast(sum(impressions) as bigint) as impressions
          from ad_deliveries
          where account_id = ${at.account} and ${anyIn(postgres(db), sql.ref(level), at.ids)}
            and from_time >= ${at.from} and from_time < ${at.before} and until_time <= ${at.until}
          group by ${sql.ref(level)}, line_item_id, about, from_time / 86400000`.compile(db),
    })),
  ]),
) as Readonly<Record<'campaign_id' | 'funding_instrument_id', Query<ActivityArgs, ReachRow>>>

/** The rows at the edges of a window, for the same. */
export const reachEdges = Object.fromEntries(
  (['campaign_id', 'funding_instrument_id'] as const).map((level) => [
    level,
    query<ActivityArgs, LedgerRow>(`reachEdges ${level}`, (db, at) =>
      db
        .selectFrom('ad_deliveries')
        .select([
          `${level} as id`,
          'funding_instrument_id',
          'campaign_id',
          'line_item_id',
          'promotion_id',
          'post_id',
          'from_time',
          'about',
          'cells',
          'last_cell',
        ])
        .where('account_id', '=', at.account)
        .where(anyIn(postgres(db), sql.ref(level), at.ids))
        .where('from_time', '>', at.after)
        .where('from_time', '<', at.before)
        .where('until_time', '>', at.from)
        .where((where) => where.or([where('from_time', '<', at.from), where('until_time', '>', at.until)])),
    ),
  ]),
) as Readonly<Record<'campaign_id' | 'funding_instrument_id', Query<ActivityArgs, LedgerRow>>>
