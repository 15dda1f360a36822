import { isBlank } from '../../../platform/common/visible.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { WriteContext } from '../entity/types.ts'
import { fundingInstruments, reasonsNotToFund } from '../funding-instruments/funding-instruments.ts'
import { blankName } from '../messages.ts'
import { wrongBudgets, wrongSteps } from '../money.ts'
import { campaignServability } from '../servability/servability.ts'
import { spentMore } from '../spending.ts'
import { fields } from './fields.ts'
import { countCampaigns, dailyBudgetIn, lockAccount } from './queries.ts'

/** A campaign: a budget and a funding instrument for line items. */
export const campaigns = entity({
  one: 'campaign',
  source: 'Campaign management (reference: campaigns)',
  notFound: 'CAMPAIGN_NOT_FOUND',
  maxBatch: 40,
  limits: 'entity',
  filters: {
    campaign_ids: byIds('campaign'),
    funding_instrument_ids: byParents(
      'funding instrument',
      'Returns only items that these funding instruments pay for.',
    ),
  },
  search: true,
  drafts: true,
  activates: true,
  sort: {
    name: 'name_key',
    daily_budget_amount_local_micro: 'daily_budget_amount_local_micro',
    total_budget_amount_local_micro: 'total_budget_amount_local_micro',
    // It is the same for every campaign, so it is not a sort attribute.
    standard_delivery: '',
  },
  nameKey: true,
  history: 'CAMPAIGN',
  codes: [
    'FUNDING_INSTRUMENT_NOT_FOUND',
    'INVALID',
    'INVALID_DENOMINATION',
    'INVALID_FUNDING_INSTRUMENT',
    'SPEND_EXCEEDS_BUDGET',
    'TOO_MANY_CAMPAIGNS',
  ],
  delivered: true,
  fields,
  async complete(supplied, work) {
    const funding = await fundingInstruments.require(work, supplied.funding_instrument_id)
    return {
      budget_optimization: 'LINE_ITEM',
      daily_budget_amount_local_micro: null,
      total_budget_amount_local_micro: null,
      entity_status: 'ACTIVE',
      purchase_order_number: null,
      ...supplied,
      standard_delivery: null,
      currency: funding.currency,
    }
  },
  adjust: () => ({ standard_delivery: null }),
  async check(item, change) {
    return [
      ...(isBlank(item.name) ? [blankName(item.name)] : []),
      ...(await wrongFunding(item, change)),
      ...(await tooMany(item, change)),
      ...(await wrongOptimization(item, change)),
      ...wrongBudgets(item),
      ...(await spentMore(item.id, 'total_budget_amount_local_micro', change)),
      ...wrongSteps(item.currency, {
        daily_budget_amount_local_micro: change.supplied.daily_budget_amount_local_micro,
        total_budget_amount_local_micro: change.supplied.total_budget_amount_local_micro,
      }),
    ]
  },
  async derive(items, at) {
    const servabilities = await campaignServability(
      items.map(({ id }) => id),
      at,
    )
    for (const [index, campaign] of items.entries())
      Object.assign(campaign, servabilities[index], { duration_in_days: null, frequency_cap: null })
  },
})

interface Campaign {
  id: string
  budget_optimization: string
  entity_status: string
  funding_instrument_id: string
}

interface CampaignChange extends WriteContext {
  before: { entity_status: string; budget_optimization: string } | undefined
}

/** A new campaign cannot use a funding instrument that can never pay again. */
async function wrongFunding(
  item: Campaign,
  { before, context, scope, tx }: CampaignChange,
): Promise<AdsError[]> {
  if (before) return []
  const funding = await fundingInstruments.find({ scope, tx }, item.funding_instrument_id)
  const unspent = funding && { ...funding, spent: 0, unit: 1 }
  if (!unspent || !reasonsNotToFund(unspent, context.clock.now()).includes('EXPIRED')) return []
  return [
    wrongParameter(
      'funding_instrument_id',
      msg`Funding Instrument ${item.funding_instrument_id} has expired`,
      'INVALID_FUNDING_INSTRUMENT',
    ),
  ]
}

/**
 * Daily budgets belong either to the campaign or to its line items (interface,
 * `daily_budget_amount_local_micro`).
 */
async function wrongOptimization(
  { id, budget_optimization }: Campaign,
  { before, tx, scope }: CampaignChange,
): Promise<AdsError[]> {
  if (budget_optimization !== 'CAMPAIGN' || !before || before.budget_optimization === 'CAMPAIGN') return []
  const held = await tx.first(dailyBudgetIn, { account: scope.accountId, campaign: id })
  if (!held) return []
  return [
    wrongAttribute(
      'budget_optimization',
      msg`Expected ${word('LINE_ITEM')} while Line Item ${held.id} has a daily_budget_amount_local_micro, got "${word('CAMPAIGN')}" for budget_optimization`,
    ),
  ]
}

/** Counts everything except deleted campaigns and drafts, including paused campaigns. */
async function tooMany(item: Campaign, { before, context, scope, tx }: CampaignChange): Promise<AdsError[]> {
  const counts = item.entity_status !== 'DRAFT' && (before === undefined || before.entity_status === 'DRAFT')
  if (!counts) return []
  const limit = context.config.activeCampaigns
  await tx.first(lockAccount, { id: scope.accountId })
  const counted = await tx.first(countCampaigns, { account: scope.accountId, limit })
  if ((counted?.total ?? 0) < limit) return []
  return [{ code: 'TOO_MANY_CAMPAIGNS', message: msg`An account may have ${limit} active campaigns` }]
}
