import type { LedgerLevel } from '../../../domain/ad-delivery/queries.ts'
import { platformSegments, type Segment } from '../../../domain/ad-delivery/segments.ts'
import { DAY_MS } from '../../../domain/ad-delivery/time-zone.ts'
import { type Int64, int64Of } from '../../../platform/common/int64.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { CONVERSION_KINDS, type ConversionKind, KINDS, metricOf } from '../conversions/kinds.ts'
import {
  CONVERSION_LEVELS,
  type ConversionLevel,
  type ConversionSums,
  conversionSums,
  type Division,
  namesOfTags,
} from '../conversions/queries.ts'
import type { FiguresQuery } from './figures.ts'
import { levelOf } from './figures.ts'
import { hasGroup, type MetricGroup } from './metrics.ts'
import { type Segmentation, segmentOfPerson, segmentsFor } from './segments.ts'
import { lengthOf, stepOf } from './window.ts'

/** One conversion metric: a list for each member. What is all zeros is null. */
type ConversionFigures = Record<string, readonly Int64[] | null>

/** The conversions of a segment, or all of them, by metric. */
export interface SegmentConversions {
  readonly segment: Segment | null
  readonly metrics: Readonly<Record<string, ConversionFigures>>
}

type ConversionsQuery = Pick<FiguresQuery, 'account' | 'entity' | 'ids' | 'window' | 'granularity'> & {
  readonly groups: readonly MetricGroup[]
  readonly segmentation: Segmentation | null
  /** Targeting value. */
  readonly country: string | null
}

/** The sums of a period, type and segment. */
interface Sums
  extends Pick<
    ConversionSums,
    'id' | 'period' | 'kind' | 'type' | 'way' | 'conversions' | 'items' | 'units' | 'micros'
  > {
  readonly segment: Segment | null
}

const isCounted = (level: LedgerLevel | undefined): level is ConversionLevel =>
  CONVERSION_LEVELS.some((known) => known === level)

/** Sums conversions by the time at which they happened: for each id, those of its segments. */
export async function conversionsOf(
  store: Pick<Store, 'all'>,
  query: ConversionsQuery,
): Promise<Map<string, Map<string, SegmentConversions>>> {
  const { entity, groups } = query
  const level = levelOf(entity)
  const kinds = KINDS.filter((kind) => {
    const { group } = CONVERSION_KINDS[kind]
    return groups.includes(group) && hasGroup(entity, group)
  })
  if (!isCounted(level) || kinds.length === 0) return new Map()
  const rows = await sumsOf(store, query, { level, kinds })
  const length = lengthOf(query.window, query.granularity)
  return grouped(
    rows,
    ({ id }) => id,
    (ofId) =>
      grouped(
        ofId,
        ({ segment }) => segment?.value ?? '',
        (ofSegment) => ({
          segment: ofSegment[0]?.segment ?? null,
          metrics: Object.fromEntries(grouped(ofSegment, nameOf, (ofMetric) => seriesOf(ofMetric, length))),
        }),
      ),
  )
}

const nameOf = ({ kind, type }: Sums): string => metricOf(kind, type) ?? ''

const grouped = <Made>(
  rows: readonly Sums[],
  keyOf: (row: Sums) => string,
  make: (rows: readonly Sums[]) => Made,
): Map<string, Made> =>
  new Map(
    Map.groupBy(rows, keyOf)
      .entries()
      .map(([key, list]) => [key, make(list)]),
  )

interface Counting {
  readonly level: ConversionLevel
  readonly kinds: readonly ConversionKind[]
}

/** Reads conversions as sums of periods, types and segments. */
async function sumsOf(
  store: Pick<Store, 'all'>,
  query: ConversionsQuery,
  { level, kinds }: Counting,
): Promise<Sums[]> {
  const { account, ids, window, granularity, segmentation } = query
  const by = divisionOf(segmentation)
  const read = (fromMs: number, untilMs: number) =>
    store.all(conversionSums[level][by], {
      account,
      ids: JSON.stringify(ids),
      kinds: JSON.stringify(kinds),
      start: window.fromMs,
      step: stepOf(window, granularity),
      from: fromMs,
      until: untilMs,
    })
  if (segmentation === null || by !== 'person') {
    const rows = await read(window.fromMs, window.untilMs)
    const segmentAt = await namedSegments(rows, { account, by }, store)
    return rows.map((row) => ({ ...row, segment: segmentAt(row.segment) }))
  }
  // Almost every row is one conversion: they are read by the day, and added.
  const sums = new Map<string, Sums>()
  const slices = new Slices()
  for (let fromMs = window.fromMs; fromMs < window.untilMs; fromMs += DAY_MS) {
    const rows = await read(fromMs, Math.min(fromMs + DAY_MS, window.untilMs))
    const segmentsOf = await segmentsFor(rows, { ...query, type: segmentation }, store)
    for (const row of rows) {
      const segment = segmentOfPerson(segmentsOf(row), row.person, segmentation)
      if (segment) add(sums, { ...row, segment })
      if (slices.isOver) await slices.next()
    }
  }
  return [...sums.values()]
}

function add(sums: Map<string, Sums>, row: Sums): void {
  const { id, period, kind, type, way, segment } = row
  const key = JSON.stringify([id, period, kind, type, way, segment?.value])
  const known = sums.get(key)
  sums.set(
    key,
    known
      ? {
          ...known,
          conversions: known.conversions + row.conversions,
          items: known.items + row.items,
          units: known.units + row.units,
          micros: known.micros + row.micros,
        }
      : row,
  )
}

/** Platforms and tags are stored with a conversion; other segments follow from the person. */
const divisionOf = (segmentation: Segmentation | null): Division =>
  segmentation === null
    ? 'all'
    : segmentation === 'CONVERSION_TAGS'
      ? 'web_event_tag_id'
      : segmentation === 'PLATFORMS'
        ? 'platform'
        : 'person'

/** The platforms or tags that conversions are divided into, by their values. */
async function namedSegments(
  rows: readonly ConversionSums[],
  { account, by }: { account: string; by: Division },
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
const MEMBERS: readonly (readonly [name: string, amountOf: (row: Sums) => bigint])[] = [
  ['order_quantity', ({ items }) => BigInt(items) * MICROS],
  // In two parts, whose sums cannot overflow.
  ['sale_amount', ({ units, micros }) => BigInt(units) * MICROS + BigInt(micros)],
]

function seriesOf(rows: readonly Sums[], length: number): ConversionFigures {
  const sum = (amountOf: (row: Sums) => bigint, way?: string) => {
    const list = new Array<bigint>(length).fill(0n)
    for (const row of rows) {
      // The last period is longer when clocks change.
      const at = Math.min(length - 1, row.period)
      if (way === undefined || row.way === way) list[at] = (list[at] ?? 0n) + amountOf(row)
    }
    return list.some((value) => value !== 0n) ? list.map((value) => int64Of(String(value))) : null
  }
  const count = ({ conversions }: Sums) => BigInt(conversions)
  const figures: ConversionFigures = {
    post_view: sum(count, 'view'),
    post_engagement: sum(count, 'engagement'),
    assisted: null,
    ...Object.fromEntries(MEMBERS.map(([name, amountOf]) => [name, sum(amountOf)])),
  }
  if (rows[0]?.kind !== 'web') return figures
  return {
    ...figures,
    metric: sum(count),
    ...Object.fromEntries(
      MEMBERS.flatMap(([name, amountOf]) => WAYS.map((way) => [`${name}_${way}`, sum(amountOf, way)])),
    ),
  }
}

const WAYS = ['view', 'engagement'] as const
