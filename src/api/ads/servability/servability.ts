import { endOfTurn } from '../../../platform/common/turn.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { reasonsNotToFund } from '../funding-instruments/funding-instruments.ts'
import type { AccountScope } from '../scope.ts'
import type { Amounts, Budgets, FundedCampaign, OuterCondition, OuterFacts } from './queries.ts'
import {
  campaignsWithServing,
  conditions,
  exceeds,
  fundedCampaign,
  fundedCampaignOfLineItem,
  fundedCampaigns,
  heldLineItems,
  heldOfCampaigns,
  isOwn,
  ownConditions,
} from './queries.ts'
import type { Reason, Status } from './words.ts'

type Condition = (typeof conditions)[number]

/** Whether something is currently shown, and why not. */
export interface Standing {
  readonly servable: boolean
  readonly reasons_not_servable: readonly Reason[]
  readonly effective_status: Status
}

interface At {
  scope: AccountScope
  context: Pick<AdsDependencies, 'store' | 'clock'>
}

const isOuter = (one: Condition): one is OuterCondition => !isOwn(one)

const outerConditions = conditions.filter(isOuter)

/** The conditions that apply to something, as a number with one bit each: first those of line items, as in `held`. */
const byBit: readonly Condition[] = [...ownConditions, ...outerConditions]

const bitOf = new Map(byBit.map((one, index) => [one, 2 ** index]))

const applies = (bits: number, one: Condition) => (bits & (bitOf.get(one) ?? 0)) !== 0

const bitsOf = (some: readonly Condition[]) => some.reduce((bits, one) => bits | (bitOf.get(one) ?? 0), 0)

/** Conditions that affect a campaign only if it has no other line item. */
const UNFINISHED = bitsOf(ownConditions.filter((one) => one.unfinished))

/** Maximum number of cached results: few differ. */
const MAX_KNOWN = 1000

const known = new Map<number, Standing>()

/** The servability for the conditions in these bits. */
function standingOf(bits: number): Standing {
  const found = known.get(bits)
  if (found) return found
  const rows = conditions.filter((one) => applies(bits, one))
  const reasons = [...new Set(rows.map(({ reason }) => reason))]
  const made: Standing = {
    servable: rows.length === 0,
    // A deleted one will never be shown, so nothing else matters.
    reasons_not_servable: Object.freeze(reasons.includes('DELETED') ? ['DELETED' as const] : reasons),
    effective_status: statusOf(rows),
  }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(bits, Object.freeze(made))
  return made
}

function statusOf(rows: readonly Condition[]): Status {
  if (rows.length === 0) return 'RUNNING'
  const isPaused = rows.some(({ status }) => status === 'PAUSED')
  return isPaused && !rows.some(({ status }) => status === 'UNKNOWN') ? 'PAUSED' : 'UNKNOWN'
}

type LineItem = { id: string; campaign_id: string; held?: number } & Amounts

/**
 * The servability of line items, in order. A page takes two queries, however many campaigns it contains; one if the
 * conditions were read with the line items, as `held`, or if there is only one line item.
 */
export async function lineItemStandings(
  lineItems: readonly LineItem[],
  at: At,
): Promise<readonly Standing[]> {
  const [only] = lineItems
  if (lineItems.length === 1 && only) return [await lineItemStanding(only, at)]
  const ids = lineItems.filter(({ held }) => held === undefined).map(({ id }) => id)
  const campaigns = new Set(lineItems.map((one) => one.campaign_id))
  // Concurrently, because reads of one turn share a snapshot.
  const [byId, rows] = await Promise.all([
    readCampaigns([...campaigns], at),
    inParts(ids, LINE_ITEMS_AT_ONCE, (part) => at.context.store.all(heldLineItems, asked(part, at))),
  ])
  const read = new Map(rows.map((one) => [one.id, one.held]))
  return lineItems.map((one) => ofLineItem(one, one.held ?? read.get(one.id), byId.get(one.campaign_id)))
}

/** The servability of one line item. Without `held`, because it was just written, one query reads that too. */
async function lineItemStanding(lineItem: LineItem, { scope, context }: At): Promise<Standing> {
  const { store, clock } = context
  const now = clock.now()
  if (lineItem.held !== undefined) {
    const campaigns = await readCampaigns([lineItem.campaign_id], { scope, context })
    return ofLineItem(lineItem, lineItem.held, campaigns.get(lineItem.campaign_id))
  }
  const [row] = await store.all(fundedCampaignOfLineItem, { account: scope.accountId, id: lineItem.id, now })
  return row
    ? ofLineItem(lineItem, row[12], campaignOf(row, scope.account, now))
    : ofLineItem(lineItem, undefined, undefined)
}

const ofLineItem = (lineItem: LineItem, held = 0, campaign: Campaign | undefined): Standing =>
  standingOf(campaign ? held | campaign.bits | besideBits(lineItem, campaign.budgets) : held)

/**
 * The servability of campaigns, by id. A campaign is shown if one of its line items is. Otherwise, the reasons are
 * those of its line items, of the active ones only if it has any.
 */
export async function campaignStandings(ids: readonly string[], at: At): Promise<readonly Standing[]> {
  const campaigns = await readCampaigns(ids, at)
  const { store } = at.context
  const found = await inParts(ids, CAMPAIGNS_AT_ONCE, (part) =>
    store.all(campaignsWithServing, asked(part, at)),
  )
  const serving = new Set(found.map(({ id }) => id))
  const others = ids.filter((id) => !serving.has(id))
  const held = Map.groupBy(
    await inParts(others, CAMPAIGNS_AT_ONCE, (part) => store.all(heldOfCampaigns, asked(part, at))),
    (one) => one.campaign_id,
  )
  return ids.map((id) => {
    const campaign = campaigns.get(id)
    const lineItems = held.get(id)?.map((one) => one.held) ?? []
    const hasLineItems = serving.has(id) || lineItems.length > 0
    const outer = campaign ? outerBits({ ...campaign.facts, hasLineItems }) : 0
    return standingOf(finished(lineItems).reduce((bits, one) => bits | one, outer))
  })
}

const besideCampaign = ownConditions.filter((one) => one.of === 'line item beside its campaign')

/** The bits of conditions that compare a line item with its campaign. */
function besideBits(lineItem: Amounts, campaign: Budgets): number {
  let bits = 0
  for (const one of besideCampaign) if (exceeds(one, lineItem, campaign)) bits |= bitOf.get(one) ?? 0
  return bits
}

const outerBits = (facts: OuterFacts) => bitsOf(outerConditions.filter((one) => one.applies(facts)))

function finished(lineItems: readonly number[]): readonly number[] {
  const some = lineItems.filter((bits) => (bits & UNFINISHED) === 0)
  return some.length > 0 ? some : lineItems
}

const asked = (ids: readonly string[], { scope, context }: At) => ({
  account: scope.accountId,
  ids: JSON.stringify(ids),
  now: context.clock.now(),
})

/** The parents of a line item, as its conditions see them. */
interface Campaign {
  facts: OuterFacts
  /** Bits of the facts. */
  bits: number
  budgets: Budgets
}

async function readCampaigns(ids: readonly string[], { scope, context }: At): Promise<Map<string, Campaign>> {
  const now = context.clock.now()
  const { store } = context
  const account = scope.accountId
  const [id] = ids
  if (ids.length === 1 && id !== undefined) {
    const row = await store.first(fundedCampaign, { account, id })
    return new Map(row && [[id, campaignOf(row, scope.account, now)]])
  }
  const rows = await store.all(fundedCampaigns, { account, ids: JSON.stringify(ids) })
  return new Map(rows.map((row) => [row[0], campaignOf(row, scope.account, now)]))
}

function campaignOf(
  row: FundedCampaign | readonly [...FundedCampaign, held: number],
  account: OuterFacts['account'],
  now: number,
): Campaign {
  const [, deleted, entity_status, daily_budget_amount_local_micro, total_budget_amount_local_micro] = row
  const [, , , , , ofFunding, funding_status, start_time, end_time, type, limit, funded] = row
  const funding = {
    deleted: ofFunding === 1,
    entity_status: funding_status,
    start_time,
    end_time,
    type,
    credit_limit_local_micro: limit,
    funded_amount_local_micro: funded,
  }
  const facts: OuterFacts = {
    campaign: { deleted: deleted === 1, entity_status },
    hasLineItems: true,
    isFunded: reasonsNotToFund(funding, now).length === 0,
    account,
  }
  return {
    facts,
    bits: outerBits(facts),
    budgets: { daily_budget_amount_local_micro, total_budget_amount_local_micro },
  }
}

/** A campaign may have a hundred line items, so other requests get a turn in between. */
const CAMPAIGNS_AT_ONCE = 50

const LINE_ITEMS_AT_ONCE = 250

async function inParts<Read>(
  ids: readonly string[],
  count: number,
  read: (part: readonly string[]) => Promise<readonly Read[]>,
): Promise<Read[]> {
  const all: Read[] = []
  for (let from = 0; from < ids.length; from += count) {
    if (from > 0) await endOfTurn()
    all.push(...(await read(ids.slice(from, from + count))))
  }
  return all
}
