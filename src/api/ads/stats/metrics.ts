import { type TSchema, Type } from 'typebox'
import { DELIVERED, type DeliveredMetric } from '../../../domain/ad-delivery/metrics.ts'
import { closedObject, component, micros, nullable } from '../../../platform/http/schema.ts'

/** What figures are asked for (reference: analytics, common parameters). */
export const ENTITIES = [
  'ACCOUNT',
  'CAMPAIGN',
  'FUNDING_INSTRUMENT',
  'LINE_ITEM',
  'MEDIA_CREATIVE',
  'ORGANIC_POST',
  'PROMOTED_ACCOUNT',
  'PROMOTED_POST',
] as const

export type StatsEntity = (typeof ENTITIES)[number]

const ENGAGEMENT = [
  'impressions',
  'posts_send',
  'qualified_impressions',
  'follows',
  'app_clicks',
  'reposts',
  'unfollows',
  'likes',
  'engagements',
  'clicks',
  'card_engagements',
  'poll_card_vote',
  'replies',
  'url_clicks',
  'carousel_swipes',
] as const

const VIDEO = [
  'video_total_views',
  'video_views_25',
  'video_views_50',
  'video_views_75',
  'video_views_100',
  'video_cta_clicks',
  'video_content_starts',
  'video_3s100pct_views',
  'video_6s_views',
  'video_15s_views',
] as const

const named = (prefix: string, ...names: readonly string[]) => names.map((name) => `${prefix}_${name}`)

const WEB_CONVERSION = named(
  'conversion',
  'purchases',
  'sign_ups',
  'site_visits',
  'downloads',
  'custom',
  'add_to_carts',
  'checkouts_initiated',
  'content_views',
  'payment_info_additions',
  'add_to_wishlists',
  'searches',
  'landing_page_views',
  'subscriptions',
)

const MOBILE_CONVERSION = named(
  'mobile_conversion',
  'spent_credits',
  'installs',
  'content_views',
  'add_to_wishlists',
  'checkouts_initiated',
  'reservations',
  'tutorials_completed',
  'achievements_unlocked',
  'searches',
  'add_to_carts',
  'payment_info_additions',
  're_engages',
  'shares',
  'rates',
  'logins',
  'updates',
  'levels_achieved',
  'invites',
  'key_page_views',
  'downloads',
  'purchases',
  'sign_ups',
  'site_visits',
)

const LIFE_TIME_VALUE_MOBILE_CONVERSION = named(
  'mobile_conversion_lifetime_value',
  'purchases',
  'sign_ups',
  'updates',
  'tutorials_completed',
  'reservations',
  'add_to_carts',
  'add_to_wishlists',
  'checkouts_initiated',
  'levels_achieved',
  'achievements_unlocked',
  'shares',
  'invites',
  'payment_info_additions',
  'spent_credits',
  'rates',
)

/** The metrics of each group (reference: analytics, metric tables). */
export const METRICS_OF = {
  BILLING: ['billed_engagements', 'billed_charge_local_micro'],
  ENGAGEMENT,
  LIFE_TIME_VALUE_MOBILE_CONVERSION,
  MEDIA: ['media_views', 'media_engagements'],
  MOBILE_CONVERSION,
  VIDEO,
  WEB_CONVERSION,
} as const satisfies Record<string, readonly string[]>

export type MetricGroup = keyof typeof METRICS_OF

export const METRIC_GROUPS = Object.keys(METRICS_OF) as [MetricGroup, ...MetricGroup[]]

/** The metrics that accounts and funding instruments have. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set([
  'engagements',
  'impressions',
  'reposts',
  'replies',
  'likes',
  'follows',
])

const CONVERTING: readonly MetricGroup[] = [
  'ENGAGEMENT',
  'BILLING',
  'VIDEO',
  'WEB_CONVERSION',
  'MOBILE_CONVERSION',
  'LIFE_TIME_VALUE_MOBILE_CONVERSION',
]

/** The groups that each entity has. Other metrics are null. */
const GROUPS_OF: Readonly<Record<StatsEntity, readonly MetricGroup[]>> = {
  ACCOUNT: ['ENGAGEMENT'],
  FUNDING_INSTRUMENT: ['ENGAGEMENT', 'BILLING'],
  CAMPAIGN: CONVERTING,
  LINE_ITEM: CONVERTING,
  PROMOTED_POST: CONVERTING,
  PROMOTED_ACCOUNT: ['ENGAGEMENT', 'BILLING'],
  MEDIA_CREATIVE: CONVERTING,
  ORGANIC_POST: [],
}

/** The metrics of some groups, without repetition. */
export const metricsIn = (groups: readonly MetricGroup[]): readonly string[] => [
  ...new Set(groups.flatMap((group): readonly string[] => METRICS_OF[group])),
]

const places = new Map<string, number>(DELIVERED.map((name: DeliveredMetric, at) => [name, at]))

/** The delivered metrics of an entity among some groups, with their places in the ledger. */
export function deliveredIn(entity: StatsEntity, groups: readonly MetricGroup[]): [string, number][] {
  const isOfAccount = entity === 'ACCOUNT' || entity === 'FUNDING_INSTRUMENT'
  return GROUPS_OF[entity]
    .filter((group) => groups.includes(group))
    .flatMap((group) =>
      METRICS_OF[group].flatMap((name): [string, number][] => {
        const at = places.get(name)
        const isKnown = !isOfAccount || group === 'BILLING' || OF_ACCOUNTS.has(name)
        return at === undefined || !isKnown ? [] : [[name, at]]
      }),
    )
}

/** Whether an entity has a group. */
export const hasGroup = (entity: StatsEntity, group: MetricGroup): boolean =>
  GROUPS_OF[entity].includes(group)

/** One number for each period; null without any activity. */
const Series = component('MetricSeries', nullable(Type.Array(Type.Integer({ minimum: 0 }))))

/** Amounts in millionths: sums of values, which may be negative. */
const Amounts = component(
  'AmountSeries',
  nullable(Type.Array(micros('Millionths.', Number.MIN_SAFE_INTEGER))),
)

const COUNTS = ['post_view', 'post_engagement', 'assisted']
const AMOUNTS = ['order_quantity', 'sale_amount']
const SPLIT_AMOUNTS = AMOUNTS.flatMap((name) => [name, `${name}_view`, `${name}_engagement`])

const conversion = (name: string, counts: readonly string[], amounts: readonly string[]) =>
  component(
    name,
    nullable(
      closedObject(
        Object.fromEntries([
          ...counts.map((member) => [member, Type.Optional(Series)]),
          ...amounts.map((member) => [member, Type.Optional(Amounts)]),
        ]),
      ),
    ),
  )

/**
 * A conversion metric: how often it happened, how many items were ordered and for what amount, both
 * in millionths, and what of it a view or an engagement led to.
 */
const WebConversion = conversion('ConversionSeries', ['metric', ...COUNTS], SPLIT_AMOUNTS)

/** The same of an app, which has fewer members. */
const MobileConversion = conversion('MobileConversionSeries', COUNTS, AMOUNTS)

const seriesOf = (name: string): TSchema =>
  name.startsWith('conversion_')
    ? WebConversion
    : name.startsWith('mobile_conversion_')
      ? MobileConversion
      : Series

/** The metrics of a reply: those of the groups that were asked for. */
export const Metrics = component(
  'Metrics',
  closedObject(
    Object.fromEntries(
      metricsIn(METRIC_GROUPS).map((name): [string, TSchema] => [name, Type.Optional(seriesOf(name))]),
    ),
  ),
)
