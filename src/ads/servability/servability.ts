import { Type } from 'typebox'
import type { AdsDependencies } from '../dependencies.ts'
import { choice, component } from '../../http/schema.ts'
import { endOfTurn } from '../../common/turn.ts'
import { reasonsNotToFund } from '../funding-instruments/funding-instruments.ts'
import type { AccountScope } from '../scope.ts'
import type { Amounts, Budgets, FundedCampaign, OuterCondition, OuterFacts } from './queries.ts'
import {
  campaignsWithServing,
  conditions,
  exceeds,
  fundedCampaign,
  fundedCampaigns,
  heldLineItem,
  heldLineItems,
  heldOfCampaigns,
  isOwn,
  ownConditions,
} from './queries.ts'
import type { Reason, Status } from './words.ts'
import { REASONS, STATUSES } from './words.ts'

type Condition = (typeof conditions)[number]

/** Whether something is shown now, and why not. */
export interface Standing {
  servable: boolean
  reasons_not_servable: Reason[]
  effective_status: Status
}

/** The members of campaigns and line items that say so. */
export const standingFields = {
  servable: {
    schema: Type.Boolean({ description: 'Whether it can be shown now.' }),
    derived: true,
  },
  reasons_not_servable: {
    schema: Type.Array(component('NotServableReason', Type.Enum([...REASONS])), {
      description: 'Reasons why it cannot be shown now.',
    }),
    derived: true,
  },
  effective_status: {
    schema: choice(
      [...STATUSES],
      '`RUNNING` when it is servable, `PAUSED` when only its status keeps it from running, otherwise `UNKNOWN`.',
      'EffectiveStatus',
    ),
    derived: true,
  },
} as const

interface At {
  scope: AccountScope
  context: Pick<AdsDependencies, 'store' | 'clock'>
}

/** What applies to something, in the order of the table, as what callers see. */
function standingOf(applying: ReadonlySet<Condition>): Standing {
  const rows = conditions.filter((one) => applying.has(one))
  const reasons = [...new Set(rows.map(({ reason }) => reason))]
  return {
    servable: rows.length === 0,
    // What is deleted will never be shown: nothing else matters.
    reasons_not_servable: reasons.includes('DELETED') ? ['DELETED'] : reasons,
    effective_status: statusOf(rows),
  }
}

function statusOf(rows: readonly Condition[]): Status {
  if (rows.length === 0) return 'RUNNING'
  const isPaused = rows.some(({ status }) => status === 'PAUSED')
  return isPaused && !rows.some(({ status }) => status === 'UNKNOWN') ? 'PAUSED' : 'UNKNOWN'
}

/**
 * How line items stand, by their ids. A page takes two queries, however many campaigns it is about; one when the
 * conditions were read with the line items, as `held`.
 */
export async function lineItemStandings(
  lineItems: readonly ({ id: string; campaign_id: string; held?: number } & Amounts)[],
  at: At,
): Promise<Map<string, Standing>> {
  const ids = lineItems.filter(({ held }) => held === undefined).map(({ id }) => id)
  // Together, because reads of one turn share a snapshot.
  const [facts, rows] = await Promise.all([
    outerFacts([...new Set(lineItems.map((one) => one.campaign_id))], at),
    readHeld(ids, at),
  ])
  const read = new Map(rows.map((one) => [one.id, one.held]))
  // Most line items of a campaign are in the same state, so each state is computed once.
  const known = new Map<string, Standing>()
  return new Map(
    lineItems.map((one) => {
      const { id, campaign_id, held } = one
      const outer = facts.get(campaign_id)
      const bits = (held ?? read.get(id) ?? 0) | (outer ? beside(one, outer.budgets) : 0)
      const key = `${campaign_id} ${bits}`
      const standing =
        known.get(key) ??
        standingOf(new Set([...(outer ? outerOf({ ...outer, hasLineItems: true }) : []), ...ownOf(bits)]))
      known.set(key, standing)
      return [id, standing]
    }),
  )
}

async function readHeld(ids: readonly string[], at: At) {
  const { store, clock } = at.context
  const [id] = ids
  // What was just written stands alone.
  if (ids.length === 1 && id !== undefined)
    return store.all(heldLineItem, { account: at.scope.accountId, id, now: clock.now() })
  return inParts(ids, LINE_ITEMS_AT_ONCE, (part) => store.all(heldLineItems, asked(part, at)))
}

/**
 * How campaigns stand, by their ids. A campaign is shown when one of its line items is; what keeps it from being shown
 * is what keeps its line items, those that are finished if it has any.
 */
export async function campaignStandings(ids: readonly string[], at: At): Promise<Map<string, Standing>> {
  const facts = await outerFacts(ids, at)
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
  return new Map(
    ids.map((id) => {
      const outer = facts.get(id)
      const lineItems = held.get(id)?.map((one) => ownOf(one.held)) ?? []
      const hasLineItems = serving.has(id) || lineItems.length > 0
      const applying = [...(outer ? outerOf({ ...outer, hasLineItems }) : []), ...finished(lineItems).flat()]
      return [id, standingOf(new Set(applying))]
    }),
  )
}

const ownOf = (held: number): Condition[] => ownConditions.filter((_, index) => held & (2 ** index))

/** The bits of conditions that compare a line item with its campaign. */
function beside(lineItem: Amounts, campaign: Budgets): number {
  let bits = 0
  for (const [index, one] of ownConditions.entries())
    if (one.of === 'line item beside its campaign' && exceeds(one, lineItem, campaign)) bits |= 2 ** index
  return bits
}

const isOuter = (one: Condition): one is OuterCondition => !isOwn(one)
const outerConditions = conditions.filter(isOuter)
const outerOf = (facts: OuterFacts): Condition[] => outerConditions.filter((one) => one.applies(facts))

function finished(lineItems: readonly Condition[][]): readonly Condition[][] {
  const some = lineItems.filter((one) => !one.some(({ unfinished }) => unfinished))
  return some.length > 0 ? some : lineItems
}

const asked = (ids: readonly string[], { scope, context }: At) => ({
  account: scope.accountId,
  ids: JSON.stringify(ids),
  now: context.clock.now(),
})

const fundsOf = (row: FundedCampaign) => ({
  deleted: row.funding_deleted === 1,
  entity_status: row.funding_status,
  start_time: row.start_time,
  end_time: row.end_time,
  type: row.type,
  credit_limit_local_micro: row.credit_limit_local_micro,
  funded_amount_local_micro: row.funded_amount_local_micro,
})

async function outerFacts(ids: readonly string[], { scope, context }: At) {
  const now = context.clock.now()
  const { store } = context
  const account = scope.accountId
  const [id] = ids
  const rows =
    ids.length === 1 && id !== undefined
      ? await store.all(fundedCampaign, { account, id })
      : await store.all(fundedCampaigns, { account, ids: JSON.stringify(ids) })
  return new Map(
    rows.map((row) => {
      const facts: Omit<OuterFacts, 'hasLineItems'> & { budgets: Budgets } = {
        campaign: { deleted: row.deleted === 1, entity_status: row.entity_status },
        budgets: row,
        isFunded: reasonsNotToFund(fundsOf(row), now).length === 0,
        account: scope.account,
      }
      return [row.id, facts]
    }),
  )
}

/** A campaign may have a hundred line items: other requests get a turn between so many. */
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
