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
import { platformSegments, type Segment, segmentOf } from '../../../domain/ad-delivery/segments.ts'
import { DAY_MS, HOUR_MS } from '../../../domain/ad-delivery/time-zone.ts'
import { SharedGate } from '../../../platform/common/gate.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { ConversionRow } from './tables.ts'

/** Whether a person acted on an advertisement or only saw it. */
type Way = 'engagement' | 'view'

const WAYS: readonly Way[] = ['engagement', 'view']

/** The touchpoint that led to a conversion. */
export interface Credit {
  readonly way: Way
  readonly timeMs: number
  /** Whether an identifier names it. Otherwise, it was found by a hash of the person. */
  readonly isNamed: boolean
  /** A hash that stands for the person. */
  readonly person: number
  readonly row: Omit<TouchpointRow, 'cells' | 'last_cell' | 'engagements' | 'impressions' | 'from_time'>
}

/** Who converted and when, and how long before an advertisement may have led to it. */
export interface Attributable {
  readonly atMs: number
  /** Texts that may name clicks. */
  readonly clickIds: readonly string[]
  /** Hashes that stand for the person. */
  readonly people: readonly string[]
  /** Targeting value of the person's platform, if it is known. */
  readonly platform?: string
  readonly clickWindowMs: number
  readonly viewWindowMs: number
}

/** What led to a conversion: columns of its row. */
export type Attribution = Pick<
  ConversionRow,
  | 'way'
  | 'promotion_id'
  | 'line_item_id'
  | 'campaign_id'
  | 'funding_instrument_id'
  | 'platform'
  | 'person'
  | 'about'
>

const UNATTRIBUTED: Attribution = {
  way: null,
  promotion_id: null,
  line_item_id: null,
  campaign_id: null,
  funding_instrument_id: null,
  platform: null,
  person: null,
  about: null,
}

/** Parts of the people: those of a part are in the same segments. */
const PEOPLE = 10_000

export function attributionOf(credit: Credit | undefined, platform?: string): Attribution {
  if (!credit) return UNATTRIBUTED
  const { way, person, row } = credit
  const { about, promotion_id, line_item_id, campaign_id, funding_instrument_id } = row
  const ids = { promotion_id, line_item_id, campaign_id, funding_instrument_id }
  const reached = platform ?? segmentOf(platformsOf(row), person)?.value ?? null
  return { way, ...ids, platform: reached, person: person % PEOPLE, about }
}

/** The platforms of the people who could see something. */
const platformsOf = ({ about }: { readonly about: string }): readonly Segment[] =>
  platformSegments((JSON.parse(about) as DeliveryAbout).targeted?.PLATFORM)

type Reader = Pick<Store, 'all' | 'first'>

/**
 * Older conversions are counted, and attributed to nothing (reference: conversions, unknowns): the
 * work does not grow with their age.
 */
const MAX_AGE_MS = 30 * DAY_MS

/** Whether a conversion is too old to be attributed. */
export const isOld = (atMs: number, nowMs: number) => atMs < nowMs - MAX_AGE_MS

/** Rows of the ledger last a local day, which has up to 25 hours. */
const ROW_MS = 26 * HOUR_MS

/**
 * Finds what led to conversions of an account: the click that an identifier names; otherwise the
 * last engagement of the person within the click window, or else the last view within the view
 * window (ADR 0076).
 */
export async function creditsOf(
  account: string,
  conversions: readonly Attributable[],
  { store, nowMs }: { store: Reader; nowMs: number },
): Promise<(Credit | undefined)[]> {
  const byClick: (Credit | undefined)[] = []
  for (const one of conversions)
    byClick.push(isOld(one.atMs, nowMs) ? undefined : await namedClick(account, one, store))
  const searches = conversions.map((one, at) =>
    byClick[at] || isOld(one.atMs, nowMs) ? undefined : searchFor(one),
  )
  const open = searches.filter((one) => one !== undefined)
  if (open.length > 0) await reading.through(account, () => searchLedger(account, open, store))
  return conversions.map((_, at) => byClick[at] ?? found(searches[at]))
}

/** The best of some credits: a named click before the last engagement before the last view. */
export const bestOf = <Given extends Credit>(credits: readonly Given[]): Given | undefined =>
  credits.toSorted(
    (one, other) =>
      Number(other.isNamed) - Number(one.isNamed) ||
      WAYS.indexOf(one.way) - WAYS.indexOf(other.way) ||
      other.timeMs - one.timeMs,
  )[0]

/** The last click within the click window that one of the identifiers names. */
async function namedClick(
  account: string,
  { clickIds, atMs, clickWindowMs, platform }: Attributable,
  store: Reader,
): Promise<Credit | undefined> {
  const credits: Credit[] = []
  for (const id of clickIds) {
    const click = clickOf(id)
    if (!click) continue
    const { promotion, hour, index } = click
    const ids = JSON.stringify([promotion])
    const rows = await store.all(ledgerBy.promotion_id, { account, ids, ...rowsOfHour(hour) })
    const window = { fromMs: hour * HOUR_MS, untilMs: (hour + 1) * HOUR_MS }
    const timeMs = clickTime(cellsByHour(rows, window).get(hour) ?? [], index)
    const [row] = rows.toSorted((one, other) => one.from_time - other.from_time)
    if (!row || timeMs === undefined || timeMs > atMs || timeMs < atMs - clickWindowMs) continue
    if (isReached(row, platform))
      credits.push({ way: 'engagement', timeMs, isNamed: true, person: hashText(id), row })
  }
  return bestOf(credits)
}

/** Whether something can be seen on a platform. */
const isReached = (row: { readonly about: string }, platform: string | undefined): boolean =>
  platform === undefined || platformsOf(row).some(({ value }) => value === platform)

/** What is looked for in the ledger, and what was found so far. */
interface Search {
  readonly people: readonly number[]
  readonly platform: string | undefined
  readonly atMs: number
  readonly since: Readonly<Record<Way, number>>
  readonly last: Partial<Record<Way, Credit>>
}

/** Undefined without a key of a person. */
function searchFor({ atMs, people, platform, ...windows }: Attributable): Search | undefined {
  if (people.length === 0) return undefined
  const since = {
    engagement: atMs - windows.clickWindowMs,
    // A window of 0 has no views, not even at the same time.
    view: windows.viewWindowMs > 0 ? atMs - windows.viewWindowMs : Number.POSITIVE_INFINITY,
  }
  return { people: people.map(hashText), platform, atMs, since, last: {} }
}

const found = (search: Search | undefined): Credit | undefined =>
  search && (search.last.engagement ?? search.last.view)

/**
 * Each search of a ledger has the rows of a day in memory: further ones wait. Of one account, one
 * search computes while another waits for rows; more would not be faster.
 */
const reading = new SharedGate(8, { maxWaiting: 10_000, maxWaitingOfOne: 10_000, widthOfOne: 2 })

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
  { people, platform, atMs, since, last }: Search,
  row: TouchpointRow,
  touchpointsOf: ReturnType<typeof touchpointsIn>,
): void {
  if (row.from_time >= atMs) return
  for (const person of people) {
    const { engagedAtMs, viewedAtMs } = touchpointsOf(person, atMs)
    for (const [way, timeMs] of [
      ['engagement', engagedAtMs],
      ['view', viewedAtMs],
    ] as const) {
      if (timeMs === null || timeMs < since[way]) continue
      const known = last[way]
      // Rows of a day are in the order of their promotions: the first of several at once counts.
      const isLater = !known || timeMs > known.timeMs
      if (isLater && isReached(row, platform)) last[way] = { way, timeMs, isNamed: false, person, row }
    }
  }
}
