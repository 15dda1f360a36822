import { cellText, type DeliveryAbout, joined } from '../../../domain/ad-delivery/ledger.ts'
import { AT, DELIVERED } from '../../../domain/ad-delivery/metrics.ts'
import { type DeliveringLineItem, type Delivery, deliver } from '../../../domain/ad-delivery/model.ts'
import { activeDays, hourEnd, hourStart } from '../../../domain/ad-delivery/pace.ts'
import type { Purse } from '../../../domain/ad-delivery/purse.ts'
import {
  addDeliveries,
  deliveryOfAccount,
  moveDelivery,
  putSpending,
  spendingByIds,
} from '../../../domain/ad-delivery/queries.ts'
import { hashText } from '../../../domain/ad-delivery/random.ts'
import { DAY_MS, type TimeZone, timeZone } from '../../../domain/ad-delivery/time-zone.ts'
import { addPromoted } from '../../../domain/analytics/promoted.ts'
import { Slices } from '../../../platform/common/slices.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { accountById } from '../accounts/queries.ts'
import type { AdsDependencies } from '../dependencies.ts'
import type { AudienceReader } from './audiences.ts'
import { type CandidateRow, candidates, shownAccounts, shownCreatives, shownPosts } from './queries.ts'
import {
  type Candidate,
  campaignPurse,
  delivering,
  fundingPurse,
  isFunded,
  lineItemState,
  purseState,
} from './state.ts'
import { inTrials, type Trials, trialsOf } from './trials.ts'

interface SettleParts extends Pick<AdsDependencies, 'store'> {
  readonly audiences: AudienceReader
  /** A change follows, after which line items may be delivered that could not be before. */
  readonly isChanging?: true
  /** Transactions after which it stops. Default: any number. */
  readonly maxSteps?: number
}

/** How often an account without line items that may be delivered is looked at. */
const IDLE_MS = DAY_MS
/** Hours of promoted posts that one transaction writes. */
const HOURS_AT_ONCE = 24_000

/**
 * Computes what the line items of an account have delivered until a time, in order, and writes it
 * to the ledger. If others compute the same, one of them writes: a computation begins where the
 * last one ended, and is discarded if that has changed. Resolves to whether it came to the end: a
 * request does not wait for years of the clock.
 */
export async function settle(account: string, untilMs: number, parts: SettleParts): Promise<boolean> {
  const { store, maxSteps = Number.POSITIVE_INFINITY } = parts
  for (let step = 0; ; step++) {
    const row = await store.first(deliveryOfAccount, { account })
    if (!row || row.delivered_until >= untilMs) return true
    if (step >= maxSteps) return false
    const delivery = await read(account, row.delivered_until, parts)
    const upTo = await compute(delivery, untilMs)
    const isWaiting = delivery.isWaiting || parts.isChanging === true
    const next = isWaiting ? hourEnd(delivery.zone, upTo) : upTo + IDLE_MS
    const move = {
      account,
      from: row.delivered_until,
      until: upTo,
      due: delivery.isOpen ? next : null,
      promotions: promotionsOf(delivery),
    }
    await store.write(async (tx) => {
      if ((await tx.run(moveDelivery, move)) > 0) await write(tx, delivery)
    })
  }
}

/** The line items of an account, and what is computed of them. */
interface AccountDelivery {
  readonly account: string
  readonly zone: TimeZone
  readonly fromMs: number
  /** Whether the account exists. */
  readonly isOpen: boolean
  /** Whether there are line items that may be delivered at some time. */
  readonly isWaiting: boolean
  readonly candidates: ReadonlyMap<string, Candidate>
  readonly lineItems: readonly DeliveringLineItem[]
  readonly trials: Trials
  readonly purses: ReadonlyMap<string, Purse>
  readonly rows: Map<string, LedgerEntry>
  /** What is added to the metrics of posts, by the ids that were promoted. */
  readonly posts: Map<string, number[]>
}

interface LedgerEntry {
  readonly promotion_id: string
  readonly from_time: number
  until_time: number
  readonly line_item_id: string
  readonly campaign_id: string
  readonly funding_instrument_id: string
  readonly post_id: string | null
  readonly about: string
  impressions: number
  engagements: number
  charged: number
  cells: string
  last_cell: string
}

async function read(
  account: string,
  fromMs: number,
  { store, audiences }: SettleParts,
): Promise<AccountDelivery> {
  const owner = await store.first(accountById, { id: account })
  const zone = timeZone(owner?.timezone ?? 'UTC')
  const isOpen = owner?.deleted === 0
  const listed = isOpen ? await store.all(candidates, { account, after: fromMs }) : []
  const live =
    owner?.approval_status === 'ACCEPTED' ? listed.filter((row) => row.held === 0 && isFunded(row)) : []
  const known = await readCandidates(account, live, store)
  await readAudiences(account, known, { audiences, day: zone.dayAt(fromMs).startMs })
  const purses = await readPurses(account, live, store)
  const lineItems = [...known.values()].map((candidate) => {
    const [campaign, funding] = [candidate.row.campaign_id, candidate.row.funding_instrument_id].map((id) =>
      purses.get(id),
    ) as [Purse, Purse]
    return delivering(candidate, { campaign, funding })
  })
  return {
    account,
    zone,
    fromMs,
    isOpen,
    isWaiting: listed.length > 0,
    candidates: known,
    lineItems,
    trials: await trialsOf(account, fromMs, store),
    purses,
    rows: new Map(),
    posts: new Map(),
  }
}

/** Line items that promote something that may be shown, in the order of their ids. */
async function readCandidates(
  account: string,
  rows: readonly CandidateRow[],
  store: SettleParts['store'],
): Promise<Map<string, Candidate>> {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const args = { account, ids }
  const [posts, accounts, creatives, spending] = await Promise.all([
    store.all(shownPosts, args),
    store.all(shownAccounts, args),
    store.all(shownCreatives, args),
    store.all(spendingByIds, args),
  ])
  const plain = { post_id: null, link: 0, card: 0, video: 0, carousel: 0, poll: 0 }
  const promotions = Map.groupBy(
    [...posts, ...[...accounts, ...creatives].map((row) => ({ ...plain, ...row }))],
    (row) => row.line_item_id,
  )
  const stored = new Map(spending.map((row) => [row.id, row]))
  return new Map(
    rows.flatMap((row) => {
      const shown = promotions.get(row.id)
      const state = lineItemState(stored.get(row.id))
      return shown ? [[row.id, { row, state, promotions: shown }] as const] : []
    }),
  )
}

/** Reads audiences again when the targeting has changed, and on each new day. */
async function readAudiences(
  account: string,
  known: ReadonlyMap<string, Candidate>,
  { audiences, day }: { audiences: AudienceReader; day: number },
): Promise<void> {
  const stale = [...known.values()].filter(({ row, state }) => state.targeting !== keyOf(row, day))
  const sizes = await audiences.read(
    account,
    stale.map(({ row }) => row.id),
  )
  for (const { row, state } of stale) {
    state.audience = sizes.get(row.id) ?? state.audience
    state.targeting = keyOf(row, day)
  }
}

const keyOf = ({ targeting }: CandidateRow, day: number) => `${targeting} ${day}`

async function readPurses(
  account: string,
  rows: readonly CandidateRow[],
  store: SettleParts['store'],
): Promise<Map<string, Purse>> {
  const ids = [...new Set(rows.flatMap((row) => [row.campaign_id, row.funding_instrument_id]))]
  const stored = new Map(
    (await store.all(spendingByIds, { account, ids: JSON.stringify(ids) })).map((row) => [row.id, row]),
  )
  const purses = new Map<string, Purse>()
  for (const row of rows) {
    const { campaign_id: campaign, funding_instrument_id: funding } = row
    if (!purses.has(campaign)) purses.set(campaign, campaignPurse(row, purseState(stored.get(campaign))))
    if (!purses.has(funding)) purses.set(funding, fundingPurse(row, purseState(stored.get(funding))))
  }
  return purses
}

/**
 * Runs the model for one hour after another. Returns the time up to which it came: a bounded number
 * of hours, or all of them.
 */
async function compute(delivery: AccountDelivery, untilMs: number): Promise<number> {
  const { account, zone, lineItems, fromMs } = delivery
  if (lineItems.length === 0) return untilMs
  const hours = Math.max(1, Math.floor(HOURS_AT_ONCE / promotionsOf(delivery)))
  const seed = hashText(account)
  const dayAt = activeDays(zone)
  const slices = new Slices()
  const presentAt = inTrials(lineItems, delivery.trials)
  let timeMs = fromMs
  for (let hour = 0; hour < hours && timeMs < untilMs; hour++) {
    const present = presentAt(timeMs)
    const endMs = Math.min(hourEnd(zone, timeMs), untilMs, present.untilMs)
    const day = dayAt(timeMs)
    for (const made of deliver(present.lineItems, { fromMs: timeMs, untilMs: endMs, day }, seed))
      enter(made, day.startMs, delivery)
    timeMs = endMs
    if (slices.isOver) await slices.next()
  }
  return timeMs
}

const promotionsOf = ({ lineItems }: AccountDelivery) =>
  lineItems.reduce((sum, { promotions }) => sum + promotions.length, 0)

/** Adds what was delivered to the row of its promotion and day: one cell for each hour. */
function enter({ lineItem, promotion, ...cell }: Delivery, day: number, delivery: AccountDelivery): void {
  const candidate = delivery.candidates.get(lineItem.id)
  if (!candidate) return
  const { state } = candidate
  const about = aboutOf(lineItem, candidate)
  if (state.rows.day !== day || state.rows.about !== about) state.rows = { day, about, from: {}, last: {} }
  const { from, last } = state.rows
  const from_time = from[promotion.id] ?? cell.fromMs
  from[promotion.id] = from_time
  const entry = entryOf(promotion.id, { from_time, about, candidate }, delivery)
  const hourMs = hourStart(delivery.zone, cell.fromMs)
  const before = last[promotion.id]
  const isSame = before?.hourMs === hourMs
  if (before && !isSame) entry.cells += `${cellText(before.cell, from_time)},`
  const current = before && isSame ? joined(before.cell, cell) : cell
  last[promotion.id] = { hourMs, cell: current }
  entry.last_cell = cellText(current, from_time)
  entry.until_time = cell.untilMs
  entry.impressions += cell.counts[AT.impressions] ?? 0
  entry.engagements += cell.counts[AT.engagements] ?? 0
  entry.charged += cell.counts[AT.billed_charge_local_micro] ?? 0
  if (entry.post_id !== null) addCounts(entry.post_id, cell, delivery)
}

function addCounts(post: string, { counts }: Pick<Delivery, 'counts'>, { posts }: AccountDelivery): void {
  const sums = posts.get(post) ?? DELIVERED.map(() => 0)
  posts.set(post, sums)
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (counts[at] ?? 0)
}

/** The row of a promotion, with what is added to it. */
function entryOf(
  promotion: string,
  { from_time, about, candidate }: { from_time: number; about: string; candidate: Candidate },
  { rows }: AccountDelivery,
): LedgerEntry {
  const { row, promotions } = candidate
  const key = `${promotion} ${from_time}`
  const entry = rows.get(key) ?? {
    promotion_id: promotion,
    from_time,
    until_time: from_time,
    line_item_id: row.id,
    campaign_id: row.campaign_id,
    funding_instrument_id: row.funding_instrument_id,
    post_id: promotions.find(({ id }) => id === promotion)?.post_id ?? null,
    about,
    impressions: 0,
    engagements: 0,
    charged: 0,
    cells: '',
    last_cell: '',
  }
  rows.set(key, entry)
  return entry
}

function aboutOf({ audience, share, cap }: DeliveringLineItem, { state }: Candidate): string {
  const { targeted } = state.audience
  const about: DeliveryAbout = {
    audience,
    ...(cap && { cap: [cap.impressions, cap.windowMs, cap.fromMs] as const }),
    ...(share && { share }),
    ...(targeted && { targeted }),
  }
  return JSON.stringify(about)
}

/** Writes the ledger, and where the computation goes on. */
async function write(tx: Transaction, delivery: AccountDelivery): Promise<void> {
  const { account, rows, lineItems, candidates: known, purses, posts } = delivery
  if (lineItems.length === 0) return
  const units = new Map<string, number>()
  for (const { price, campaign, funding } of lineItems)
    for (const { id } of [campaign, funding])
      if (price > 0) units.set(id, Math.min(price, units.get(id) ?? price))
  const spending = [
    ...lineItems.map(({ id, price, promotions }) => {
      const state = known.get(id)?.state
      const carry = Object.fromEntries(promotions.map((promotion) => [promotion.id, promotion.carry]))
      return spendingRow(id, price, { ...state, carry, spending: state?.spending ?? { spent: 0 } })
    }),
    ...[...purses.values()].map(({ id, spending: of }) =>
      spendingRow(id, units.get(id) ?? 1, { spending: of }),
    ),
  ]
  if (rows.size > 0) await tx.run(addDeliveries, { account, rows: JSON.stringify([...rows.values()]) })
  await tx.run(putSpending, { account, rows: JSON.stringify(spending) })
  await addPromoted(tx, posts)
}

const spendingRow = (
  id: string,
  unit: number,
  state: { readonly spending: { readonly spent: number }; readonly [part: string]: unknown },
) => ({
  id,
  spent: state.spending.spent,
  unit: Math.max(1, unit),
  state: JSON.stringify(state),
})
