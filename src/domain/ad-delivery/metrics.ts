/**
 * What is counted for a promoted post, account or media creative, in the order in which the ledger
 * stores it. Amounts are in millionths of the currency's unit; everything else is a number of
 * events (reference: analytics, metric tables).
 */
export const DELIVERED = [
  'impressions',
  'billed_charge_local_micro',
  'billed_engagements',
  'engagements',
  'clicks',
  'url_clicks',
  'likes',
  'reposts',
  'replies',
  'follows',
  'qualified_impressions',
  'card_engagements',
  'app_clicks',
  'carousel_swipes',
  'poll_card_vote',
  'video_content_starts',
  'video_total_views',
  'video_views_25',
  'video_views_50',
  'video_views_75',
  'video_views_100',
  'video_3s100pct_views',
  'video_6s_views',
  'video_15s_views',
  'video_cta_clicks',
] as const

export type DeliveredMetric = (typeof DELIVERED)[number]

/** The place of each metric in a list of counts. */
export const AT = Object.fromEntries(DELIVERED.map((name, at) => [name, at])) as Readonly<
  Record<DeliveredMetric, number>
>

/** What a promotion can show, which decides the metrics that it can have. */
export interface Creative {
  /** A link, or a website card. */
  readonly link: boolean
  readonly card: boolean
  readonly video: boolean
  readonly carousel: boolean
  readonly poll: boolean
  /** It promotes an app. */
  readonly app: boolean
}

/**
 * The expected number of events of one impression (ADR 0076). Those of a metric that a creative
 * cannot have are 0.
 */
const RATES: Readonly<Partial<Record<DeliveredMetric, number>>> = {
  engagements: 0.02,
  clicks: 0.012,
  url_clicks: 0.008,
  likes: 0.005,
  reposts: 0.001,
  replies: 0.0005,
  follows: 0.0005,
  qualified_impressions: 0.7,
  card_engagements: 0.006,
  app_clicks: 0.005,
  carousel_swipes: 0.01,
  poll_card_vote: 0.004,
  video_content_starts: 0.8,
  video_total_views: 0.4,
  video_views_25: 0.35,
  video_views_50: 0.25,
  video_views_75: 0.18,
  video_views_100: 0.12,
  video_3s100pct_views: 0.22,
  video_6s_views: 0.2,
  video_15s_views: 0.1,
  video_cta_clicks: 0.003,
}

/** Line items that seek followers get more of them. */
const FOLLOWERS_RATE = 0.005

const NEEDS: Readonly<Partial<Record<DeliveredMetric, keyof Creative>>> = {
  url_clicks: 'link',
  app_clicks: 'app',
  card_engagements: 'card',
  carousel_swipes: 'carousel',
  poll_card_vote: 'poll',
}

/** The expected events of an impression of a creative, in the order of `DELIVERED`. */
export function ratesOf(creative: Creative, seeksFollowers: boolean): readonly number[] {
  return DELIVERED.map((metric) => {
    const needs = NEEDS[metric] ?? (metric.startsWith('video_') ? 'video' : undefined)
    if (needs !== undefined && !creative[needs]) return 0
    if (metric === 'follows' && seeksFollowers) return FOLLOWERS_RATE
    return RATES[metric] ?? 0
  })
}

/** What a line item is charged for: a metric, and what one costs on the market, in US dollars. */
export interface ChargedUnit {
  readonly metric: DeliveredMetric
  readonly marketDollars: number
}

const UNITS = {
  impression: { metric: 'impressions', marketDollars: 0.005 },
  engagement: { metric: 'engagements', marketDollars: 0.2 },
  linkClick: { metric: 'url_clicks', marketDollars: 0.5 },
  follow: { metric: 'follows', marketDollars: 1.5 },
  appClick: { metric: 'app_clicks', marketDollars: 0.8 },
  view: { metric: 'video_total_views', marketDollars: 0.03 },
  start: { metric: 'video_content_starts', marketDollars: 0.015 },
  threeSeconds: { metric: 'video_3s100pct_views', marketDollars: 0.05 },
  sixSeconds: { metric: 'video_6s_views', marketDollars: 0.06 },
} as const satisfies Record<string, ChargedUnit>

const BY_PAYMENT: Readonly<Record<string, ChargedUnit>> = {
  APP_CLICK: UNITS.appClick,
  ENGAGEMENT: UNITS.engagement,
  FOLLOW: UNITS.follow,
  IMPRESSION: UNITS.impression,
  LINK_CLICK: UNITS.linkClick,
  VIEW: UNITS.view,
  VIEW_3S_100PCT: UNITS.threeSeconds,
}

/** The views that some goals are charged for. */
const BY_GOAL: Readonly<Record<string, ChargedUnit>> = {
  PREROLL_STARTS: UNITS.start,
  VIEW_6S: UNITS.sixSeconds,
}

/** What a line item is charged for (reference: goal, pay_by, charge). */
export const chargedUnit = (goal: string, payBy: string): ChargedUnit =>
  (payBy === 'VIEW' ? BY_GOAL[goal] : undefined) ?? BY_PAYMENT[payBy] ?? UNITS.impression

/** The metric that a bid is about, although another one is charged for. */
const SOUGHT: Readonly<Record<string, DeliveredMetric>> = {
  APP_CLICKS: 'app_clicks',
  APP_INSTALLS: 'app_clicks',
  APP_PURCHASES: 'app_clicks',
  LINK_CLICKS: 'url_clicks',
  SITE_VISITS: 'url_clicks',
  WEBSITE_CONVERSIONS: 'url_clicks',
  VIEW_15S: 'video_15s_views',
}

/**
 * The expected number of events that a bid is about for each unit that is charged: with `pay_by`
 * `IMPRESSION`, a bid is the price of a click.
 */
export const bidShare = (goal: string, unit: ChargedUnit, rates: readonly number[]): number => {
  const sought = SOUGHT[goal]
  return unit.metric !== 'impressions' || sought === undefined ? 1 : (rates[AT[sought]] ?? 0)
}
