import { type RawBuilder, sql } from 'kysely'
import { isActiveUser, isOpen } from '../../../domain/posts/public-sql.ts'
import type { Int64 } from '../../../platform/common/int64.ts'
import { postgres } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import { anyOf } from '../entity/queries.ts'
import type { Reason, Status } from './fields.ts'

interface ConditionRow {
  /** The unique name of the condition. */
  name: string
  reason: Reason
  /**
   * The resulting `effective_status`; `UNKNOWN` takes precedence. If absent, the other conditions
   * decide.
   */
  status?: Exclude<Status, 'RUNNING'>
  /**
   * A line item with this condition affects its campaign only if the campaign has no other line
   * item.
   */
  unfinished?: true
  /** The computation of delivery decides by itself, for each period, what this is about. */
  delivery?: true
}

/** A condition of a line item, as SQL on `line_items`. Null counts as false. */
export interface OwnCondition extends ConditionRow {
  of: 'line item'
  applies(at: { now: number }): RawBuilder<unknown>
}

type CampaignBudget = 'daily_budget_amount_local_micro' | 'total_budget_amount_local_micro'

/** A condition of a line item: one of its amounts exceeds a budget of its campaign. */
export interface BudgetCondition extends ConditionRow {
  of: 'line item beside its campaign'
  amount: 'bid_amount_local_micro' | 'total_budget_amount_local_micro'
  budgets: readonly CampaignBudget[]
}

export type LineItemAmounts = Readonly<Record<BudgetCondition['amount'], Int64 | null>>
export type CampaignBudgets = Readonly<Record<CampaignBudget, Int64 | null>>

/** Whether it applies to a line item and a campaign that have been read. */
export const exceeds = (
  { amount, budgets }: BudgetCondition,
  own: LineItemAmounts,
  campaign: CampaignBudgets,
): boolean => {
  const value = own[amount]
  return value !== null && budgets.some((budget) => campaign[budget] !== null && value > campaign[budget])
}

/** A condition of the parents of a line item. */
export interface OuterCondition extends ConditionRow {
  of: 'campaign' | 'funding instrument' | 'account'
  applies(facts: OuterFacts): boolean
}

export interface OuterFacts {
  campaign: { deleted: boolean; entity_status: string; isSpent: boolean }
  /** Whether the campaign has a line item that is not deleted. */
  hasLineItems: boolean
  /** Whether the funding instrument is able to fund. */
  isFunded: boolean
  account: { approval_status: string }
}

const KEYWORDS = ['BROAD_KEYWORD', 'EXACT_KEYWORD', 'PHRASE_KEYWORD', 'UNORDERED_KEYWORD']

const existsOn = (table: string, also = sql``) =>
  sql`exists (select 1 from ${sql.table(table)} as held where held.account_id = line_items.account_id
    and held.line_item_id = line_items.id and held.visibility = 0 ${also})`

const aKeyword = sql`and held.operator_type = 'EQ' and held.targeting_type in (${sql.join(KEYWORDS.map((keyword) => sql.lit(keyword)))})`

/** Whether the account may promote a user. */
export const isPromotable = (user: string, also = sql``) =>
  sql`exists (select 1 from promotable_users as promotable where promotable.account_id = line_items.account_id
    and promotable.user_id = ${sql.ref(user)} and promotable.visibility = 0 ${also})`
export const withAllPosts = sql`and promotable.promotable_user_type = 'FULL'`

/**
 * The original of a repost is public. If the repost was made for the promotion, the account must
 * still be permitted to promote the author of the original.
 */
const isOriginalShown = sql`exists (select 1 from posts as originals
  join users as originators on originators.id = originals.author_id
  where originals.id = shown.reposted_post_id and ${isOpen({ posts: 'originals', authors: 'originators' })}
    and (shown.nullcast = 0 or ${isPromotable('originators.id')}))`

/**
 * Whether `shown`, a post that `authors` wrote, may be shown. Posts of the account's own user may
 * be promoted whoever else sees them, unless the operator has dropped them; an edit replaces them
 * and does not end their promotion.
 */
export const isPostShown = sql`(shown.deleted = 0 and shown.dropped = 0 and authors.suspended = 0
  and ${isPromotable('authors.id', withAllPosts)} and (shown.reposted_post_id is null or ${isOriginalShown}))`

/** A promoted post that may be shown. */
const aShownPost = sql`exists (select 1 from promoted_posts as held
  join posts as shown on shown.id = held.post_id
  join users as authors on authors.id = shown.author_id
  where held.account_id = line_items.account_id and held.line_item_id = line_items.id and held.visibility = 0
    and held.entity_status = 'ACTIVE' and ${isPostShown})`

/** A promoted account that may be shown. */
const aShownAccount = existsOn(
  'promoted_accounts',
  sql`and ${isPromotable('held.user_id', withAllPosts)} and ${isActiveUser('held.user_id')}`,
)

/** Each product type allows only some kinds of content. */
const hasContent = sql`case line_items.product_type
  when 'MEDIA' then ${existsOn('media_creatives')}
  when 'PROMOTED_ACCOUNT' then (${aShownAccount} or ${aShownPost})
  else ${aShownPost} end`

const ofCampaign = (column: string) =>
  sql`(select campaigns.${sql.ref(column)} from campaigns where campaigns.account_id = line_items.account_id
    and campaigns.id = line_items.campaign_id)`

const aboveAny = (amount: string, ...limits: readonly RawBuilder<unknown>[]) =>
  sql`(${sql.join(
    limits.map((limit) => sql`coalesce(${sql.ref(amount)} > ${limit}, 1 = 0)`),
    sql` or `,
  )})`

/**
 * What prevents a line item, and with it its campaign, from being shown, in the order in which
 * reasons are listed.
 */
export const conditions: readonly (OwnCondition | BudgetCondition | OuterCondition)[] = [
  {
    of: 'line item',
    name: 'the line item is deleted',
    reason: 'DELETED',
    status: 'UNKNOWN',
    applies: () => sql`line_items.deleted = 1`,
  },
  {
    of: 'campaign',
    name: 'the campaign is deleted',
    reason: 'DELETED',
    status: 'UNKNOWN',
    applies: ({ campaign }) => campaign.deleted,
  },
  {
    of: 'line item',
    name: 'the line item is a draft',
    reason: 'AWAITING_APPROVAL_BY_ADVERTISER',
    status: 'UNKNOWN',
    unfinished: true,
    applies: () => sql`line_items.entity_status = 'DRAFT'`,
  },
  {
    of: 'campaign',
    name: 'the campaign is a draft',
    reason: 'AWAITING_APPROVAL_BY_ADVERTISER',
    status: 'UNKNOWN',
    applies: ({ campaign }) => campaign.entity_status === 'DRAFT',
  },
  {
    of: 'line item',
    name: 'the line item is paused',
    reason: 'PAUSED_BY_ADVERTISER',
    status: 'PAUSED',
    applies: () => sql`line_items.entity_status = 'PAUSED'`,
  },
  {
    of: 'campaign',
    name: 'the campaign is paused',
    reason: 'PAUSED_BY_ADVERTISER',
    status: 'PAUSED',
    applies: ({ campaign }) => campaign.entity_status === 'PAUSED',
  },
  {
    of: 'campaign',
    name: 'the campaign has no line item',
    reason: 'INCOMPLETE',
    status: 'UNKNOWN',
    applies: ({ hasLineItems }) => !hasLineItems,
  },
  {
    of: 'line item',
    name: 'the line item has no promoted post, promoted account or media creative that may be shown',
    delivery: true,
    reason: 'INCOMPLETE',
    status: 'UNKNOWN',
    unfinished: true,
    applies: () => sql`not ${hasContent}`,
  },
  {
    of: 'line item',
    name: 'SERVICE_SEARCH is among the placements, and no keyword is targeted',
    reason: 'INCOMPLETE',
    status: 'UNKNOWN',
    unfinished: true,
    applies: () =>
      sql`line_items.placements like '%"SERVICE_SEARCH"%' and not ${existsOn('targeting_criteria', aKeyword)}`,
  },
  {
    of: 'line item',
    name: 'the goal is WEBSITE_CONVERSIONS, and the primary web event tag is deleted',
    reason: 'INCOMPLETE',
    status: 'UNKNOWN',
    unfinished: true,
    applies: () =>
      sql`line_items.goal = 'WEBSITE_CONVERSIONS' and not exists (select 1 from web_event_tags as tag
        where tag.account_id = line_items.account_id and tag.id = line_items.primary_web_event_tag and tag.deleted = 0)`,
  },
  {
    of: 'line item',
    name: 'the creative source is DYNAMIC_PRODUCT_CREATIVE, and the product set is deleted',
    reason: 'INCOMPLETE',
    status: 'UNKNOWN',
    unfinished: true,
    applies: () =>
      sql`line_items.creative_source = 'DYNAMIC_PRODUCT_CREATIVE' and not exists (select 1 from product_sets as products
        where products.id = line_items.product_set_id and products.catalog_id = line_items.catalog_id)`,
  },
  {
    of: 'line item',
    name: 'the line item starts later',
    delivery: true,
    reason: 'STARTS_IN_FUTURE',
    status: 'UNKNOWN',
    applies: ({ now }) => sql`line_items.start_time > ${now}`,
  },
  {
    of: 'line item',
    name: 'the line item has ended',
    delivery: true,
    reason: 'EXPIRED',
    applies: ({ now }) => sql`line_items.end_time <= ${now}`,
  },
  {
    of: 'line item',
    name: 'the bid is above a budget of the line item',
    reason: 'BUDGET_EXHAUSTED',
    applies: () =>
      aboveAny(
        'line_items.bid_amount_local_micro',
        sql.ref('line_items.daily_budget_amount_local_micro'),
        sql.ref('line_items.total_budget_amount_local_micro'),
      ),
  },
  {
    of: 'line item beside its campaign',
    name: 'the bid is above a budget of the campaign',
    reason: 'BUDGET_EXHAUSTED',
    amount: 'bid_amount_local_micro',
    budgets: ['daily_budget_amount_local_micro', 'total_budget_amount_local_micro'],
  },
  {
    of: 'line item beside its campaign',
    name: 'the total budget is above that of the campaign',
    reason: 'BUDGET_EXHAUSTED',
    amount: 'total_budget_amount_local_micro',
    budgets: ['total_budget_amount_local_micro'],
  },
  {
    of: 'line item',
    name: 'the total budget of the line item is spent',
    reason: 'BUDGET_EXHAUSTED',
    delivery: true,
    applies: () =>
      sql`exists (select 1 from ad_spending as spending where spending.account_id = line_items.account_id
        and spending.id = line_items.id
        and line_items.total_budget_amount_local_micro - spending.spent < spending.unit)`,
  },
  {
    of: 'campaign',
    name: 'the total budget of the campaign is spent',
    reason: 'BUDGET_EXHAUSTED',
    applies: ({ campaign }) => campaign.isSpent,
  },
  {
    of: 'funding instrument',
    name: 'the funding instrument is not able to fund',
    reason: 'FUNDING_PROBLEM',
    applies: ({ isFunded }) => !isFunded,
  },
  {
    of: 'account',
    name: 'the account is under review',
    reason: 'ACCOUNT_UNDER_REVIEW',
    applies: ({ account }) => account.approval_status === 'UNDER_REVIEW',
  },
  {
    of: 'account',
    name: 'the account was rejected',
    reason: 'ACCOUNT_REJECTED',
    applies: ({ account }) => account.approval_status === 'REJECTED',
  },
]

/** Whether a condition is about a line item. Each of these has a bit in `held`. */
export const isOwn = (condition: (typeof conditions)[number]): condition is OwnCondition | BudgetCondition =>
  condition.of === 'line item' || condition.of === 'line item beside its campaign'

/** The conditions of line items, in the order of their bits. */
export const ownConditions = conditions.filter(isOwn)

interface ConditionArgs {
  account: string
  /** A JSON list. */
  ids: string
  now: number
}

const appliesTo = (condition: OwnCondition | BudgetCondition, at: { now: number }) =>
  condition.of === 'line item'
    ? condition.applies(at)
    : aboveAny(`line_items.${condition.amount}`, ...condition.budgets.map(ofCampaign))

const bitOf = (condition: OwnCondition | BudgetCondition, at: { now: number }) =>
  sql`case when ${appliesTo(condition, at)} then 1 else 0 end`

const bitsOf = (at: { now: number }, isIncluded: (condition: OwnCondition | BudgetCondition) => boolean) =>
  sql<number>`${sql.join(
    ownConditions.flatMap((condition, index) =>
      isIncluded(condition) ? [sql`${bitOf(condition, at)} * ${sql.lit(2 ** index)}`] : [],
    ),
    sql` + `,
  )}`

/**
 * The conditions that apply to a line item, as bits: an expression on `line_items`. Conditions
 * that compare a line item with its campaign are left out: a page reads each campaign once.
 */
export const conditionBits = (at: { now: number }): RawBuilder<number> =>
  bitsOf(at, ({ of }) => of === 'line item')

/** Conditions that keep a line item from being delivered whatever the time. */
export const deliveryBits = bitsOf({ now: 0 }, ({ delivery }) => !delivery)

/** The same with every condition of a line item. */
const conditionBitsWithCampaign = (at: { now: number }): RawBuilder<number> => bitsOf(at, () => true)

/** The conditions that apply to some line items, as in `conditionBits`. */
export const heldLineItems = query<ConditionArgs, { id: string; held: number }>(
  'heldLineItems',
  (db, at) => ({
    compile: () =>
      sql`select line_items.id, ${conditionBits(at)} as held from line_items
      where line_items.account_id = ${at.account} and ${anyOf(db, sql.ref('line_items.id'), at.ids)}`.compile(
        db,
      ),
  }),
)

/** The campaigns, of those given, that have a line item to which no condition applies. */
export const campaignsWithServing = query<ConditionArgs, { id: string }>(
  'campaignsWithServing',
  (db, at) => ({
    compile: () => {
      const wanted = postgres(db)
        ? sql`jsonb_array_elements_text(${at.ids}::jsonb) as wanted(value)`
        : sql`json_each(${at.ids}) as wanted`
      const free = ownConditions.map((condition) => sql`${bitOf(condition, at)} = 0`)
      return sql`select wanted.value as id from ${wanted} where exists (
      select 1 from line_items
      where line_items.account_id = ${at.account} and line_items.campaign_id = wanted.value
        and line_items.visibility = 0 and ${sql.join(free, sql` and `)})`.compile(db)
    },
  }),
)

/**
 * The conditions that apply to the line items of some campaigns, as bits. Deleted line items are
 * omitted.
 */
export const heldOfCampaigns = query<ConditionArgs, { campaign_id: string; held: number }>(
  'heldOfCampaigns',
  (db, at) => ({
    compile: () =>
      sql`select distinct line_items.campaign_id, ${conditionBitsWithCampaign(at)} as held from line_items
        where line_items.account_id = ${at.account} and ${anyOf(db, sql.ref('line_items.campaign_id'), at.ids)}
          and line_items.visibility in (0, 1)`.compile(db),
  }),
)

/** A campaign with its funding instrument. */
export interface FundedCampaign extends CampaignBudgets {
  id: string
  deleted: number
  entity_status: string
  funding_deleted: number
  funding_status: string
  start_time: number
  end_time: number | null
  type: string
  credit_limit_local_micro: Int64 | null
  funded_amount_local_micro: Int64 | null
  /** Null while nothing was spent. */
  campaign_spent: number | null
  campaign_unit: number | null
  funding_spent: number | null
  funding_unit: number | null
}

const COLUMNS = sql`campaigns.id, campaigns.deleted, campaigns.entity_status,
      campaigns.daily_budget_amount_local_micro, campaigns.total_budget_amount_local_micro,
      funding.deleted as funding_deleted, funding.entity_status as funding_status, funding.start_time,
      funding.end_time, funding.type, funding.credit_limit_local_micro, funding.funded_amount_local_micro,
      own.spent as campaign_spent, own.unit as campaign_unit,
      paid.spent as funding_spent, paid.unit as funding_unit`
const WITH_FUNDING = sql`campaigns inner join funding_instruments as funding
      on funding.account_id = campaigns.account_id and funding.id = campaigns.funding_instrument_id
      left join ad_spending as own on own.account_id = campaigns.account_id and own.id = campaigns.id
      left join ad_spending as paid on paid.account_id = campaigns.account_id
        and paid.id = campaigns.funding_instrument_id`

const funded = (account: string, condition: RawBuilder<unknown>) =>
  sql<FundedCampaign>`select ${COLUMNS} from ${WITH_FUNDING} where campaigns.account_id = ${account} and ${condition}`

/** A campaign with its funding instrument. */
export const fundedCampaign = query<{ account: string; id: string }, FundedCampaign>(
  'fundedCampaign',
  (db, at) => ({ compile: () => funded(at.account, sql`campaigns.id = ${at.id}`).compile(db) }),
)

/**
 * The campaign of a line item with its funding instrument, and the conditions of the line item as
 * in `conditionBits`.
 */
export const fundedCampaignOfLineItem = query<
  { account: string; id: string; now: number },
  FundedCampaign & { held: number }
>('fundedCampaignOfLineItem', (db, at) => ({
  compile: () =>
    sql`select ${COLUMNS}, ${conditionBits(at)} as held from ${WITH_FUNDING} inner join line_items
        on line_items.account_id = campaigns.account_id and line_items.campaign_id = campaigns.id
        where line_items.account_id = ${at.account} and line_items.id = ${at.id}`.compile(db),
}))

/** Some campaigns with their funding instruments. */
export const fundedCampaigns = query<{ account: string; ids: string }, FundedCampaign>(
  'fundedCampaigns',
  (db, at) => ({
    compile: () => funded(at.account, anyOf(db, sql.ref('campaigns.id'), at.ids)).compile(db),
  }),
)
