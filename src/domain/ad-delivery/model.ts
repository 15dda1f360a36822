import { eventsOf, type Promotion } from './events.ts'
import { AT, type DeliveredMetric } from './metrics.ts'
import { allowanceOf, beginDay, charge, leftIn, type Period, type Purse } from './purse.ts'
import { fraction, mixed } from './random.ts'
import { type Share, sizeOf } from './share.ts'

/** How often a person can be shown something on a usual day. */
const OPPORTUNITIES_PER_DAY = 2

/** What the model knows about a line item. Amounts are in millionths of the currency's unit. */
export interface DeliveringLineItem extends Purse {
  readonly hash: number
  readonly campaign: Purse
  readonly funding: Purse
  /** Epoch milliseconds; null if it has no start or end. */
  readonly startMs: number | null
  readonly endMs: number | null
  /** Whether its money is spread evenly over the day. */
  readonly isEven: boolean
  /** People who can see it. */
  readonly audience: number
  /** The share of an A/B test that these people are. */
  readonly share?: Share
  readonly unit: DeliveredMetric
  /** What one unit costs. 0: the bid is too low. */
  readonly price: number
  /** Auctions that are won, from 0 to 1. */
  readonly winRate: number
  readonly cap: FrequencyCap | null
  readonly promotions: readonly Promotion[]
  readonly shown: ShownCounts
}

export interface FrequencyCap {
  readonly impressions: number
  readonly windowMs: number
  /** From when on windows are counted, in epoch milliseconds. */
  readonly fromMs: number
}

/** The impressions that limit later ones. */
export interface ShownCounts {
  /** Windows since the start. */
  window: number
  /** Impressions in this window. */
  impressions: number
  /** Fraction of an impression that is still to come. */
  carry: number
  /** The share that saw the last ones, if it was one of an A/B test. */
  share?: string
  /** Impressions in this window, from before the A/B test, on people outside of the share. */
  outside?: number
}

/** What was delivered in a period. */
export interface Delivery {
  readonly lineItem: DeliveringLineItem
  readonly promotion: Promotion
  readonly fromMs: number
  /** Exclusive. */
  readonly untilMs: number
  /** In the order of `DELIVERED`. */
  readonly counts: readonly number[]
}

const HOUR_MS = 3_600_000
/** Figures vary by up to this share around what is expected. */
const JITTER = 0.1

/** Hashes of what varies, besides the metrics. */
const SUPPLY = 101
const SHARE = 102

/**
 * Delivers line items during a period within one hour, and charges them, their campaigns and their
 * funding instruments. The same line items with the same spending yield the same deliveries. Line
 * items are in the order of their ids.
 */
export function deliver(lineItems: readonly DeliveringLineItem[], period: Period, seed: number): Delivery[] {
  const hour = mixed(seed, Math.floor(period.fromMs / HOUR_MS))
  const live = lineItems.filter((lineItem) => isRunning(lineItem, period))
  for (const { campaign, funding, ...own } of live)
    for (const purse of [own, campaign, funding]) beginDay(purse, period.day)
  const allowances = campaignAllowances(live, period)
  const deliveries = live.flatMap((lineItem) => deliverOne(lineItem, period, allowances, hour))
  for (const { campaign, spending } of live) spending.until = campaign.spending.until = period.untilMs
  return deliveries
}

const isRunning = ({ startMs, endMs, promotions, audience, price }: DeliveringLineItem, period: Period) =>
  (startMs === null || startMs < period.untilMs) &&
  (endMs === null || endMs > period.fromMs) &&
  promotions.length > 0 &&
  audience > 0 &&
  price > 0

/** What a campaign may spend in a period, and how many line items still share it. */
interface CampaignAllowance {
  left: number
  lineItems: number
}

function campaignAllowances(live: readonly DeliveringLineItem[], period: Period) {
  const allowances = new Map<Purse, CampaignAllowance>()
  for (const [campaign, lineItems] of Map.groupBy(live, (lineItem) => lineItem.campaign)) {
    const ends = lineItems.map(({ endMs }) => endMs)
    const endMs = ends.includes(null) ? null : Math.max(...ends.map(Number))
    const left = allowanceOf(campaign, period, { endMs })
    allowances.set(campaign, { left, lineItems: lineItems.length })
  }
  return allowances
}

function deliverOne(
  lineItem: DeliveringLineItem,
  period: Period,
  allowances: ReadonlyMap<Purse, CampaignAllowance>,
  hour: number,
): Delivery[] {
  const { campaign, funding, startMs, endMs, price } = lineItem
  const own = {
    ...period,
    fromMs: Math.max(period.fromMs, startMs ?? 0),
    untilMs: Math.min(period.untilMs, endMs ?? period.untilMs),
  }
  const shared = allowances.get(campaign) ?? { left: 0, lineItems: 1 }
  const hard = Math.min(leftIn(lineItem), leftIn(campaign), leftIn(funding))
  const even = Math.min(allowanceOf(lineItem, own, lineItem), shared.left / shared.lineItems)
  const money = Math.floor(Math.min(hard, lineItem.isEven ? even : hard))
  const deliveries = hard < price ? [] : show(lineItem, own, { money, hard }, mixed(hour, lineItem.hash))
  const spent = deliveries.reduce((sum, { counts }) => sum + (counts[AT.billed_charge_local_micro] ?? 0), 0)
  for (const purse of [lineItem, campaign, funding]) charge(purse, spent)
  shared.left = Math.max(0, shared.left - spent)
  shared.lineItems--
  return deliveries
}

/** Shows the promotions of a line item as often as people and money allow. */
function show(
  lineItem: DeliveringLineItem,
  period: Period,
  { money, hard }: { money: number; hard: number },
  hash: number,
): Delivery[] {
  const { promotions, unit, price, shown } = lineItem
  const shares = sharesOf(promotions, hash)
  const isPaidByImpression = unit === 'impressions'
  const rate = isPaidByImpression
    ? 1
    : promotions.reduce((sum, { rates }, at) => sum + (rates[AT[unit]] ?? 0) * (shares[at] ?? 0), 0)
  if (rate <= 0) return []
  // Events that are still to come will be charged for.
  const pending = isPaidByImpression
    ? 0
    : promotions.reduce((sum, { carry }) => sum + (carry[AT[unit]] ?? 0), 0)
  const usual = Math.max(0, (money - pending * price) / (price * rate))
  const isStuck = money >= price && (usual < 1 || hard < 2 * price) && !isPaidByImpression
  const affordable = isStuck ? forOneUnit(lineItem, shares) : usual
  const wanted = Math.min(supplyOf(lineItem, period, hash), affordable) + shown.carry
  const impressions = Math.max(0, Math.min(Math.floor(wanted), capLeft(lineItem, period)))
  const most = isPaidByImpression ? Math.min(impressions, Math.floor(money / price)) : impressions
  shown.carry = rounded(Math.min(1, wanted - most))
  shown.impressions += most
  return eventsFor(lineItem, period, { impressions: most, money, shares, hash })
}

/**
 * The impressions that certainly bring one more unit. The fractions that are pending of several
 * promotions may add up to one and never become one: with the usual number, the money for the last
 * units would never be spent.
 */
function forOneUnit({ promotions, unit }: DeliveringLineItem, shares: readonly number[]): number {
  const needed = promotions.flatMap(({ rates, carry }, at) => {
    const rate = (rates[AT[unit]] ?? 0) * (shares[at] ?? 0) * (1 - JITTER)
    return rate > 0 ? [Math.max(0, 1 - (carry[AT[unit]] ?? 0)) / rate] : []
  })
  return Math.ceil(Math.min(...needed)) + promotions.length
}

/** People who use the service during a period, times what each of them can be shown. */
function supplyOf({ audience, winRate }: DeliveringLineItem, { fromMs, untilMs, day }: Period, hash: number) {
  const share = day.shareUntil(untilMs) - day.shareUntil(fromMs)
  return audience * OPPORTUNITIES_PER_DAY * share * winRate * around(mixed(hash, SUPPLY))
}

/** A factor near 1 that follows from a hash. */
const around = (hash: number) => 1 - JITTER + 2 * JITTER * fraction(hash)

/** The impressions that the frequency cap allows in the window of a period. */
function capLeft({ cap, audience, share, shown }: DeliveringLineItem, { fromMs }: Period): number {
  if (!cap) return Number.POSITIVE_INFINITY
  const window = Math.floor((fromMs - cap.fromMs) / cap.windowMs)
  if (window !== shown.window) Object.assign(shown, { window, impressions: 0, outside: 0 })
  const present = share?.join(' ')
  if (present !== shown.share)
    Object.assign(shown, { share: present, outside: shown.impressions * (1 - sizeOf(share)) })
  return Math.max(0, Math.floor(audience * cap.impressions + (shown.outside ?? 0)) - shown.impressions)
}

/** The shares of promotions in the impressions of their line item. */
function sharesOf(promotions: readonly Promotion[], hash: number): number[] {
  const weights = promotions.map((promotion) => 0.5 + fraction(mixed(mixed(hash, SHARE), promotion.hash)))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

interface Showing {
  readonly impressions: number
  readonly money: number
  readonly shares: readonly number[]
  readonly hash: number
}

function eventsFor(lineItem: DeliveringLineItem, period: Period, showing: Showing): Delivery[] {
  const { promotions, unit, price } = lineItem
  const { fromMs, untilMs } = period
  let units = Math.floor(showing.money / price)
  const parts = split(showing.impressions, promotions, showing.shares)
  return promotions.flatMap((promotion, at) => {
    const jitter = (metric: number) => around(mixed(mixed(showing.hash, promotion.hash), metric))
    const impressions = parts[at]?.count ?? 0
    const { counts, carry } = eventsOf({ promotion, impressions, jitter, unit, price, units })
    units -= counts[AT.billed_engagements] ?? 0
    promotion.carry = carry.map((left, metric) =>
      rounded(metric === AT.impressions ? (parts[at]?.left ?? 0) : left),
    )
    return impressions === 0 && !counts.some((count) => count > 0)
      ? []
      : [{ lineItem, promotion, fromMs, untilMs, counts }]
  })
}

/** Divides impressions into whole parts whose sums over time follow the shares. */
function split(impressions: number, promotions: readonly Promotion[], shares: readonly number[]) {
  const due = promotions.map(
    ({ carry }, at) => (shares[at] ?? 0) * impressions + (carry[AT.impressions] ?? 0),
  )
  const counts = due.map((quota) => Math.max(0, Math.floor(quota)))
  let rest = impressions - counts.reduce((sum, count) => sum + count, 0)
  const byRemainder = due
    .map((quota, at) => ({ at, remainder: quota - (counts[at] ?? 0) }))
    .sort((one, other) => other.remainder - one.remainder || one.at - other.at)
  for (const { at } of byRemainder) {
    if (rest === 0) break
    const step = rest > 0 ? 1 : -Math.min(1, counts[at] ?? 0)
    counts[at] = (counts[at] ?? 0) + step
    rest -= step
  }
  return counts.map((count, at) => ({ count, left: (due[at] ?? 0) - count }))
}

/** What is carried on is stored with so many digits: results do not depend on when it is stored. */
const rounded = (value: number) => Math.round(value * 10_000) / 10_000
