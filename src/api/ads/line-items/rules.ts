import { biddingRuleByCurrency } from '../../../domain/reference-data/bidding-rules.ts'
import { businessCategories } from '../../../domain/reference-data/business-categories.ts'
import { isIabCategory } from '../../../domain/reference-data/iab-categories.ts'
import { type ProductType, placementsOfProductType } from '../../../domain/reference-data/placements.ts'
import { truncated } from '../../../platform/common/cut-text.ts'
import type { Int64 } from '../../../platform/common/int64.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import {
  type Identifier,
  type Message,
  type MessageValue,
  msg,
  word,
  words,
} from '../../../platform/http/message.ts'
import type { AdsCode, AdsError } from '../../../platform/protocols/ads/codes.ts'
import { blankName, emptyWindow, SHOWN_LENGTH } from '../messages.ts'
import { dailyAboveTotal, isStep, noStep, wrongBudgets } from '../money.ts'
import type { LineItem } from './fields.ts'
import { goalsOf, type Objective, payBysOf, productTypesOf, STRATEGIES } from './values.ts'

/** What the rules need besides the line item itself. */
export interface LineItemFacts {
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

export interface LineItemRule {
  /** The parameter that the rule is about, which the error names. */
  parameter: keyof LineItem
  /** The rule, as the documents show it. */
  rule: string
  holds(item: LineItem, facts: LineItemFacts): boolean
  /** The message for an item that breaks it. */
  wrong(item: LineItem, facts: LineItemFacts): Message
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

const OF_PRODUCTS = 'DYNAMIC_PRODUCT_CREATIVE'
const isOfProducts = ({ creative_source: source }: LineItem) => source === OF_PRODUCTS

const isNetwork = (placement: string) => placement === 'PUBLISHER_NETWORK' || placement.startsWith('TAP_')
const onNetwork = ({ placements }: Pick<LineItem, 'placements'>) => placements.includes('PUBLISHER_NETWORK')

/** The end of a message: `got "3" for duration_in_days`. */
const got = (name: keyof LineItem, value: MessageValue | null) => msg`got "${value ?? ''}" for ${word(name)}`
/** Text of a caller, shortened. */
const shown = (value: string | null) => truncated(value ?? '', SHOWN_LENGTH)
const needed = (name: keyof LineItem, by: keyof LineItem, value: Message | Identifier) =>
  msg`"${word(name)}" is a required parameter with ${word(by)} ${value}`

const strategies = (objective: Objective, isNew: boolean) =>
  STRATEGIES.filter(
    (strategy) =>
      (strategy !== 'MAX' || !NO_MAX.includes(objective)) &&
      (strategy !== 'TARGET' || (isNew ? TARGET_ON_CREATE : TARGET_ON_UPDATE).includes(objective)),
  )

const otherStrategy = ({ bid_strategy, objective }: LineItem, { before }: LineItemFacts) =>
  msg`Expected a value in ${words(strategies(objective, before === undefined))} with objective ${word(objective)}, ${got('bid_strategy', word(bid_strategy))}`

const smallerBid = ({ bid_amount_local_micro: bid }: LineItem, { campaign }: LineItemFacts) => {
  const budgets = ['daily_budget_amount_local_micro', 'total_budget_amount_local_micro'] as const
  const exceeded = budgets.find((name) => (campaign[name] ?? bid ?? 0) < (bid ?? 0)) ?? budgets[0]
  return msg`Expected at most ${campaign[exceeded] ?? ''}, the ${word(exceeded)} of the campaign, ${got('bid_amount_local_micro', bid)}`
}

const fromCampaign = (name: 'objective' | 'product_type', value: string, { sibling }: LineItemFacts) =>
  msg`Expected ${word(sibling?.[name] ?? '')} as in the other line items of the campaign, ${got(name, word(value))}`

/**
 * The rules of line items, in the order of the interface's table. Each row is tested with a valid
 * and an invalid entity.
 */
export const rules: readonly LineItemRule[] = [
  {
    parameter: 'advertiser_domain',
    rule: 'required when placement is PUBLISHER_NETWORK',
    holds: (item) => !onNetwork(item) || item.advertiser_domain !== null,
    wrong: () => needed('advertiser_domain', 'placements', word('PUBLISHER_NETWORK')),
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'advertiser_domain',
    rule: 'a domain without a protocol',
    holds: ({ advertiser_domain: domain }) => domain === null || DOMAIN.test(domain),
    wrong: ({ advertiser_domain: domain }) =>
      msg`Expected a domain without protocol and path, ${got('advertiser_domain', shown(domain))}`,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'advertiser_user_id',
    rule: 'only apps with permission can set it',
    holds: (_, { supplied, mayChooseAdvertiser }) =>
      supplied.advertiser_user_id === undefined || mayChooseAdvertiser,
    wrong: () => msg`setting advertiser_user_id is not allowed`,
  },
  {
    parameter: 'advertiser_user_id',
    rule: 'required for PREROLL_VIEWS objectives',
    holds: ({ objective }, { supplied }) =>
      supplied.advertiser_user_id === undefined || objective === 'PREROLL_VIEWS',
    wrong: ({ objective, advertiser_user_id: user }) =>
      msg`Expected no value with objective ${word(objective)}, ${got('advertiser_user_id', user)}`,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'advertiser_user_id',
    rule: 'must be a user that the account can promote',
    holds: (_, { supplied, advertiserPromotable }) =>
      supplied.advertiser_user_id === undefined || advertiserPromotable,
    wrong: ({ advertiser_user_id: user }) =>
      msg`Expected a user that the account may promote, ${got('advertiser_user_id', user)}`,
    code: 'INVALID_USER_ID',
    attribute: true,
  },
  {
    parameter: 'android_app_store_identifier',
    rule: 'at least one app identifier is required for APP_INSTALLS and APP_ENGAGEMENTS objectives',
    holds: (item) =>
      !APP_OBJECTIVES.includes(item.objective) ||
      item.android_app_store_identifier !== null ||
      item.ios_app_store_identifier !== null,
    wrong: ({ objective }) =>
      msg`"android_app_store_identifier" or "ios_app_store_identifier" is a required parameter with objective ${word(objective)}`,
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'bid_amount_local_micro',
    rule: 'required when bid_strategy is MAX or TARGET',
    holds: (item) => item.bid_strategy === 'AUTO' || item.bid_amount_local_micro !== null,
    wrong: ({ bid_strategy }) => needed('bid_amount_local_micro', 'bid_strategy', word(bid_strategy)),
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'bid_amount_local_micro',
    rule: 'must be a multiple of the smallest unit of the currency, such as 10000 (USD 0.01)',
    holds: ({ bid_amount_local_micro: bid, currency }, { supplied }) =>
      supplied.bid_amount_local_micro === undefined || isStep(bid, currency),
    wrong: ({ bid_amount_local_micro: bid, currency }) => noStep('bid_amount_local_micro', bid, currency),
    code: 'INVALID_DENOMINATION',
  },
  {
    parameter: 'bid_amount_local_micro',
    rule: 'must be within the bidding rules of the currency',
    holds: ({ bid_amount_local_micro: bid, currency }, { supplied }) => {
      const bounds = biddingRuleByCurrency(currency)
      if (bid === null || bounds === undefined || supplied.bid_amount_local_micro === undefined) return true
      return bid >= bounds.minimum_cpe_bid_local_micro && bid <= bounds.maximum_cpe_bid_local_micro
    },
    wrong({ bid_amount_local_micro: bid, currency }) {
      const { minimum_cpe_bid_local_micro: min = 0, maximum_cpe_bid_local_micro: max = 0 } =
        biddingRuleByCurrency(currency) ?? {}
      return msg`Expected a value between ${min} and ${max} in ${currency}, ${got('bid_amount_local_micro', bid)}`
    },
  },
  {
    parameter: 'bid_amount_local_micro',
    rule: 'must not exceed the budgets of the campaign',
    // A line item can still be paused after the budget of its campaign was lowered.
    holds: ({ bid_amount_local_micro: bid }, { campaign, before, supplied }) =>
      bid === null ||
      (before !== undefined && supplied.bid_amount_local_micro === undefined) ||
      (bid <= (campaign.daily_budget_amount_local_micro ?? bid) &&
        bid <= (campaign.total_budget_amount_local_micro ?? bid)),
    wrong: smallerBid,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'bid_strategy',
    rule: 'REACH and FOLLOWERS objectives cannot use MAX',
    holds: ({ bid_strategy, objective }) => bid_strategy !== 'MAX' || !NO_MAX.includes(objective),
    wrong: otherStrategy,
  },
  {
    parameter: 'bid_strategy',
    rule: 'only REACH and WEBSITE_CLICKS objectives, and new line items with FOLLOWERS, can use TARGET',
    holds: ({ bid_strategy, objective }, { before, supplied }) =>
      bid_strategy !== 'TARGET' ||
      (before !== undefined && supplied.bid_strategy === undefined) ||
      (before ? TARGET_ON_UPDATE : TARGET_ON_CREATE).includes(objective),
    wrong: otherStrategy,
  },
  {
    parameter: 'categories',
    rule: 'required when placement is PUBLISHER_NETWORK',
    holds: (item) => !onNetwork(item) || item.categories.length > 0,
    wrong: () => needed('categories', 'placements', word('PUBLISHER_NETWORK')),
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'categories',
    rule: 'must be IAB categories',
    holds: ({ categories }) => categories.every(isIabCategory),
    wrong: ({ categories }) =>
      msg`Expected IAB categories, ${got('categories', shown(categories.filter((category) => !isIabCategory(category)).join(', ')))}`,
    code: 'INVALID_IAB_CATEGORY',
  },
  {
    parameter: 'categories',
    rule: 'required for PREROLL_VIEWS objectives',
    holds: (item) => item.objective !== 'PREROLL_VIEWS' || onNetwork(item) || item.categories.length > 0,
    wrong: () => needed('categories', 'objective', word('PREROLL_VIEWS')),
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'categories',
    rule: 'for PREROLL_VIEWS objectives, must be all IAB categories of one or two business categories',
    holds: ({ objective, categories }) =>
      objective !== 'PREROLL_VIEWS' || categories.length === 0 || areBusinessCategories(categories),
    wrong: ({ categories }) =>
      msg`Expected all IAB categories of one or two business categories with objective ${word('PREROLL_VIEWS')}, ${got('categories', shown(categories.join(', ')))}`,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'duration_in_days',
    rule: 'frequency_cap and duration_in_days must be set together',
    holds: ({ duration_in_days, frequency_cap }) => (duration_in_days === null) === (frequency_cap === null),
    wrong: ({ duration_in_days, frequency_cap }) =>
      msg`frequency_cap and duration_in_days are inclusive parameters, ${got('frequency_cap', frequency_cap)} and "${duration_in_days ?? ''}" for duration_in_days`,
    code: 'INCLUSIVE_PARAMETERS',
  },
  {
    parameter: 'end_time',
    rule: 'must be later than start_time',
    holds: ({ start_time, end_time }) => start_time === null || end_time === null || end_time > start_time,
    wrong: ({ start_time, end_time }) => emptyWindow(start_time ?? 0, end_time ?? 0).message,
    code: 'INVALID_TIME_WINDOW',
  },
  {
    parameter: 'frequency_cap',
    rule: 'only for REACH, ENGAGEMENTS, VIDEO_VIEWS and PREROLL_VIEWS objectives',
    holds: ({ frequency_cap, objective }) => frequency_cap === null || CAPPED_OBJECTIVES.includes(objective),
    wrong: ({ frequency_cap, objective }) =>
      msg`Expected no value with objective ${word(objective)}, ${got('frequency_cap', frequency_cap)}`,
  },
  {
    parameter: 'goal',
    rule: 'must be allowed for the objective',
    holds: ({ goal, objective }, { before, supplied }) =>
      (before !== undefined && supplied.goal === undefined) || goalsOf(objective).includes(goal),
    wrong: ({ goal, objective }) =>
      msg`Expected a value in ${words(goalsOf(objective))} with objective ${word(objective)}, ${got('goal', word(goal))}`,
  },
  {
    parameter: 'name',
    rule: 'must contain a visible character',
    holds: ({ name }) => name === null || !isBlank(name),
    wrong: ({ name }) => blankName(name ?? '').message,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'pay_by',
    rule: 'can be changed only for APP_INSTALLS objectives',
    holds: ({ pay_by, objective }, { before, supplied }) =>
      before === undefined ||
      supplied.pay_by === undefined ||
      objective === 'APP_INSTALLS' ||
      pay_by === before.pay_by,
    wrong: ({ pay_by, objective }, { before }) =>
      msg`Expected ${word(before?.pay_by ?? '')}, which cannot change with objective ${word(objective)}, ${got('pay_by', word(pay_by))}`,
  },
  {
    parameter: 'pay_by',
    rule: 'IMPRESSION is not allowed with bid_strategy TARGET',
    holds: ({ pay_by, bid_strategy }) => bid_strategy !== 'TARGET' || pay_by !== 'IMPRESSION',
    wrong: ({ pay_by, goal }) =>
      msg`Expected a value in ${words(payBysOf(goal, 'TARGET'))} with bid_strategy ${word('TARGET')}, ${got('pay_by', word(pay_by))}`,
  },
  {
    parameter: 'pay_by',
    rule: 'must be allowed for the goal',
    holds: ({ pay_by, goal, bid_strategy, objective }, { before, supplied }) =>
      // Otherwise it does not change, or another rule rejects it.
      (before !== undefined && (supplied.pay_by === undefined || objective !== 'APP_INSTALLS')) ||
      (pay_by === 'IMPRESSION' && bid_strategy === 'TARGET') ||
      payBysOf(goal, bid_strategy).includes(pay_by),
    wrong: ({ pay_by, goal, bid_strategy }) =>
      msg`Expected a value in ${words(payBysOf(goal, bid_strategy))} with goal ${word(goal)}, ${got('pay_by', word(pay_by))}`,
  },
  {
    parameter: 'total_budget_amount_local_micro',
    rule: 'must be a multiple of the smallest unit of the currency, such as 10000 (USD 0.01)',
    holds: ({ total_budget_amount_local_micro: total, currency }) => isStep(total, currency),
    wrong: ({ total_budget_amount_local_micro: total, currency }) =>
      noStep('total_budget_amount_local_micro', total, currency),
    code: 'INVALID_DENOMINATION',
  },
  {
    parameter: 'total_budget_amount_local_micro',
    rule: 'must not exceed the total budget of the campaign',
    holds: ({ total_budget_amount_local_micro: total }, { campaign, before, supplied }) =>
      total === null ||
      (before !== undefined && supplied.total_budget_amount_local_micro === undefined) ||
      total <= (campaign.total_budget_amount_local_micro ?? total),
    wrong: ({ total_budget_amount_local_micro: total }, { campaign }) =>
      msg`Expected at most ${campaign.total_budget_amount_local_micro ?? ''}, the total_budget_amount_local_micro of the campaign, ${got('total_budget_amount_local_micro', total)}`,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'daily_budget_amount_local_micro',
    rule: 'must not exceed the total budget',
    holds: (item) => wrongBudgets(item).length === 0,
    wrong: (item) => dailyAboveTotal(item).message,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'daily_budget_amount_local_micro',
    rule: 'only if the campaign has budget_optimization LINE_ITEM',
    holds: (_, { supplied, campaign }) =>
      !supplied.daily_budget_amount_local_micro || campaign.budget_optimization === 'LINE_ITEM',
    wrong: ({ daily_budget_amount_local_micro: daily }, { campaign }) =>
      msg`Expected no value with budget_optimization ${word(campaign.budget_optimization)} of the campaign, ${got('daily_budget_amount_local_micro', daily)}`,
  },
  {
    parameter: 'daily_budget_amount_local_micro',
    rule: 'must be a multiple of the smallest unit of the currency, such as 10000 (USD 0.01)',
    holds: ({ daily_budget_amount_local_micro: daily, currency }) => isStep(daily, currency),
    wrong: ({ daily_budget_amount_local_micro: daily, currency }) =>
      noStep('daily_budget_amount_local_micro', daily, currency),
    code: 'INVALID_DENOMINATION',
  },
  {
    parameter: 'primary_web_event_tag',
    rule: 'required when goal is WEBSITE_CONVERSIONS',
    holds: ({ goal, primary_web_event_tag }) =>
      goal !== 'WEBSITE_CONVERSIONS' || primary_web_event_tag !== null,
    wrong: () => needed('primary_web_event_tag', 'goal', word('WEBSITE_CONVERSIONS')),
    code: 'MISSING_PARAMETER',
  },
  {
    parameter: 'goal',
    rule: 'must be WEBSITE_CONVERSIONS with creative_source DYNAMIC_PRODUCT_CREATIVE',
    holds: (item) => !isOfProducts(item) || item.goal === 'WEBSITE_CONVERSIONS',
    wrong: ({ goal }) =>
      msg`Expected ${word('WEBSITE_CONVERSIONS')} with creative_source ${word(OF_PRODUCTS)}, ${got('goal', word(goal))}`,
  },
  ...(['catalog_id', 'product_set_id'] as const).flatMap((parameter): LineItemRule[] => [
    {
      parameter,
      rule: 'required with creative_source DYNAMIC_PRODUCT_CREATIVE',
      holds: (item) => !isOfProducts(item) || item[parameter] !== null,
      wrong: () => needed(parameter, 'creative_source', word(OF_PRODUCTS)),
      code: 'MISSING_PARAMETER',
    },
    {
      parameter,
      rule: 'only with creative_source DYNAMIC_PRODUCT_CREATIVE',
      holds: (item) => isOfProducts(item) || item[parameter] === null,
      wrong: (item) =>
        msg`Expected no value with creative_source ${word(item.creative_source)}, ${got(parameter, item[parameter])}`,
    },
  ]),
  {
    parameter: 'objective',
    rule: 'all line items of a campaign have the same objective',
    holds: ({ objective }, { sibling }) => sibling === undefined || sibling.objective === objective,
    wrong: ({ objective }, facts) => fromCampaign('objective', objective, facts),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'product_type',
    rule: 'all line items of a campaign have the same product type',
    holds: ({ product_type }, { sibling }) => sibling === undefined || sibling.product_type === product_type,
    wrong: ({ product_type }, facts) => fromCampaign('product_type', product_type, facts),
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'product_type',
    rule: 'must be allowed for the objective',
    holds: ({ product_type, objective }, { before }) =>
      before !== undefined || productTypesOf(objective).includes(product_type),
    wrong: ({ product_type, objective }) =>
      msg`Expected a value in ${words(productTypesOf(objective))} with objective ${word(objective)}, ${got('product_type', word(product_type))}`,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'product_type',
    rule: 'must be compatible with the placements',
    holds: ({ product_type, placements }) => mayBeCombined(product_type, placements),
    wrong: ({ product_type, placements }) =>
      msg`Expected a product type that is compatible with placements ${words(placements)}, ${got('product_type', word(product_type))}`,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'placements',
    rule: 'SERVICE_PROFILE cannot be the only placement',
    holds: ({ placements }) => placements.some((placement) => placement !== 'SERVICE_PROFILE'),
    wrong: ({ placements }) =>
      msg`Expected more than ${word('SERVICE_PROFILE')}, ${got('placements', words(placements))}`,
    code: 'INVALID_PLACEMENT_TYPE',
  },
  {
    parameter: 'placements',
    rule: 'REACH objectives require SERVICE_TIMELINE or ALL_ON_SERVICE',
    holds: ({ objective, placements }) =>
      objective !== 'REACH' ||
      placements.some((placement) => placement === 'SERVICE_TIMELINE' || placement === 'ALL_ON_SERVICE'),
    wrong: ({ placements }) =>
      msg`Expected a list with ${word('SERVICE_TIMELINE')} or ${word('ALL_ON_SERVICE')} with objective ${word('REACH')}, ${got('placements', words(placements))}`,
    code: 'INVALID_PLACEMENT_TYPE',
  },
  {
    parameter: 'placements',
    rule: 'line items of a campaign cannot mix placement types',
    holds: ({ placements }, { sibling }) =>
      sibling === undefined || placements.some(isNetwork) === sibling.placements.some(isNetwork),
    wrong: ({ placements }, { sibling }) =>
      msg`Expected the type of placements of the other line items of the campaign, such as ${words(sibling?.placements ?? [])}, ${got('placements', words(placements))}`,
    code: 'INVALID',
    attribute: true,
  },
  {
    parameter: 'campaign_id',
    rule: 'a campaign has at most 100 line items',
    holds: (_, { siblings, before }) => before !== undefined || siblings < MAX_LINE_ITEMS,
    wrong: ({ campaign_id }) =>
      msg`Expected a campaign with fewer than ${MAX_LINE_ITEMS} line items, ${got('campaign_id', campaign_id)}`,
    code: 'TOO_MANY_LINE_ITEMS',
  },
]

/** The rules that a line item breaks, as errors. */
export const broken = (item: LineItem, facts: LineItemFacts): AdsError[] =>
  rules
    .filter((rule) => !rule.holds(item, facts))
    .map(({ parameter, wrong, code = 'INVALID_PARAMETER', attribute }) => ({
      code,
      message: wrong(item, facts),
      ...(attribute ? { attribute: parameter } : { parameter }),
    }))

/** Codes of the rules, for the documents. */
export const ruleCodes = [...new Set(rules.flatMap(({ code }) => (code ? [code] : [])))]

/** Whether categories are exactly those of one or two business categories. */
function areBusinessCategories(categories: readonly string[]): boolean {
  const present = new Set(categories)
  const whole = businessCategories().filter(({ iab_categories }) =>
    iab_categories.every((category) => present.has(category)),
  )
  const covered = new Set(whole.flatMap(({ iab_categories }) => iab_categories))
  return whole.length >= 1 && whole.length <= MAX_BUSINESS_CATEGORIES && covered.size === present.size
}

/**
 * Whether placements are a documented combination for a product type, or, for posts, any of the
 * service's own placements, which newer pages allow.
 */
function mayBeCombined(productType: string, placements: readonly string[]): boolean {
  if (combinationsOf(productType).has(inOrder(placements))) return true
  return productType === 'PROMOTED_POSTS' && placements.every((placement) => placement.startsWith('SERVICE_'))
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
