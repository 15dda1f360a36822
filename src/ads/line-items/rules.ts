import { isBlank } from '../../common/visible.ts'
import type { AdsCode, AdsError } from '../../protocols/ads/codes.ts'
import type { Int64 } from '../../common/int64.ts'
import { fixed, msg, word } from '../../http/message.ts'
import { businessCategories } from '../../reference-data/business-categories.ts'
import { isIabCategory } from '../../reference-data/iab-categories.ts'
import type { ProductType } from '../../reference-data/placements.ts'
import { placementsOfProductType } from '../../reference-data/placements.ts'
import { isStep } from '../money.ts'
import type { LineItem } from './fields.ts'

/** What the rules need besides the line item itself. */
export interface Facts {
  /** The parameters that were sent: some rules are about the call, not about the stored state. */
  supplied: Readonly<Partial<LineItem>>
  before: LineItem | undefined
  campaign: {
    budget_optimization: string
    daily_budget_amount_local_micro: Int64 | null
    total_budget_amount_local_micro: Int64 | null
  }
  /** Another line item of the campaign. */
  sibling: { objective: string; product_type: string; placements: readonly string[] } | undefined
  /** The number of other line items of the campaign. */
  siblings: number
  /** Whether the app may set `advertiser_user_id`. */
  mayChooseAdvertiser: boolean
  /** Whether the account may promote the user that was sent. */
  advertiserPromotable: boolean
}

export interface Rule {
  /** The parameter that the rule is about, which the error names. */
  parameter: keyof LineItem
  /** The rule in the words of the interface. */
  says: string
  holds(item: LineItem, facts: Facts): boolean
  /** Defaults to `INVALID_PARAMETER`. */
  code?: AdsCode
  /** The rule is about the entity, so the error names an attribute instead of a parameter. */
  attribute?: true
}

const DOMAIN = /^(?=.{4,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i
const APP_OBJECTIVES = ['APP_INSTALLS', 'APP_ENGAGEMENTS']
const CAPPED_OBJECTIVES = ['REACH', 'ENGAGEMENTS', 'VIDEO_VIEWS', 'PREROLL_VIEWS']
const NO_MAX = ['REACH', 'FOLLOWERS']
const TARGET_ON_UPDATE = ['REACH', 'WEBSITE_CLICKS']
const TARGET_ON_CREATE = [...TARGET_ON_UPDATE, 'FOLLOWERS']
const MAX_LINE_ITEMS = 100
const MAX_BUSINESS_CATEGORIES = 2

const isNetwork = (placement: string) => placement === 'PUBLISHER_NETWORK' || placement.startsWith('TAP_')
const onNetwork = ({ placements }: Pick<LineItem, 'placements'>) => placements.includes('PUBLISHER_NETWORK')

/**
 * The rules of line items, in the order of the interface's table. Each row is tested with a valid and an invalid
 * entity.
 */
export const rules: readonly Rule[] = [
  {
    parameter: 'advertiser_domain',
    says: 'required when placement is PUBLISHER_NETWORK',
    holds: (item) => !onNetwork(item) || item.advertiser_domain !== null,
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'advertiser_domain',
    says: 'domain without protocol',
    holds: ({ advertiser_domain: domain }) => domain === null || DOMAIN.test(domain),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'advertiser_user_id',
    says: 'only some client apps may use it',
    holds: (_, { supplied, mayChooseAdvertiser }) =>
      supplied.advertiser_user_id === undefined || mayChooseAdvertiser,
  },
  {
    parameter: 'advertiser_user_id',
    says: 'user id of the handle promoting a PREROLL_VIEWS ad',
    holds: ({ objective }, { supplied }) =>
      supplied.advertiser_user_id === undefined || objective === 'PREROLL_VIEWS',
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'advertiser_user_id',
    says: 'a user that the account may promote',
    holds: (_, { supplied, advertiserPromotable }) =>
      supplied.advertiser_user_id === undefined || advertiserPromotable,
    code: 'INVALID_USER_ID',
    attribute: true,
  },
  {
    parameter: 'android_app_store_identifier',
    says: 'APP_INSTALLS and APP_ENGAGEMENTS objectives need at least one of the two',
    holds: (item) =>
      !APP_OBJECTIVES.includes(item.objective) ||
      item.android_app_store_identifier !== null ||
      item.ios_app_store_identifier !== null,
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'bid_amount_local_micro',
    says: 'required when bid_strategy is MAX or TARGET',
    holds: (item) => item.bid_strategy === 'AUTO' || item.bid_amount_local_micro !== null,
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'bid_amount_local_micro',
    says: 'a multiple of the smallest step of the currency',
    holds: ({ bid_amount_local_micro: bid, currency }, { supplied }) =>
      supplied.bid_amount_local_micro === undefined || isStep(bid, currency),
    code: 'INVALID_DENOMINATION',
  },
  {
    parameter: 'bid_amount_local_micro',
    says: 'at most the budgets of the campaign',
    // A line item can still be paused after the budget of its campaign was lowered.
    holds: ({ bid_amount_local_micro: bid }, { campaign, before, supplied }) =>
      bid === null ||
      (before !== undefined && supplied.bid_amount_local_micro === undefined) ||
      (bid <= (campaign.daily_budget_amount_local_micro ?? bid) &&
        bid <= (campaign.total_budget_amount_local_micro ?? bid)),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'bid_strategy',
    says: 'MAX not for REACH or FOLLOWERS objectives',
    holds: ({ bid_strategy, objective }) => bid_strategy !== 'MAX' || !NO_MAX.includes(objective),
  },
  {
    parameter: 'bid_strategy',
    says: 'TARGET for REACH or WEBSITE_CLICKS, and for a new line item FOLLOWERS',
    holds: ({ bid_strategy, objective }, { before, supplied }) =>
      bid_strategy !== 'TARGET' ||
      (before !== undefined && supplied.bid_strategy === undefined) ||
      (before ? TARGET_ON_UPDATE : TARGET_ON_CREATE).includes(objective),
  },
  {
    parameter: 'categories',
    says: 'required when placement is PUBLISHER_NETWORK',
    holds: (item) => !onNetwork(item) || item.categories.length > 0,
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'categories',
    says: 'IAB categories',
    holds: ({ categories }) => categories.every(isIabCategory),
    code: 'INVALID_IAB_CATEGORY',
  },
  {
    parameter: 'categories',
    says: 'PREROLL_VIEWS must carry business categories',
    holds: (item) => item.objective !== 'PREROLL_VIEWS' || onNetwork(item) || item.categories.length > 0,
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'categories',
    says: 'PREROLL_VIEWS: the whole of one or two business categories',
    holds: ({ objective, categories }) =>
      objective !== 'PREROLL_VIEWS' || categories.length === 0 || areBusinessCategories(categories),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'duration_in_days',
    says: 'window of the frequency cap: both or none',
    holds: ({ duration_in_days, frequency_cap }) => (duration_in_days === null) === (frequency_cap === null),
    code: 'INCLUSIVE_PARAMETERS',
  },
  {
    parameter: 'end_time',
    says: 'later than start_time',
    holds: ({ start_time, end_time }) => start_time === null || end_time === null || end_time > start_time,
    code: 'INVALID_TIME_WINDOW',
  },
  {
    parameter: 'frequency_cap',
    says: 'only for REACH, ENGAGEMENTS, VIDEO_VIEWS, PREROLL_VIEWS objectives',
    holds: ({ frequency_cap, objective }) => frequency_cap === null || CAPPED_OBJECTIVES.includes(objective),
  },
  {
    parameter: 'goal',
    says: 'SITE_VISITS only for WEBSITE_CLICKS',
    holds: ({ goal, objective }) => goal !== 'SITE_VISITS' || objective === 'WEBSITE_CLICKS',
  },
  {
    parameter: 'name',
    says: 'has a visible character',
    holds: ({ name }) => name === null || !isBlank(name),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'pay_by',
    says: 'changeable only for APP_INSTALLS line items',
    holds: ({ pay_by, objective }, { before, supplied }) =>
      before === undefined ||
      supplied.pay_by === undefined ||
      objective === 'APP_INSTALLS' ||
      pay_by === before.pay_by,
  },
  {
    parameter: 'pay_by',
    says: 'IMPRESSION is not allowed with bid_strategy TARGET',
    holds: ({ pay_by, bid_strategy }) => bid_strategy !== 'TARGET' || pay_by !== 'IMPRESSION',
  },
  {
    parameter: 'pay_by',
    says: 'SITE_VISITS only by IMPRESSION',
    holds: ({ pay_by, goal }) => goal !== 'SITE_VISITS' || pay_by === 'IMPRESSION',
  },
  {
    parameter: 'total_budget_amount_local_micro',
    says: 'a multiple of the smallest step of the currency',
    holds: ({ total_budget_amount_local_micro: total, currency }) => isStep(total, currency),
    code: 'INVALID_DENOMINATION',
  },
  {
    parameter: 'total_budget_amount_local_micro',
    says: 'at most the total budget of the campaign',
    holds: ({ total_budget_amount_local_micro: total }, { campaign, before, supplied }) =>
      total === null ||
      (before !== undefined && supplied.total_budget_amount_local_micro === undefined) ||
      total <= (campaign.total_budget_amount_local_micro ?? total),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'daily_budget_amount_local_micro',
    says: 'at most the total budget',
    holds: ({ daily_budget_amount_local_micro: daily, total_budget_amount_local_micro: total }) =>
      daily === null || total === null || daily <= total,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'daily_budget_amount_local_micro',
    says: 'only when the parent campaign has budget_optimization LINE_ITEM',
    holds: (_, { supplied, campaign }) =>
      !supplied.daily_budget_amount_local_micro || campaign.budget_optimization === 'LINE_ITEM',
  },
  {
    parameter: 'daily_budget_amount_local_micro',
    says: 'a multiple of the smallest step of the currency',
    holds: ({ daily_budget_amount_local_micro: daily, currency }) => isStep(daily, currency),
    code: 'INVALID_DENOMINATION',
  },
  {
    parameter: 'primary_web_event_tag',
    says: 'needed when goal is WEBSITE_CONVERSIONS',
    holds: ({ goal, primary_web_event_tag }) =>
      goal !== 'WEBSITE_CONVERSIONS' || primary_web_event_tag !== null,
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'objective',
    says: 'one objective per campaign',
    holds: ({ objective }, { sibling }) => sibling === undefined || sibling.objective === objective,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'product_type',
    says: 'one product type per campaign',
    holds: ({ product_type }, { sibling }) => sibling === undefined || sibling.product_type === product_type,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'product_type',
    says: 'compatible with the placements',
    holds: ({ product_type, placements }) => goTogether(product_type, placements),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'placements',
    says: 'not SERVICE_PROFILE alone',
    holds: ({ placements }) => placements.some((one) => one !== 'SERVICE_PROFILE'),
    code: 'INVALID_PLACEMENT_TYPE',
  },
  {
    parameter: 'placements',
    says: 'REACH includes SERVICE_TIMELINE or ALL_ON_SERVICE',
    holds: ({ objective, placements }) =>
      objective !== 'REACH' ||
      placements.some((one) => one === 'SERVICE_TIMELINE' || one === 'ALL_ON_SERVICE'),
    code: 'INVALID_PLACEMENT_TYPE',
  },
  {
    parameter: 'placements',
    says: 'line items of one campaign do not mix placement types',
    holds: ({ placements }, { sibling }) =>
      sibling === undefined || placements.some(isNetwork) === sibling.placements.some(isNetwork),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'campaign_id',
    says: 'at most 100 line items per campaign',
    holds: (_, { siblings, before }) => before !== undefined || siblings < MAX_LINE_ITEMS,
    code: 'TOO_MANY_LINE_ITEMS',
  },
]

/** The rules that a line item breaks, as errors. */
export const broken = (item: LineItem, facts: Facts): AdsError[] =>
  rules
    .filter((rule) => !rule.holds(item, facts))
    .map(({ parameter, says, code = 'INVALID_PARAMETER', attribute }) => ({
      code,
      message:
        code === 'MISSING_PARAMETER'
          ? msg`"${word(parameter)}" is a required parameter: ${fixed(says)}`
          : msg`${word(parameter)}: ${fixed(says)}`,
      ...(attribute ? { attribute: parameter } : { parameter }),
    }))

/** Codes of the rules, for the documents. */
export const ruleCodes = [...new Set(rules.flatMap(({ code }) => (code ? [code] : [])))]

/** Whether categories are exactly those of one or two business categories. */
function areBusinessCategories(categories: readonly string[]): boolean {
  const given = new Set(categories)
  const whole = businessCategories().filter(({ iab_categories }) =>
    iab_categories.every((one) => given.has(one)),
  )
  const covered = new Set(whole.flatMap(({ iab_categories }) => iab_categories))
  return whole.length >= 1 && whole.length <= MAX_BUSINESS_CATEGORIES && covered.size === given.size
}

/**
 * Whether placements are a documented combination for a product type, or, for posts, any of the service's own
 * placements, which newer pages allow.
 */
function goTogether(productType: string, placements: readonly string[]): boolean {
  if (combinationsOf(productType).has(inOrder(placements))) return true
  return productType === 'PROMOTED_POSTS' && placements.every((one) => one.startsWith('SERVICE_'))
}

const inOrder = (placements: readonly string[]) => [...new Set(placements)].sort().join()

const combinations = new Map<string, ReadonlySet<string>>()

/** The documented combinations of a product type. */
function combinationsOf(productType: string): ReadonlySet<string> {
  const known = combinations.get(productType)
  if (known) return known
  const listed = placementsOfProductType(productType as ProductType)?.placements ?? []
  const made = new Set(listed.map(inOrder))
  combinations.set(productType, made)
  return made
}
