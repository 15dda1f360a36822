import type { AdDelivery } from '../../../domain/ad-delivery/ad-delivery.ts'
import { hourStart } from '../../../domain/ad-delivery/pace.ts'
import { deliveryOfAccount, dueDeliveries, moveDelivery } from '../../../domain/ad-delivery/queries.ts'
import { timeZone } from '../../../domain/ad-delivery/time-zone.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { schedule, taskType } from '../../../platform/queue/task.ts'
import { accountById } from '../accounts/queries.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { AudienceReader } from './audiences.ts'
import { settle } from './settle.ts'

export type DeliveryParts = Pick<AdsDependencies, 'clock' | 'config' | 'membership' | 'store'>

/** The delivery of advertisements, computed by a model (ADR 0076). */
export function adDelivery(parts: DeliveryParts): AdDelivery {
  const { clock, config, store } = parts
  const isOff = config.adDelivery === 'off'
  const inTurn = turnsOfAccounts()
  return {
    settle: (accountId) =>
      inTurn(accountId, async () => {
        const now = clock.now()
        const row = await store.first(deliveryOfAccount, { account: accountId })
        if (!row || now - row.delivered_until < leastStepMs(row)) return
        const audiences = new AudienceReader(parts)
        if (isOff) await skip(accountId, now, parts)
        else await inTime(settle(accountId, now, { store, audiences, isChanging: true, maxSteps: MAX_STEPS }))
      }),
    complete: (accountId) =>
      inTurn(accountId, async () => {
        if (isOff) return
        const audiences = new AudienceReader(parts)
        await inTime(completeHours(accountId, { ...parts, audiences, maxSteps: MAX_STEPS }))
      }),
  }
}

/** Transactions of one request: a month of a thousand line items. */
const MAX_STEPS = 30

/** A request that would take too long is tried again later, and goes on from there. */
async function inTime(computing: Promise<boolean>): Promise<void> {
  if (!(await computing)) throw apiError('over capacity', 'delivery is far behind the clock')
}

type InTurn = (account: string, work: () => Promise<void>) => Promise<void>

/** Computations of one account follow one another: the second finds what the first has written. */
function turnsOfAccounts(): InTurn {
  const last = new Map<string, Promise<void>>()
  return (account, work) => {
    const turn = (last.get(account) ?? Promise.resolve()).then(work, work)
    last.set(account, turn)
    const end = () => {
      if (last.get(account) === turn) last.delete(account)
    }
    turn.then(end, end)
    return turn
  }
}

/** Computes the hours that are over, by the clocks of the account. */
async function completeHours(
  accountId: string,
  parts: DeliveryParts & { audiences: AudienceReader; maxSteps?: number },
): Promise<boolean> {
  const account = await parts.store.first(accountById, { id: accountId })
  if (!account) return true
  return settle(accountId, hourStart(timeZone(account.timezone), parts.clock.now()), parts)
}

/** Nothing is delivered while delivery is off, and nothing is made up for later. */
async function skip(account: string, now: number, { store }: DeliveryParts): Promise<void> {
  const row = await store.first(deliveryOfAccount, { account })
  if (row && row.delivered_until < now)
    await store.write((tx) =>
      tx.run(moveDelivery, {
        account,
        from: row.delivered_until,
        until: now,
        due: now + EVERY_MS,
        promotions: row.promotions,
      }),
    )
}

const LEAST_STEP_MS = 1_000
const STEP_OF_PROMOTION_MS = 10

/**
 * Changes that follow one another this closely count as one: an account that promotes much takes a
 * while to compute.
 */
const leastStepMs = ({ promotions }: { promotions: number }) =>
  Math.max(LEAST_STEP_MS, promotions * STEP_OF_PROMOTION_MS)

const deliverAds = taskType<Record<never, never>>('deliver advertisements')

const EVERY_MS = 60_000
const LEASE_MS = 600_000
const ACCOUNTS_AT_ONCE = 100

/** Computes the hours that are over: every minute, on one node. */
export const deliveryTask = (parts: DeliveryParts) =>
  schedule(
    deliverAds,
    { everyMs: EVERY_MS, leaseMs: LEASE_MS, run: (signal) => deliverDue(parts, signal) },
    parts.clock,
  )

async function deliverDue(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  const { store, clock, config } = parts
  const audiences = new AudienceReader(parts)
  for (;;) {
    const now = clock.now()
    const due = await store.all(dueDeliveries, { now, limit: ACCOUNTS_AT_ONCE })
    for (const { account_id } of due) {
      if (signal.aborted) return
      if (config.adDelivery === 'off') await skip(account_id, now, parts)
      else await completeHours(account_id, { ...parts, audiences })
    }
    if (due.length < ACCOUNTS_AT_ONCE) return
  }
}
