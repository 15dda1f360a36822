import { type RawBuilder, sql } from 'kysely'
import {
  type ActivityFilter,
  type ActivityRow,
  LEDGER_LEVELS,
  type LedgerLevel,
} from '../../../domain/ad-delivery/queries.ts'
import { insertion } from '../../../platform/storage/insertion.ts'
import type { Query } from '../../../platform/storage/query.ts'
import { anyIn, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import type { ConversionKind } from './kinds.ts'
import { type ConversionRow, conversions } from './tables.ts'

interface OfTags {
  readonly account: string
  /** Ids as a JSON list. */
  readonly tags: string
}

/** A web event tag, as far as conversions need it. Windows are in days. */
export interface TagOfConversions {
  id: string
  type: string
  click_window: number
  view_through_window: number
}

export const tagsOfConversions = query<OfTags, TagOfConversions>('tagsOfConversions', (db, at) =>
  db
    .selectFrom('web_event_tags')
    .select(['id', 'type', 'click_window', 'view_through_window'])
    .where('account_id', '=', at.account)
    .where(anyIn(postgres(db), sql.ref('id'), at.tags))
    .where('deleted', '=', 0),
)

export const markTracked = query<OfTags & { now: number }>('markTracked', (db, at) =>
  db
    .updateTable('web_event_tags')
    .set({ status: 'TRACKING', last_tracked_at: at.now })
    .where('account_id', '=', at.account)
    .where(anyIn(postgres(db), sql.ref('id'), at.tags)),
)

type Named = Pick<ConversionRow, 'web_event_tag_id' | 'conversion_id'>

/** The conversions with these tags and names that have been received since a time. */
export const sameConversions = query<{ tags: string; names: string; since: number }, Named>(
  'sameConversions',
  (db, at) =>
    db
      .selectFrom('conversions')
      .select(['web_event_tag_id', 'conversion_id'])
      .where(anyIn(postgres(db), sql.ref('web_event_tag_id'), at.tags))
      .where(anyIn(postgres(db), sql.ref('conversion_id'), at.names))
      .where('conversion_id', 'is not', null)
      .where('received_at', '>=', at.since),
)

export const addConversions = insertion<ConversionRow>('addConversion', conversions, columnNames(conversions))

/** The entities that conversions are counted for. */
export const CONVERSION_LEVELS = ['promotion_id', 'line_item_id', 'campaign_id'] as const
export type ConversionLevel = (typeof CONVERSION_LEVELS)[number]

const DIVISIONS = ['all', 'platform', 'web_event_tag_id', 'person'] as const
export type Division = (typeof DIVISIONS)[number]

interface SumsArgs {
  readonly account: string
  /** A JSON list. */
  readonly ids: string
  /** A JSON list of kinds of conversions. */
  readonly kinds: string
  /** The start of the periods. */
  readonly start: number
  readonly from: number
  readonly until: number
  /** Milliseconds of a period. */
  readonly step: number
}

/** What the conversions of one type have in common, and their sums. */
export interface ConversionSums {
  id: string
  /** Periods since the start. */
  period: number
  kind: ConversionKind
  type: string
  way: string
  /** Platform or web event tag; empty if they are not divided by one. */
  segment: string
  /** If they are divided by people: which people, and who could see what led to it. */
  person: number
  line_item_id: string
  about: string
  conversions: number
  items: number
  /** Their values: units of the currency, and millionths besides. */
  units: number
  micros: number
}

const sumsOf = (level: ConversionLevel, by: Division): Query<SumsArgs, ConversionSums> =>
  query<SumsArgs, ConversionSums>(`conversionSums ${level} ${by}`, (db, at) => {
    const hasSegment = by === 'platform' || by === 'web_event_tag_id'
    const segment = hasSegment ? sql`coalesce(${sql.ref(by)}, '')` : sql`''`
    const people =
      by === 'person' ? sql`person, line_item_id, about` : sql`0 as person, '' as line_item_id, '' as about`
    const sum = (amount: RawBuilder<unknown>) => sql`cast(sum(${amount}) as bigint)`
    return {
      compile: () =>
        sql`select ${sql.ref(level)} as id, cast((converted_at - ${at.start}) / ${at.step} as bigint) as period,
            kind, type, way, ${segment} as segment, ${people}, count(*) as conversions, ${sum(sql`number_items`)} as items,
            ${sum(sql`value_micro / 1000000`)} as units, ${sum(sql`value_micro % 1000000`)} as micros
          from conversions
          where account_id = ${at.account} and ${sql.ref(level)} is not null
            and ${anyIn(postgres(db), sql.ref(level), at.ids)}
            and converted_at >= ${at.from} and converted_at < ${at.until}
            and ${anyIn(postgres(db), sql.ref('kind'), at.kinds)}
          group by 1, 2, 3, 4, 5, 6, 7, 8, 9 order by 1, 2, 3, 4, 5, 6, 7, 8, 9`.compile(db),
    }
  })

const byLevel = <Each>(make: (level: ConversionLevel) => Each) =>
  Object.fromEntries(CONVERSION_LEVELS.map((level) => [level, make(level)])) as Readonly<
    Record<ConversionLevel, Each>
  >

/** Conversions by what led to them, by period, type and segment. */
export const conversionSums = byLevel(
  (level) =>
    Object.fromEntries(DIVISIONS.map((by) => [by, sumsOf(level, by)])) as Readonly<
      Record<Division, Query<SumsArgs, ConversionSums>>
    >,
)

/** The names of web event tags, also of deleted ones. */
export const namesOfTags = query<OfTags, { id: string; name: string }>('namesOfTags', (db, at) =>
  db
    .selectFrom('web_event_tags')
    .select(['id', 'name'])
    .where('account_id', '=', at.account)
    .where(anyIn(postgres(db), sql.ref('id'), at.tags)),
)

interface ReceivedArgs {
  readonly account: string
  readonly ids: string
  readonly from: number
  readonly until: number
}

const receivedOf = (level: LedgerLevel, filter: LedgerLevel) =>
  query<ReceivedArgs, ActivityRow>(`conversionActivity ${level} ${filter}`, (db, at) => {
    const rows = db
      .selectFrom('conversions')
      .select([
        sql<string>`${sql.ref(level)}`.as('id'),
        sql<number>`min(converted_at)`.as('from_time'),
        sql<number>`max(converted_at)`.as('until_time'),
      ])
      .where('account_id', '=', at.account)
      .where('campaign_id', 'is not', null)
      .where('received_at', '>=', at.from)
      .where('received_at', '<', at.until)
      .groupBy(level)
    return filter === 'account_id' ? rows : rows.where(anyIn(postgres(db), sql.ref(filter), at.ids))
  })

/** From when to when conversions happened that were received in a window, by what led to them. */
export const conversionActivity = Object.fromEntries(
  LEDGER_LEVELS.map((level) => [
    level,
    Object.fromEntries(LEDGER_LEVELS.map((filter) => [filter, receivedOf(level, filter)])),
  ]),
) as Readonly<Record<LedgerLevel, Readonly<Record<ActivityFilter, Query<ReceivedArgs, ActivityRow>>>>>
