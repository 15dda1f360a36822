import { leftOf } from '../../../platform/common/int64.ts'
import { endOfTurn } from '../../../platform/common/turn.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { reasonsNotToFund } from '../funding-instruments/funding-instruments.ts'
import type { AccountScope } from '../scope.ts'
import type { Reason, Status } from './fields.ts'
import {
  type CampaignBudgets,
  campaignsWithServing,
  conditions,
  exceeds,
  type FundedCampaign,
  fundedCampaign,
  fundedCampaignOfLineItem,
  fundedCampaigns,
  heldLineItems,
  heldOfCampaigns,
  isOwn,
  type LineItemAmounts,
  type OuterCondition,
  type OuterFacts,
  ownConditions,
} from './queries.ts'

type Condition = (typeof conditions)[number]

/** Whether something is currently shown, and why not. */
export interface Servability {
  readonly servable: boolean
  readonly reasons_not_servable: readonly Reason[]
  readonly effective_status: Status
}

interface ServabilityRequest {
  scope: AccountScope
  context: Pick<AdsDependencies, 'store' | 'clock'>
}

const isOuter = (condition: Condition): condition is OuterCondition => !isOwn(condition)

const outerConditions = conditions.filter(isOuter)

/**
 * All conditions, in the order of their bits: those of line items first, as in `held`. A number
 * with one bit for each condition says which of them apply.
 */
const byBit: readonly Condition[] = [...ownConditions, ...outerConditions]

const bitOf = new Map(byBit.map((condition, index) => [condition, 2 ** index]))

const applies = (bits: number, condition: Condition) => (bits & (bitOf.get(condition) ?? 0)) !== 0

const bitsOf = (list: readonly Condition[]) =>
  list.reduce((bits, condition) => bits | (bitOf.get(condition) ?? 0), 0)

/** Conditions that affect a campaign only if it has no other line item. */
const UNFINISHED = bitsOf(ownConditions.filter((condition) => condition.unfinished))

/** Maximum number of cached results: few differ. */
const MAX_CACHED = 1000

const cache = new Map<number, Servability>()

/** The servability for the conditions in these bits. */
function servabilityOf(bits: number): Servability {
  const found = cache.get(bits)
  if (found) return found
  const rows = conditions.filter((condition) => applies(bits, condition))
  const reasons = [...new Set(rows.map(({ reason }) => reason))]
  const servability: Servability = {
    servable: rows.length === 0,
    // Nothing that is deleted will be shown again, so other reasons do not matter.
    reasons_not_servable: Object.freeze(reasons.includes('DELETED') ? ['DELETED' as const] : reasons),
    effective_status: statusOf(rows),
  }
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(bits, Object.freeze(servability))
  return servability
}

function statusOf(rows: readonly Condition[]): Status {
  if (rows.length === 0) return 'RUNNING'
  const isPaused = rows.some(({ status }) => status === 'PAUSED')
  return isPaused && !rows.some(({ status }) => status === 'UNKNOWN') ? 'PAUSED' : 'UNKNOWN'
}

type LineItem = { id: string; campaign_id: string; held?: number } & LineItemAmounts

/**
 * The servability of line items, in order. A page takes two queries, however many campaigns it
 * contains; one if the conditions were read with the line items, as `held`, or if there is only one
 * line item.
 */
export async function lineItemServability(
  lineItems: readonly LineItem[],
  at: ServabilityRequest,
): Promise<readonly Servability[]> {
  const [only] = lineItems
  if (lineItems.length === 1 && only) return [await servabilityOfOne(only, at)]
  const ids = lineItems.filter(({ held }) => held === undefined).map(({ id }) => id)
  const campaigns = new Set(lineItems.map((lineItem) => lineItem.campaign_id))
  // Concurrently, because reads of one turn share a snapshot.
  const [byId, rows] = await Promise.all([
    readCampaigns([...campaigns], at),
    inChunks(ids, LINE_ITEMS_AT_ONCE, (part) => at.context.store.all(heldLineItems, conditionArgs(part, at))),
  ])
  const read = new Map(rows.map((row) => [row.id, row.held]))
  return lineItems.map((lineItem) =>
    servabilityOfLineItem(lineItem, lineItem.held ?? read.get(lineItem.id), byId.get(lineItem.campaign_id)),
  )
}

/**
 * The servability of one line item. Without `held`, because it was just written, one query reads
 * that too.
 */
async function servabilityOfOne(
  lineItem: LineItem,
  { scope, context }: ServabilityRequest,
): Promise<Servability> {
  const { store, clock } = context
  const now = clock.now()
  if (lineItem.held !== undefined) {
    const campaigns = await readCampaigns([lineItem.campaign_id], { scope, context })
    return servabilityOfLineItem(lineItem, lineItem.held, campaigns.get(lineItem.campaign_id))
  }
  const [row] = await store.all(fundedCampaignOfLineItem, { account: scope.accountId, id: lineItem.id, now })
  return row
    ? servabilityOfLineItem(lineItem, row.held, campaignOf(row, scope.account, now))
    : servabilityOfLineItem(lineItem, undefined, undefined)
}

const servabilityOfLineItem = (lineItem: LineItem, held = 0, campaign: Campaign | undefined): Servability =>
  servabilityOf(campaign ? held | campaign.bits | besideBits(lineItem, campaign.budgets) : held)

/**
 * The servability of campaigns, by id. A campaign is shown if one of its line items is. Otherwise,
 * the reasons are those of its line items, of the active ones only if it has any.
 */
export async function campaignServability(
  ids: readonly string[],
  at: ServabilityRequest,
): Promise<readonly Servability[]> {
  const campaigns = await readCampaigns(ids, at)
  const { store } = at.context
  const found = await inChunks(ids, CAMPAIGNS_AT_ONCE, (part) =>
    store.all(campaignsWithServing, conditionArgs(part, at)),
  )
  const serving = new Set(found.map(({ id }) => id))
  const others = ids.filter((id) => !serving.has(id))
  const held = Map.groupBy(
    await inChunks(others, CAMPAIGNS_AT_ONCE, (part) => store.all(heldOfCampaigns, conditionArgs(part, at))),
    (row) => row.campaign_id,
  )
  return ids.map((id) => {
    const campaign = campaigns.get(id)
    const lineItems = held.get(id)?.map((row) => row.held) ?? []
    const hasLineItems = serving.has(id) || lineItems.length > 0
    const outer = campaign ? outerBits({ ...campaign.facts, hasLineItems }) : 0
    return servabilityOf(finishedOnly(lineItems).reduce((bits, heldBits) => bits | heldBits, outer))
  })
}

const besideCampaign = ownConditions.filter((condition) => condition.of === 'line item beside its campaign')

/** The bits of conditions that compare a line item with its campaign. */
function besideBits(lineItem: LineItemAmounts, campaign: CampaignBudgets): number {
  let bits = 0
  for (const condition of besideCampaign)
    if (exceeds(condition, lineItem, campaign)) bits |= bitOf.get(condition) ?? 0
  return bits
}

const outerBits = (facts: OuterFacts) =>
  bitsOf(outerConditions.filter((condition) => condition.applies(facts)))

function finishedOnly(lineItems: readonly number[]): readonly number[] {
  const complete = lineItems.filter((bits) => (bits & UNFINISHED) === 0)
  return complete.length > 0 ? complete : lineItems
}

const conditionArgs = (ids: readonly string[], { scope, context }: ServabilityRequest) => ({
  account: scope.accountId,
  ids: JSON.stringify(ids),
  now: context.clock.now(),
})

/** The parents of a line item, as its conditions see them. */
interface Campaign {
  facts: OuterFacts
  /** Bits of the facts. */
  bits: number
  budgets: CampaignBudgets
}

async function readCampaigns(
  ids: readonly string[],
  { scope, context }: ServabilityRequest,
): Promise<Map<string, Campaign>> {
  const now = context.clock.now()
  const { store } = context
  const account = scope.accountId
  const [id] = ids
  if (ids.length === 1 && id !== undefined) {
    const row = await store.first(fundedCampaign, { account, id })
    return new Map(row && [[id, campaignOf(row, scope.account, now)]])
  }
  const rows = await store.all(fundedCampaigns, { account, ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row.id, campaignOf(row, scope.account, now)]))
}

function campaignOf(row: FundedCampaign, account: OuterFacts['account'], now: number): Campaign {
  const { deleted, entity_status, funding_deleted, funding_status } = row
  const funding = {
    ...row,
    deleted: funding_deleted === 1,
    entity_status: funding_status,
    spent: row.funding_spent ?? 0,
    unit: row.funding_unit ?? 1,
  }
  const total = row.total_budget_amount_local_micro
  const isSpent = total !== null && leftOf(total, row.campaign_spent ?? 0) < (row.campaign_unit ?? 1)
  const facts: OuterFacts = {
    campaign: { deleted: deleted === 1, entity_status, isSpent },
    hasLineItems: true,
    isFunded: reasonsNotToFund(funding, now).length === 0,
    account,
  }
  return {
    facts,
    bits: outerBits(facts),
    budgets: row,
  }
}

/** A campaign may have a hundred line items, so other requests get a turn in between. */
const CAMPAIGNS_AT_ONCE = 50

const LINE_ITEMS_AT_ONCE = 250

async function inChunks<Row>(
  ids: readonly string[],
  count: number,
  read: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = []
  for (let from = 0; from < ids.length; from += count) {
    if (from > 0) await endOfTurn()
    all.push(...(await read(ids.slice(from, from + count))))
  }
  return all
}
