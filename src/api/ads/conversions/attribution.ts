import { cellsByHour, clickOf, clickTime, rowsOfHour } from '../../../domain/ad-delivery/clicks.ts'
import type { DeliveryAbout } from '../../../domain/ad-delivery/ledger.ts'
import { touchpointsIn } from '../../../domain/ad-delivery/touchpoints.ts'
import {
  firstDelivery,
  ledgerBy,
  type TouchpointRow,
  touchpointRows,
} from '../../../domain/ad-delivery/queries.ts'
import { hashText } from '../../../domain/ad-delivery/random.ts'
import { platformSegments, segmentOf } from '../../../domain/ad-delivery/segments.ts'
import { DAY_MS, HOUR_MS } from '../../../domain/ad-delivery/time-zone.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { ConversionRow } from './tables.ts'

/** Whether a person acted on an advertisement or only saw it. */
type Way = 'engagement' | 'view'

/** What led to a conversion: columns of its row. */
export type Attribution = Pick<
  ConversionRow,
  'way' | 'promotion_id' | 'line_item_id' | 'campaign_id' | 'funding_instrument_id' | 'platform'
>

const UNATTRIBUTED: Attribution = {
  way: null,
  promotion_id: null,
  line_item_id: null,
  campaign_id: null,
  funding_instrument_id: null,
  platform: null,
}

/** A conversion, and how long before it an advertisement may have led to it. */
export interface Attributable
  extends Pick<ConversionRow, 'converted_at' | 'click_id' | 'hashed_email' | 'hashed_phone_number'> {
  readonly clickWindowMs: number
  readonly viewWindowMs: number
}

type Reader = Pick<Store, 'all' | 'first'>

/**
 * Older conversions are counted, and attributed to nothing (reference: conversions, unknowns): the
 * work does not grow with their age.
 */
const MAX_AGE_MS = 30 * DAY_MS

/** Rows of the ledger last a local day, which has up to 25 hours. */
const ROW_MS = 26 * HOUR_MS

/**
 * Finds what led to conversions of an account: the click that an identifier names; otherwise the
 * last engagement of the person within the click window, or else the last view within the view
 * window (ADR 0076).
 */
export async function attributionsOf(
  account: string,
  conversions: readonly Attributable[],
  { store, nowMs }: { store: Reader; nowMs: number },
): Promise<Attribution[]> {
  const isOld = ({ converted_at }: Attributable) => converted_at < nowMs - MAX_AGE_MS
  const byClick: (Attribution | undefined)[] = []
  for (const one of conversions)
    byClick.push(isOld(one) ? undefined : await clickOfConversion(account, one, store))
  const searches = conversions.map((one, at) => (byClick[at] || isOld(one) ? undefined : searchFor(one)))
  await searchLedger(
    account,
    searches.filter((one) => one !== undefined),
    store,
  )
  return conversions.map((_, at) => byClick[at] ?? found(searches[at]))
}

async function clickOfConversion(
  account: string,
  { click_id, converted_at, clickWindowMs }: Attributable,
  store: Reader,
): Promise<Attribution | undefined> {
  const click = click_id === null ? undefined : clickOf(click_id)
  if (!click_id || !click) return undefined
  const { promotion, hour, index } = click
  const ids = JSON.stringify([promotion])
  const rows = await store.all(ledgerBy.promotion_id, { account, ids, ...rowsOfHour(hour) })
  const window = { fromMs: hour * HOUR_MS, untilMs: (hour + 1) * HOUR_MS }
  const timeMs = clickTime(cellsByHour(rows, window).get(hour) ?? [], index)
  const [row] = rows.toSorted((one, other) => one.from_time - other.from_time)
  if (!row || timeMs === undefined || timeMs > converted_at || timeMs < converted_at - clickWindowMs)
    return undefined
  return attributedTo(row, { way: 'engagement', person: hashText(click_id) })
}

type CreditedRow = Omit<TouchpointRow, 'cells' | 'last_cell' | 'engagements' | 'impressions' | 'from_time'>

function attributedTo(
  { about, promotion_id, line_item_id, campaign_id, funding_instrument_id }: CreditedRow,
  { way, person }: { way: Way; person: number },
): Attribution {
  const { targeted } = JSON.parse(about) as DeliveryAbout
  const platform = segmentOf(platformSegments(targeted?.PLATFORM), person)?.value ?? null
  return { way, promotion_id, line_item_id, campaign_id, funding_instrument_id, platform }
}

/** What is looked for in the ledger, and what was found so far. */
interface Search {
  readonly person: number
  readonly atMs: number
  readonly since: Readonly<Record<Way, number>>
  readonly last: Partial<Record<Way, { readonly timeMs: number; readonly row: TouchpointRow }>>
}

/** Undefined without a key of a person. */
function searchFor(conversion: Attributable): Search | undefined {
  const { converted_at: atMs, clickWindowMs, viewWindowMs } = conversion
  const key = conversion.hashed_email ?? conversion.hashed_phone_number
  if (key === null) return undefined
  const since = { engagement: atMs - clickWindowMs, view: atMs - viewWindowMs }
  return { person: hashText(key), atMs, since, last: {} }
}

function found(search: Search | undefined): Attribution {
  for (const way of ['engagement', 'view'] as const) {
    const met = search?.last[way]
    if (search && met) return attributedTo(met.row, { way, person: search.person })
  }
  return UNATTRIBUTED
}

/** Reads the ledger backwards, a day at a time, as long as one of the searches goes on. */
async function searchLedger(account: string, searches: readonly Search[], store: Reader): Promise<void> {
  const first = await store.first(firstDelivery, { account })
  const slices = new Slices()
  let untilMs = Number.POSITIVE_INFINITY
  while (first) {
    const open = searches.filter((search) => isOpen(search, untilMs))
    untilMs = Math.min(untilMs, Math.max(...open.map(({ atMs }) => atMs)))
    if (!(untilMs > first.from_time)) return
    const fromMs = untilMs - DAY_MS
    const rows = await store.all(touchpointRows, { account, after: fromMs - 1, before: untilMs })
    for (const row of rows) {
      const touchpointsOf = touchpointsIn(row)
      for (const search of open) look(search, row, touchpointsOf)
      if (slices.isOver) await slices.next()
    }
    untilMs = fromMs
  }
}

/** Whether rows that begin before a time may have what is looked for. */
function isOpen({ since, last }: Search, untilMs: number): boolean {
  const { engagement } = last
  return untilMs + ROW_MS > (engagement ? engagement.timeMs : since.engagement)
}

function look(
  { person, atMs, since, last }: Search,
  row: TouchpointRow,
  touchpointsOf: ReturnType<typeof touchpointsIn>,
): void {
  if (row.from_time >= atMs) return
  const { engagedAtMs, viewedAtMs } = touchpointsOf(person, atMs)
  for (const [way, timeMs] of [
    ['engagement', engagedAtMs],
    ['view', viewedAtMs],
  ] as const) {
    if (timeMs === null || timeMs < since[way]) continue
    const known = last[way]
    // Rows of a day are in the order of their promotions: the first of several at once counts.
    const isLater = !known || timeMs > known.timeMs
    if (isLater) last[way] = { timeMs, row }
  }
}
