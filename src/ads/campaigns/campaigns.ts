import { Type } from 'typebox'
import type { AdsError } from '../../kit/ads-codes.ts'
import { base36, choice, ids, integerChoice, micros, text } from '../../kit/schema.ts'
import { endOfTurn } from '../../kit/turn.ts'
import type { Work } from '../entity/entity.ts'
import { entity } from '../entity/entity.ts'
import { fundingInstruments, reasonsNotToFund } from '../funding-instruments/funding-instruments.ts'
import { wrongBudgets, wrongSteps } from '../money.ts'
import { nameKey } from '../name-key.ts'
import { completeCampaigns, countCampaigns, fundingOf, lockAccount } from './queries.ts'

const REASONS = [
  'ACCOUNT_REJECTED',
  'ACCOUNT_UNDER_REVIEW',
  'AWAITING_APPROVAL_BY_ADVERTISER',
  'BUDGET_EXHAUSTED',
  'CONTENT_REVIEW_PROBLEM',
  'DELETED',
  'EXPIRED',
  'FUNDING_PROBLEM',
  'INCOMPLETE',
  'PAUSED_BY_ADVERTISER',
  'RETIRED_OBJECTIVE',
  'STARTS_IN_FUTURE',
] as const

type Reason = (typeof REASONS)[number]

/** A campaign: a budget and a funding instrument over line items. */
export const campaigns = entity({
  one: 'campaign',
  many: 'campaigns',
  table: 'campaigns',
  path: '/accounts/{account_id}/campaigns',
  id: 'campaign_id',
  source: 'Campaign management (reference: campaigns)',
  notFound: 'CAMPAIGN_NOT_FOUND',
  verbs: ['list', 'get', 'create', 'update', 'delete'],
  maxBatch: 40,
  limits: 'entity',
  filters: {
    campaign_ids: { column: 'id', schema: ids(base36('A campaign.'), 'Only these.') },
    funding_instrument_ids: {
      column: 'funding_instrument_id',
      schema: ids(base36('A funding instrument.'), 'Only what these pay for.'),
    },
  },
  search: true,
  drafts: true,
  sort: {
    name: 'name_key',
    daily_budget_amount_local_micro: 'daily_budget_amount_local_micro',
    total_budget_amount_local_micro: 'total_budget_amount_local_micro',
    // The same for every campaign nowadays, so it sorts nothing.
    standard_delivery: '',
  },
  kept: { name_key: ({ name }) => nameKey(name) },
  history: 'CAMPAIGN',
  codes: [
    'FUNDING_INSTRUMENT_NOT_FOUND',
    'INVALID',
    'INVALID_DENOMINATION',
    'INVALID_FUNDING_INSTRUMENT',
    'TOO_MANY_CAMPAIGNS',
  ],
  fields: {
    name: { schema: text(1, 255, 'For people.'), create: 'required', update: true },
    funding_instrument_id: { schema: base36('What pays for it.'), create: 'required' },
    currency: { schema: text(3, 3, 'That of the funding instrument.') },
    budget_optimization: {
      schema: choice(['LINE_ITEM', 'CAMPAIGN'], 'Where budgets are set.'),
      create: 'optional',
      update: true,
    },
    daily_budget_amount_local_micro: {
      schema: micros('At most the total budget.'),
      null: true,
      create: 'optional',
      update: true,
    },
    total_budget_amount_local_micro: {
      schema: micros('For all its days.'),
      null: true,
      create: 'optional',
      update: true,
    },
    entity_status: {
      schema: choice(['ACTIVE', 'PAUSED', 'DRAFT'], 'A draft is shown in lists only when asked for.'),
      create: 'optional',
      update: choice(['ACTIVE', 'PAUSED'], 'A draft becomes one of these for good.'),
    },
    purchase_order_number: {
      schema: text(1, 50, 'For invoices.'),
      null: true,
      create: 'optional',
      update: true,
    },
    standard_delivery: {
      schema: Type.Boolean({ description: 'Moved to line items: taken, and always null.' }),
      null: true,
      create: 'optional',
      update: true,
    },
    duration_in_days: {
      schema: integerChoice([1, 7, 30], 'Moved to line items.'),
      null: true,
      derived: true,
    },
    frequency_cap: {
      schema: Type.Integer({ description: 'Moved to line items.' }),
      null: true,
      derived: true,
    },
    servable: {
      schema: Type.Boolean({ description: 'Whether nothing keeps it from being shown.' }),
      derived: true,
    },
    reasons_not_servable: {
      schema: Type.Array(Type.Enum([...REASONS]), { description: 'What keeps it from being shown.' }),
      derived: true,
    },
    effective_status: {
      schema: choice(['UNKNOWN', 'PAUSED', 'RUNNING'], 'What it comes to.'),
      derived: true,
    },
  },
  async complete(supplied, work) {
    const fundingId = supplied.funding_instrument_id
    const funding = await fundingInstruments.find(work, fundingId)
    if (!funding) throw fundingInstruments.missing(work.scope.accountId, fundingId)
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
      ...(item.name.trim() === '' ? [blankName] : []),
      ...(await wrongFunding(item, change)),
      ...(await tooMany(item, change)),
      ...wrongBudgets(item),
      ...wrongSteps(item.currency, {
        daily_budget_amount_local_micro: change.supplied.daily_budget_amount_local_micro,
        total_budget_amount_local_micro: change.supplied.total_budget_amount_local_micro,
      }),
    ]
  },
  async derive(items, { scope, context }) {
    const now = context.clock.now()
    const complete = await completeOf(
      items.map(({ id }) => id),
      { scope, context },
    )
    const fundingIds = [...new Set(items.map((one) => one.funding_instrument_id))]
    const funding = await context.store.all(fundingOf, {
      account: scope.accountId,
      ids: JSON.stringify(fundingIds),
    })
    const unfunded = new Set(
      funding
        .filter((one) => reasonsNotToFund({ ...one, deleted: one.deleted === 1 }, now).length > 0)
        .map(({ id }) => id),
    )
    for (const one of items) {
      const reasons: Reason[] = []
      if (one.deleted) reasons.push('DELETED')
      if (one.entity_status === 'PAUSED') reasons.push('PAUSED_BY_ADVERTISER')
      if (!complete.has(one.id)) reasons.push('INCOMPLETE')
      if (unfunded.has(one.funding_instrument_id)) reasons.push('FUNDING_PROBLEM')
      if (scope.account.approval_status === 'UNDER_REVIEW') reasons.push('ACCOUNT_UNDER_REVIEW')
      if (scope.account.approval_status === 'REJECTED') reasons.push('ACCOUNT_REJECTED')
      one.reasons_not_servable = reasons
      one.servable = reasons.length === 0 && one.entity_status === 'ACTIVE'
      one.effective_status = one.servable
        ? 'RUNNING'
        : one.entity_status === 'PAUSED' && complete.has(one.id)
          ? 'PAUSED'
          : 'UNKNOWN'
      one.duration_in_days = null
      one.frequency_cap = null
    }
  },
})

const CAMPAIGNS_AT_ONCE = 50

/** Which campaigns have something to show. Each may have a hundred line items, so others get a turn between. */
async function completeOf(ids: readonly string[], { scope, context }: Pick<Work, 'scope' | 'context'>) {
  const complete = new Set<string>()
  for (let from = 0; from < ids.length; from += CAMPAIGNS_AT_ONCE) {
    if (from > 0) await endOfTurn()
    const asked = JSON.stringify(ids.slice(from, from + CAMPAIGNS_AT_ONCE))
    const found = await context.store.all(completeCampaigns, { account: scope.accountId, ids: asked })
    for (const { id } of found) complete.add(id)
  }
  return complete
}

const blankName: AdsError = {
  code: 'INVALID',
  message: 'A name must have a visible character',
  attribute: 'name',
}

interface Campaign {
  id: string
  entity_status: string
  funding_instrument_id: string
}

interface Changed extends Work {
  before: { entity_status: string } | undefined
}

/** A funding instrument that will never pay again cannot be given to a new campaign. */
async function wrongFunding(item: Campaign, { before, context, scope, tx }: Changed): Promise<AdsError[]> {
  if (before) return []
  const funding = await fundingInstruments.find({ scope, tx }, item.funding_instrument_id)
  if (!funding || !reasonsNotToFund(funding, context.clock.now()).includes('EXPIRED')) return []
  return [
    {
      code: 'INVALID_FUNDING_INSTRUMENT',
      message: `Funding Instrument ${item.funding_instrument_id} has expired`,
      parameter: 'funding_instrument_id',
    },
  ]
}

/** Everything that is neither deleted nor a draft counts, paused ones too. */
async function tooMany(item: Campaign, { before, context, scope, tx }: Changed): Promise<AdsError[]> {
  const counts = item.entity_status !== 'DRAFT' && (before === undefined || before.entity_status === 'DRAFT')
  if (!counts) return []
  const limit = context.config.activeCampaigns
  await tx.first(lockAccount, { id: scope.accountId })
  const counted = await tx.first(countCampaigns, { account: scope.accountId, limit })
  if ((counted?.total ?? 0) < limit) return []
  return [{ code: 'TOO_MANY_CAMPAIGNS', message: `An account may have ${limit} active campaigns` }]
}
