import { cellsIn, earliestRow } from '../../../domain/ad-delivery/ledger.ts'
import { AT } from '../../../domain/ad-delivery/metrics.ts'
import { type LedgerLevel, type LedgerRow, ledgerBy } from '../../../domain/ad-delivery/queries.ts'
import { hashText, mixed } from '../../../domain/ad-delivery/random.ts'
import { divide, type Segment } from '../../../domain/ad-delivery/segments.ts'
import { DAY_MS, HOUR_MS } from '../../../domain/ad-delivery/time-zone.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { StatsEntity } from './metrics.ts'
import { type Granularity, lengthOf, periodOf, type Window } from './window.ts'

export interface FiguresQuery {
  readonly account: string
  readonly entity: StatsEntity
  readonly ids: readonly string[]
  readonly window: Window
  readonly granularity: Granularity
  /** The metrics with their places in the ledger. */
  readonly metrics: readonly (readonly [name: string, at: number])[]
  /** Divides what was delivered of some rows; undefined for the whole. */
  readonly segmentsOf?: (rows: readonly LedgerRow[]) => Promise<(row: LedgerRow) => readonly Segment[]>
}

/** The figures of a segment, or of everything: a list for each metric. */
export interface SegmentFigures {
  readonly segment: Segment | null
  readonly series: readonly number[][]
}

const LEVELS: Readonly<Record<StatsEntity, LedgerLevel | undefined>> = {
  ACCOUNT: 'account_id',
  CAMPAIGN: 'campaign_id',
  FUNDING_INSTRUMENT: 'funding_instrument_id',
  LINE_ITEM: 'line_item_id',
  MEDIA_CREATIVE: 'promotion_id',
  ORGANIC_POST: undefined,
  PROMOTED_ACCOUNT: 'promotion_id',
  PROMOTED_POST: 'promotion_id',
}

export const levelOf = (entity: StatsEntity): LedgerLevel | undefined => LEVELS[entity]

/** Days of the ledger that are read at once: fewer where more rows have one id. */
const DAYS_AT_ONCE: Readonly<Record<LedgerLevel, number>> = {
  account_id: 1,
  funding_instrument_id: 1,
  campaign_id: 7,
  line_item_id: 31,
  promotion_id: 93,
}

/** Sums the ledger: for each id, the figures of its segments. Ids without any are missing. */
export async function figuresOf(
  store: Pick<Store, 'all'>,
  query: FiguresQuery,
): Promise<Map<string, Map<string, SegmentFigures>>> {
  const { account, entity, ids, window, segmentsOf } = query
  const level = LEVELS[entity]
  const figures = new Map<string, Map<string, SegmentFigures>>()
  if (!level || query.metrics.length === 0) return figures
  const slices = new Slices()
  const stepMs = DAYS_AT_ONCE[level] * DAY_MS
  for (let fromMs = window.fromMs; fromMs < window.untilMs; fromMs += stepMs) {
    const part = { fromMs, untilMs: Math.min(fromMs + stepMs, window.untilMs) }
    const rows = await store.all(ledgerBy[level], {
      account,
      ids: JSON.stringify(ids),
      after: earliestRow(part.fromMs),
      before: part.untilMs,
    })
    const segments = await segmentsOf?.(rows)
    for (const row of rows) {
      addRow(row, { figures, part, segments: segments?.(row) }, query)
      if (slices.isOver) await slices.next()
    }
  }
  return figures
}

interface Adding {
  readonly figures: Map<string, Map<string, SegmentFigures>>
  readonly part: Window
  readonly segments: readonly Segment[] | undefined
}

function addRow(row: LedgerRow, { figures, part, segments }: Adding, query: FiguresQuery): void {
  const { metrics, window, granularity } = query
  const length = lengthOf(window, granularity)
  const ofId = figures.get(row.id) ?? new Map<string, SegmentFigures>()
  figures.set(row.id, ofId)
  const seriesOf = (segment: Segment | null) => {
    const key = segment?.value ?? ''
    const known = ofId.get(key)
    if (known) return known.series
    const series = metrics.map(() => new Array<number>(length).fill(0))
    ofId.set(key, { segment, series })
    return series
  }
  for (const { fromMs, counts } of cellsIn(row, part)) {
    const period = periodOf(fromMs, window, granularity, length)
    const wanted = metrics.map(([, at]) => counts[at] ?? 0)
    const hash = mixed(hashText(row.promotion_id), Math.floor(fromMs / HOUR_MS))
    const parts = segments ? divided(counts, metrics, { segments, hash }) : [wanted]
    for (const [at, values] of parts.entries()) {
      if (!values.some((value) => value > 0)) continue
      const series = seriesOf(segments?.[at] ?? null)
      for (const [metric, value] of values.entries()) {
        const list = series[metric]
        if (list) list[period] = (list[period] ?? 0) + value
      }
    }
  }
}

const CHARGE = AT.billed_charge_local_micro
const BILLED = AT.billed_engagements

/** The counts of each segment. What a segment is charged follows from what is billed of it. */
function divided(
  counts: readonly number[],
  metrics: FiguresQuery['metrics'],
  { segments, hash }: { segments: readonly Segment[]; hash: number },
): number[][] {
  const price = (counts[CHARGE] ?? 0) / Math.max(1, counts[BILLED] ?? 0)
  const whole = metrics.map(([, at]) => counts[at === CHARGE ? BILLED : at] ?? 0)
  return divide(whole, segments, hash).map((part) =>
    part.map((value, metric) => (metrics[metric]?.[1] === CHARGE ? value * price : value)),
  )
}
