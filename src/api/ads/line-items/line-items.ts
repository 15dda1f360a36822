import { hourEnd } from '../../../domain/ad-delivery/pace.ts'
import { beginDelivery } from '../../../domain/ad-delivery/queries.ts'
import { timeZone } from '../../../domain/ad-delivery/time-zone.ts'
import type { ProductType } from '../../../domain/reference-data/placements.ts'
import type { Int64 } from '../../../platform/common/int64.ts'
import { type Message, msg, word } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { campaigns } from '../campaigns/campaigns.ts'
import { checkCatalogAccess } from '../catalogs/catalog.ts'
import { catalogOfUser, setById } from '../catalogs/queries.ts'
import { entity } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { Change, WriteContext } from '../entity/types.ts'
import { followApps } from '../line-item-apps/follow.ts'
import { conditionBits } from '../servability/queries.ts'
import { lineItemServability } from '../servability/servability.ts'
import { spentMore } from '../spending.ts'
import { targetAppPlatforms } from '../targeting/criteria.ts'
import { webEventTags } from '../web-event-tags/web-event-tags.ts'
import { fields, type LineItem } from './fields.ts'
import { countLineItems, fullUser, hideChildren, promotableUser, siblingLineItem } from './queries.ts'
import { broken, type LineItemFacts, ruleCodes } from './rules.ts'
import { defaultPayBy, goalsOf, isMaxWithBid } from './values.ts'

/** A line item: one set of ads of a campaign, with its bid, budget and schedule. */
export const lineItems = entity({
  one: 'line item',
  source: 'Line item update parameters',
  notFound: 'LINE_ITEM_NOT_FOUND',
  maxBatch: 40,
  parent: {
    table: 'campaigns',
    column: 'campaign_id',
    lockedFor: ({ daily_budget_amount_local_micro: budget }) => Boolean(budget),
  },
  limits: 'entity',
  filters: {
    line_item_ids: byIds('line item'),
    campaign_ids: byParents('campaign'),
    funding_instrument_ids: byParents(
      'funding instrument',
      'Returns only items that these funding instruments pay for.',
    ),
  },
  search: true,
  drafts: true,
  activates: true,
  sort: { bid_amount_local_micro: 'bid_amount_local_micro' },
  nameKey: true,
  history: 'LINE_ITEM',
  codes: [
    'CAMPAIGN_NOT_FOUND',
    'NOT_FOUND',
    'SPEND_EXCEEDS_BUDGET',
    'UNAUTHORIZED_CLIENT_APPLICATION',
    'WEB_EVENT_TAG_NOT_FOUND',
    ...ruleCodes,
  ],
  indexes: {
    line_items_by_name: ['account_id', 'visibility', 'name_key', 'id'],
  },
  delivered: true,
  fields,
  async complete(supplied, work) {
    const { campaign_id, objective } = supplied
    // Locked, so that two concurrent requests cannot both create the hundredth line item.
    const campaign = await campaigns.require(work, campaign_id, 'locked')
    const [goal] = goalsOf(objective)
    const full = await work.tx.first(fullUser, { account: work.scope.accountId })
    const chosen = {
      goal,
      bid_strategy:
        isMaxWithBid(objective) && supplied.bid_amount_local_micro ? ('MAX' as const) : ('AUTO' as const),
      bid_amount_local_micro: null,
      total_budget_amount_local_micro: null,
      daily_budget_amount_local_micro: null,
      name: null,
      start_time: null,
      end_time: null,
      entity_status: 'ACTIVE' as const,
      frequency_cap: null,
      duration_in_days: null,
      categories: [],
      advertiser_domain: null,
      advertiser_user_id: full?.user_id ?? null,
      android_app_store_identifier: null,
      ios_app_store_identifier: null,
      primary_web_event_tag: null,
      audience_expansion: null,
      creative_source: 'MANUAL' as const,
      catalog_id: null,
      product_set_id: null,
      ...supplied,
    }
    return {
      pay_by: defaultPayBy(chosen.goal, chosen.bid_strategy),
      // Standard pacing requires a daily budget.
      standard_delivery: chosen.daily_budget_amount_local_micro === null ? null : true,
      ...chosen,
      bid_amount_local_micro: bidOf(chosen),
      funding_instrument_id: campaign.funding_instrument_id,
      currency: campaign.currency,
      target_cpa_local_micro: null,
      automatic_post_promotion: null,
    }
  },
  adjust(item, { supplied, before }) {
    // A value that was not chosen follows the goal and the strategy in both directions.
    const isDefault = before?.pay_by === defaultPayBy(before?.goal ?? item.goal, before?.bid_strategy ?? '')
    const isMoved = supplied.bid_strategy !== undefined || supplied.goal !== undefined
    const follows = isMoved && supplied.pay_by === undefined && isDefault
    const firstDaily =
      !before?.daily_budget_amount_local_micro && item.daily_budget_amount_local_micro !== null
    return {
      bid_amount_local_micro: bidOf(item),
      ...(firstDaily && item.standard_delivery === null && { standard_delivery: true }),
      ...(follows && { pay_by: defaultPayBy(item.goal, item.bid_strategy) }),
    }
  },
  async check(item, change) {
    return [
      ...broken(item, await factsOf(item, change)),
      ...(await unknownTag(change)),
      ...(await unknownProducts(item, change)),
      ...(await spentMore(item.id, 'total_budget_amount_local_micro', change)),
    ]
  },
  async after(item, change) {
    await followApps(item, change)
    if (change.before) return
    await targetAppPlatforms(item, change)
    const { tx, now, scope } = change
    if (scope.account.environment === 'sandbox') return
    const due = hourEnd(timeZone(scope.account.timezone), now)
    await tx.run(beginDelivery, { account: scope.accountId, now, due })
  },
  computed: { held: conditionBits },
  async derive(items, at) {
    const servabilities = await lineItemServability(items, at)
    for (const [index, lineItem] of items.entries()) Object.assign(lineItem, servabilities[index])
  },
  async afterDelete({ id }, { tx, scope }) {
    for (const hide of hideChildren) await tx.run(hide, { account: scope.accountId, parent: id })
  },
})

/** `AUTO` ignores the bid (interface, `bid_strategy`). */
const bidOf = (lineItem: { bid_strategy: string; bid_amount_local_micro: Int64 | null }) =>
  lineItem.bid_strategy === 'AUTO' ? null : lineItem.bid_amount_local_micro

/** For an existing line item, rules about the campaign apply only to amounts that were sent. */
const AMOUNTS = [
  'bid_amount_local_micro',
  'total_budget_amount_local_micro',
  'daily_budget_amount_local_micro',
] as const
const WITHOUT_BUDGETS: LineItemFacts['campaign'] = {
  budget_optimization: 'LINE_ITEM',
  daily_budget_amount_local_micro: null,
  total_budget_amount_local_micro: null,
}

async function factsOf(item: LineItem, change: Change<typeof fields>): Promise<LineItemFacts> {
  const { tx, scope, supplied, before, caller, context } = change
  const at = { account: scope.accountId, campaign: item.campaign_id }
  // Locked, so that the campaign does not take over budgets while a line item gets one.
  const { byId, lock } = campaigns.rows
  const read = supplied.daily_budget_amount_local_micro ? lock : byId
  const needsCampaign = !before || AMOUNTS.some((name) => supplied[name] !== undefined)
  const campaign = needsCampaign && (await tx.first(read, { account: at.account, id: item.campaign_id }))
  if (campaign === undefined) throw campaigns.missing(at.account, item.campaign_id)
  const sibling = before ? undefined : await tx.first(siblingLineItem, { ...at, id: item.id })
  const counted = before ? undefined : await tx.first(countLineItems, at)
  return {
    supplied,
    before,
    campaign: campaign ? campaigns.codec.decode(campaign) : WITHOUT_BUDGETS,
    sibling: sibling && { ...sibling, placements: JSON.parse(sibling.placements) as string[] },
    siblings: counted?.total ?? 0,
    mayChooseAdvertiser: ['all', caller.app.id].some((appId) =>
      context.config.advertiserUserApps.includes(appId),
    ),
    advertiserPromotable: await isPromotable(supplied.advertiser_user_id, change),
  }
}

/** A tag that is being set must exist. One that was deleted since stays set. */
async function unknownTag(change: Change<typeof fields>): Promise<readonly AdsError[]> {
  const { supplied, before, scope } = change
  const id = supplied.primary_web_event_tag
  if (!id || id === before?.primary_web_event_tag || (await webEventTags.find(change, id))) return []
  return webEventTags.missing(scope.accountId, id, 'primary_web_event_tag').errors
}

/** A catalog and a set that are being set must exist. Those that were deleted since stay set. */
async function unknownProducts(
  { catalog_id: catalog, product_set_id: set }: LineItem,
  { supplied, tx, scope, caller, context }: Change<typeof fields>,
): Promise<readonly AdsError[]> {
  if (!catalog || !set || (!supplied.catalog_id && !supplied.product_set_id)) return []
  checkCatalogAccess(caller.app, context.config)
  const { environment } = scope.account
  const missing = (parameter: string, message: Message) => [wrongParameter(parameter, message, 'NOT_FOUND')]
  if (!(await tx.first(catalogOfUser, { user: caller.userId, environment, id: catalog })))
    return missing('catalog_id', msg`Product catalog ${catalog} was not found`)
  if (await tx.first(setById, { catalog, id: set })) return []
  return missing('product_set_id', msg`Product set ${set} was not found in catalog ${catalog}`)
}

async function isPromotable(
  userId: string | null | undefined,
  { tx, scope }: Pick<WriteContext, 'tx' | 'scope'>,
): Promise<boolean> {
  if (userId === null || userId === undefined) return true
  return (await tx.first(promotableUser, { account: scope.accountId, userId })) !== undefined
}

/**
 * The line item that a new entity belongs to. Rejects one whose product type does not allow it. The
 * row is locked, so that two callers cannot both add the same entity, and no one deletes the line
 * item meanwhile.
 */
export async function parentLineItem(
  work: WriteContext,
  id: string,
  productTypes: readonly ProductType[],
): Promise<LineItem> {
  const found = await lineItems.require(work, id, 'locked')
  if (!productTypes.includes(found.product_type)) throw adsApiError(incompatible(id, found.product_type))
  return found
}

const incompatible = (id: string, productType: string) =>
  wrongParameter(
    'line_item_id',
    msg`Line Item ${id} of product_type ${word(productType)} cannot hold this`,
    'INCOMPATIBLE_LINE_ITEM',
  )
