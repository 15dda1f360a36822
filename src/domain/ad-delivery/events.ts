import { AT, DELIVERED, type DeliveredMetric } from './metrics.ts'

/** What a line item promotes. */
export interface Promotion {
  readonly id: string
  readonly hash: number
  /** The expected events of one impression, in the order of `DELIVERED`. */
  readonly rates: readonly number[]
  /** Fractions of events that are still to come, in the same order. Replaced in each period. */
  carry: readonly number[]
}

interface Showing {
  readonly promotion: Promotion
  readonly impressions: number
  /** A factor near 1 for each metric. */
  jitter(metric: number): number
  /** What is charged for, the price of one, and how many there may be. */
  readonly unit: DeliveredMetric
  readonly price: number
  readonly units: number
}

/** Fractions of events do not pile up beyond this while others take their place. */
const MAX_CARRY = 2

/** The views that each kind of view contains, the widest kinds first. */
const VIEWS: readonly (readonly [DeliveredMetric, DeliveredMetric])[] = [
  ['video_content_starts', 'video_total_views'],
  ['video_total_views', 'video_3s100pct_views'],
  ['video_total_views', 'video_6s_views'],
  ['video_content_starts', 'video_15s_views'],
  ['video_content_starts', 'video_views_25'],
  ['video_views_25', 'video_views_50'],
  ['video_views_50', 'video_views_75'],
  ['video_views_75', 'video_views_100'],
]

/** Interactions, in the order in which they share the engagements. */
const INTERACTIONS = ['clicks', 'likes', 'reposts', 'replies', 'follows', 'poll_card_vote'] as const

/**
 * The events that follow from impressions, in whole numbers, and the fractions that are still to
 * come. Views contain longer views, engagements contain all interactions, and clicks those on links
 * and apps (reference: analytics, consistency rules).
 */
export function eventsOf(showing: Showing): { counts: number[]; carry: number[] } {
  const { promotion, impressions, jitter, unit, price, units } = showing
  const { rates, carry } = promotion
  const wanted = DELIVERED.map((_, at) =>
    rates[at] ? (carry[at] ?? 0) + impressions * rates[at] * jitter(at) : 0,
  )
  const counts = wanted.map((value) => Math.max(0, Math.min(impressions, Math.floor(value))))
  counts[AT.impressions] = impressions
  if (unit !== 'impressions') counts[AT[unit]] = Math.min(counts[AT[unit]] ?? 0, units)
  nestViews(counts, unit)
  nestInteractions(counts, unit, impressions)
  const billed = counts[AT[unit]] ?? 0
  counts[AT.billed_engagements] = billed
  counts[AT.billed_charge_local_micro] = billed * price
  const left = wanted.map((value, at) => (rates[at] ? Math.min(MAX_CARRY, value - (counts[at] ?? 0)) : 0))
  // What is charged for is not lost: it comes when there is money for it.
  if (unit !== 'impressions') left[AT[unit]] = (wanted[AT[unit]] ?? 0) - billed
  return { counts, carry: left }
}

const at = (counts: readonly number[], metric: DeliveredMetric) => counts[AT[metric]] ?? 0

/** Shorter views are at least as many as longer ones. What is charged for does not change. */
function nestViews(counts: number[], unit: DeliveredMetric): void {
  for (const [outer, inner] of VIEWS.toReversed())
    if (isWithin(unit, inner)) counts[AT[outer]] = Math.max(at(counts, outer), at(counts, inner))
  for (const [outer, inner] of VIEWS) counts[AT[inner]] = Math.min(at(counts, inner), at(counts, outer))
}

/** Whether a metric is another one or one of the views that it contains. */
const isWithin = (metric: DeliveredMetric, outer: DeliveredMetric): boolean =>
  metric === outer || VIEWS.some(([wider, inner]) => wider === outer && isWithin(metric, inner))

function nestInteractions(counts: number[], unit: DeliveredMetric, impressions: number): void {
  nestClicks(counts, unit)
  const isCounted = unit === 'engagements'
  // Charged interactions come first, then those that contain them.
  let left = isCounted ? at(counts, 'engagements') : impressions
  const inOrder = INTERACTIONS.toSorted((one, other) => Number(other === unit) - Number(one === unit))
  for (const metric of inOrder) {
    counts[AT[metric]] = Math.min(at(counts, metric), left)
    left -= at(counts, metric)
  }
  nestClicks(counts, unit)
  const interactions = INTERACTIONS.reduce((sum, metric) => sum + at(counts, metric), 0)
  if (!isCounted) counts[AT.engagements] = Math.max(at(counts, 'engagements'), interactions)
}

/** Clicks contain those on links, apps and cards. */
function nestClicks(counts: number[], unit: DeliveredMetric): void {
  const isCharged = unit === 'url_clicks' || unit === 'app_clicks'
  if (isCharged) counts[AT.clicks] = Math.max(at(counts, 'clicks'), at(counts, unit))
  const clicks = at(counts, 'clicks')
  const first = unit === 'app_clicks' ? 'app_clicks' : 'url_clicks'
  const second = first === 'url_clicks' ? 'app_clicks' : 'url_clicks'
  counts[AT[first]] = Math.min(at(counts, first), clicks)
  counts[AT[second]] = Math.min(at(counts, second), clicks - at(counts, first))
  for (const metric of ['card_engagements', 'video_cta_clicks'] as const)
    counts[AT[metric]] = Math.min(at(counts, metric), clicks)
}
