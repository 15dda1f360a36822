import type { LedgerLevel } from '../../../domain/ad-delivery/queries.ts'
import { platformSegments, type Segment } from '../../../domain/ad-delivery/segments.ts'
import { type Int64, int64Of } from '../../../platform/common/int64.ts'
import type { Store } from '../../../platform/storage/store.ts'
import {
  CONVERSION_LEVELS,
  type ConversionLevel,
  type ConversionSums,
  conversionSums,
  namesOfTags,
} from '../conversions/queries.ts'
import type { FiguresQuery } from './figures.ts'
import { levelOf } from './figures.ts'
import type { Segmentation } from './segments.ts'
import { lengthOf, stepOf } from './window.ts'

/** The metric that counts conversions of each type of web event tag. */
const METRICS: Readonly<Record<string, string>> = {
  ADDED_PAYMENT_INFO: 'conversion_payment_info_additions',
  ADD_TO_CART: 'conversion_add_to_carts',
  ADD_TO_WISHLIST: 'conversion_add_to_wishlists',
  CHECKOUT_INITIATED: 'conversion_checkouts_initiated',
  CONTENT_VIEW: 'conversion_content_views',
  CUSTOM: 'conversion_custom',
  DOWNLOAD: 'conversion_downloads',
  PRODUCT_CUSTOMIZATION: 'conversion_custom',
  PURCHASE: 'conversion_purchases',
  SEARCH: 'conversion_searches',
  SIGN_UP: 'conversion_sign_ups',
  SITE_VISIT: 'conversion_site_visits',
  START_TRIAL: 'conversion_custom',
  SUBSCRIBE: 'conversion_subscriptions',
}

/** One conversion metric: a list for each member. What is all zeros is null. */
type ConversionFigures = Record<string, readonly Int64[] | null>

/** The conversions of a segment, or all of them, by metric. */
export interface SegmentConversions {
  readonly segment: Segment | null
  readonly metrics: Readonly<Record<string, ConversionFigures>>
}

type ConversionsQuery = Pick<FiguresQuery, 'account' | 'entity' | 'ids' | 'window' | 'granularity'> & {
  readonly segmentation: Segmentation | null
}

const isCounted = (level: LedgerLevel | undefined): level is ConversionLevel =>
  CONVERSION_LEVELS.some((known) => known === level)

/** Sums conversions by the time at which they happened: for each id, those of its segments. */
export async function conversionsOf(
  store: Pick<Store, 'all'>,
  query: ConversionsQuery,
): Promise<Map<string, Map<string, SegmentConversions>>> {
  const { account, entity, ids, window, granularity, segmentation } = query
  const level = levelOf(entity)
  if (!isCounted(level)) return new Map()
  const by =
    segmentation === null ? 'all' : segmentation === 'CONVERSION_TAGS' ? 'web_event_tag_id' : 'platform'
  const rows = await store.all(conversionSums[level][by], {
    account,
    ids: JSON.stringify(ids),
    from: window.fromMs,
    until: window.untilMs,
    step: stepOf(window, granularity),
  })
  const segmentAt = await segmentsOf(rows, { account, by }, store)
  const length = lengthOf(window, granularity)
  return grouped(rows, 'id', (ofId) =>
    grouped(ofId, 'segment', (ofSegment, value) => ({
      segment: segmentAt(value),
      metrics: Object.fromEntries(
        Map.groupBy(ofSegment, ({ type }) => METRICS[type] ?? 'conversion_custom')
          .entries()
          .map(([name, ofMetric]) => [name, seriesOf(ofMetric, length)]),
      ),
    })),
  )
}

const grouped = <Made>(
  rows: readonly ConversionSums[],
  by: 'id' | 'segment',
  make: (rows: readonly ConversionSums[], value: string) => Made,
): Map<string, Made> =>
  new Map(
    Map.groupBy(rows, (row) => row[by])
      .entries()
      .map(([value, list]) => [value, make(list, value)]),
  )

/** The segments that conversions are divided into, by their values. */
async function segmentsOf(
  rows: readonly ConversionSums[],
  { account, by }: { account: string; by: 'all' | 'platform' | 'web_event_tag_id' },
  store: Pick<Store, 'all'>,
): Promise<(value: string) => Segment | null> {
  if (by === 'all') return () => null
  const ids = [...new Set(rows.map(({ segment }) => segment))]
  const named =
    by === 'platform'
      ? platformSegments()
      : (await store.all(namesOfTags, { account, tags: JSON.stringify(ids) })).map(({ id, name }) => ({
          value: id,
          name,
        }))
  const names = new Map(named.map(({ value, name }) => [value, name]))
  return (value) => ({ value, name: names.get(value) ?? value, weight: 1 })
}

const MICROS = 1_000_000n

/** The members of a conversion metric that are sums, and what of a row they add. */
const MEMBERS: readonly (readonly [name: string, amountOf: (row: ConversionSums) => bigint])[] = [
  ['order_quantity', ({ items }) => BigInt(items) * MICROS],
  // In two parts, whose sums cannot overflow.
  ['sale_amount', ({ units, micros }) => BigInt(units) * MICROS + BigInt(micros)],
]

function seriesOf(rows: readonly ConversionSums[], length: number): ConversionFigures {
  const sum = (amountOf: (row: ConversionSums) => bigint, way?: string) => {
    const list = new Array<bigint>(length).fill(0n)
    for (const row of rows) {
      // The last period is longer when clocks change.
      const at = Math.min(length - 1, row.period)
      if (way === undefined || row.way === way) list[at] = (list[at] ?? 0n) + amountOf(row)
    }
    return list.some((value) => value !== 0n) ? list.map((value) => int64Of(String(value))) : null
  }
  const count = ({ conversions }: ConversionSums) => BigInt(conversions)
  return {
    metric: sum(count),
    post_view: sum(count, 'view'),
    post_engagement: sum(count, 'engagement'),
    assisted: null,
    ...Object.fromEntries(
      MEMBERS.flatMap(([name, amountOf]) => [
        [name, sum(amountOf)],
        [`${name}_view`, sum(amountOf, 'view')],
        [`${name}_engagement`, sum(amountOf, 'engagement')],
      ]),
    ),
  }
}
