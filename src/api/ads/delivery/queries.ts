import { sql } from 'kysely'
import { isActiveUser } from '../../../domain/posts/public-sql.ts'
import type { Int64 } from '../../../platform/common/int64.ts'
import { query } from '../../tables.ts'
import { anyOf, VISIBLE } from '../entity/queries.ts'
import { deliveryBits, isPostShown, isPromotable, withAllPosts } from '../servability/queries.ts'

/** A line item that may be delivered, with its campaign and its funding instrument. */
export interface CandidateRow {
  id: string
  campaign_id: string
  funding_instrument_id: string
  objective: string
  goal: string
  pay_by: string
  bid_strategy: string
  bid_amount_local_micro: Int64 | null
  currency: string
  start_time: number | null
  end_time: number | null
  created_at: number
  daily_budget_amount_local_micro: Int64 | null
  total_budget_amount_local_micro: Int64 | null
  standard_delivery: number | null
  frequency_cap: number | null
  duration_in_days: number | null
  campaign_daily: Int64 | null
  campaign_total: Int64 | null
  funding_type: string
  funding_status: string
  funding_deleted: number
  funding_start: number
  funding_end: number | null
  credit_limit_local_micro: Int64 | null
  funded_amount_local_micro: Int64 | null
  /** Conditions that keep it from being shown, as bits. */
  held: number
  /** Changes with its targeting criteria. */
  targeting: string
}

/** The active line items of an account that end after a time. */
export const candidates = query<{ account: string; after: number }, CandidateRow>(
  'deliveryCandidates',
  (db, at) => ({
    compile: () =>
      sql`select line_items.id, line_items.campaign_id, campaigns.funding_instrument_id, line_items.objective,
          line_items.goal, line_items.pay_by, line_items.bid_strategy, line_items.bid_amount_local_micro,
          line_items.currency, line_items.start_time, line_items.end_time, line_items.created_at,
          line_items.daily_budget_amount_local_micro, line_items.total_budget_amount_local_micro,
          line_items.standard_delivery, line_items.frequency_cap, line_items.duration_in_days,
          campaigns.daily_budget_amount_local_micro as campaign_daily,
          campaigns.total_budget_amount_local_micro as campaign_total,
          funding.type as funding_type, funding.entity_status as funding_status,
          funding.deleted as funding_deleted, funding.start_time as funding_start,
          funding.end_time as funding_end, funding.credit_limit_local_micro, funding.funded_amount_local_micro,
          ${deliveryBits} as held,
          (select count(*) || ' ' || coalesce(max(criteria.id), '') from targeting_criteria as criteria
            where criteria.account_id = line_items.account_id and criteria.line_item_id = line_items.id
              and criteria.visibility = 0) as targeting
        from line_items
        inner join campaigns on campaigns.account_id = line_items.account_id and campaigns.id = line_items.campaign_id
        inner join funding_instruments as funding on funding.account_id = campaigns.account_id
          and funding.id = campaigns.funding_instrument_id
        where line_items.account_id = ${at.account} and line_items.visibility = 0
          and line_items.entity_status = 'ACTIVE'
          and campaigns.visibility = 0 and campaigns.entity_status = 'ACTIVE'
          and (line_items.end_time is null or line_items.end_time > ${at.after})
        order by line_items.id`.compile(db),
  }),
)

/** The A/B tests of an account that end after a time. */
export const openTests = query<
  { account: string; after: number },
  { id: string; start_time: number; end_time: number; user_groups: string }
>('openTests', (db, at) =>
  db
    .selectFrom('ab_tests')
    .select(['id', 'start_time', 'end_time', 'user_groups'])
    .where('account_id', '=', at.account)
    .where('visibility', '=', VISIBLE)
    .where('end_time', '>', at.after),
)

/** Something that a line item promotes and that may be shown. Flags are 0 or 1. */
export interface PromotionRow {
  id: string
  line_item_id: string
  post_id: string | null
  link: number
  card: number
  video: number
  carousel: number
  poll: number
}

interface PromotionArgs {
  account: string
  /** A JSON list of line items. */
  ids: string
}

const flag = (condition: ReturnType<typeof sql>) => sql`case when ${condition} then 1 else 0 end`

/**
 * The promoted posts of line items. Those that are shown are the same as in `aShownPost` of
 * servability. A repost shows what its original does.
 */
export const shownPosts = query<PromotionArgs, PromotionRow>('deliveredPosts', (db, at) => ({
  compile: () =>
    sql`select held.id, held.line_item_id, held.post_id,
        ${flag(sql`content.entities like '%"urls":[{%' or cards.card_type like '%WEBSITE'
          or products.id is not null`)} as link,
        ${flag(sql`content.card_uri is not null`)} as card,
        ${flag(sql`content.media_keys like '%"7\\_%' escape '\\' or content.media_keys like '%"13\\_%' escape '\\'
          or cards.card_type like 'VIDEO%'`)} as video,
        ${flag(sql`cards.card_type like '%CAROUSEL%' or products.creative_type = 'CAROUSEL'`)} as carousel,
        ${flag(sql`content.poll_id is not null`)} as poll
      from line_items
      inner join promoted_posts as held on held.account_id = line_items.account_id
        and held.line_item_id = line_items.id and held.visibility = 0 and held.entity_status = 'ACTIVE'
      inner join posts as shown on shown.id = held.post_id
      inner join users as authors on authors.id = shown.author_id
      inner join posts as content on content.id = coalesce(shown.reposted_post_id, shown.id)
      left join cards on cards.account_id = line_items.account_id and cards.id = substr(content.card_uri, 8)
      left join dynamic_product_cards as products on products.account_id = line_items.account_id
        and products.id = substr(content.card_uri, 8)
      where line_items.account_id = ${at.account} and ${anyOf(db, sql.ref('line_items.id'), at.ids)}
        and line_items.product_type <> 'MEDIA'
        and ${isPostShown}
      order by held.line_item_id, held.id`.compile(db),
}))

/** The promoted accounts of line items. */
export const shownAccounts = query<PromotionArgs, Pick<PromotionRow, 'id' | 'line_item_id'>>(
  'deliveredAccounts',
  (db, at) => ({
    compile: () =>
      sql`select held.id, held.line_item_id from line_items
        inner join promoted_accounts as held on held.account_id = line_items.account_id
          and held.line_item_id = line_items.id and held.visibility = 0 and held.entity_status = 'ACTIVE'
        where line_items.account_id = ${at.account} and ${anyOf(db, sql.ref('line_items.id'), at.ids)}
          and line_items.product_type = 'PROMOTED_ACCOUNT'
          and ${isPromotable('held.user_id', withAllPosts)} and ${isActiveUser('held.user_id')}
        order by held.line_item_id, held.id`.compile(db),
  }),
)

/** The media creatives of line items. */
export const shownCreatives = query<
  PromotionArgs,
  Pick<PromotionRow, 'id' | 'line_item_id' | 'link' | 'video'>
>('deliveredCreatives', (db, at) => ({
  compile: () =>
    sql`select held.id, held.line_item_id,
        ${flag(sql`held.landing_url is not null`)} as link,
        ${flag(sql`held.creative_type in ('PREROLL', 'VAST_PREROLL')`)} as video
      from line_items
      inner join media_creatives as held on held.account_id = line_items.account_id
        and held.line_item_id = line_items.id and held.visibility = 0 and held.entity_status = 'ACTIVE'
      where line_items.account_id = ${at.account} and ${anyOf(db, sql.ref('line_items.id'), at.ids)}
        and line_items.product_type = 'MEDIA'
      order by held.line_item_id, held.id`.compile(db),
}))

/** The targeting criteria of line items. */
export const criteriaOfLineItems = query<
  PromotionArgs,
  {
    line_item_id: string
    targeting_type: string
    targeting_value: string
    operator_type: string
    name: string
  }
>('criteriaOfLineItems', (db, at) => ({
  compile: () =>
    sql`select line_item_id, targeting_type, targeting_value, operator_type, name from targeting_criteria
      where account_id = ${at.account} and ${anyOf(db, sql.ref('line_item_id'), at.ids)} and visibility = 0
      order by line_item_id, id`.compile(db),
}))
