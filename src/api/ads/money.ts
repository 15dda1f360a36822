import { biddingRuleByCurrency } from '../../domain/reference-data/bidding-rules.ts'
import type { Int64 } from '../../platform/common/int64.ts'
import { msg, word } from '../../platform/http/message.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../platform/protocols/ads/codes.ts'

/** Whether an amount is a whole multiple of the smallest step of its currency, or absent. */
export function isStep(amount: Int64 | null | undefined, currency: string): boolean {
  if (amount === null || amount === undefined) return true
  const step = stepOf(currency)
  return typeof amount === 'bigint' ? amount % BigInt(step) === 0n : amount % step === 0
}

const stepOf = (currency: string) => biddingRuleByCurrency(currency)?.minimum_denomination ?? 1

/**
 * Amounts must be whole multiples of the smallest step of their currency (interface and reference:
 * money).
 */
export function wrongSteps(
  currency: string,
  amounts: Readonly<Record<string, Int64 | null | undefined>>,
): AdsError[] {
  return Object.entries(amounts)
    .filter(([, amount]) => !isStep(amount, currency))
    .map(([name, amount]) => wrongParameter(name, noStep(name, amount, currency), 'INVALID_DENOMINATION'))
}

/** The message about an amount that is no multiple of the step. */
export const noStep = (name: string, amount: Int64 | null | undefined, currency: string) =>
  msg`Expected a multiple of ${stepOf(currency)}, got "${amount ?? ''}" for ${word(name)}`

interface Budgets {
  daily_budget_amount_local_micro: Int64 | null
  total_budget_amount_local_micro: Int64 | null
}

/** The daily budget is at most the total one (interface, Line item update parameters). */
export function wrongBudgets(budgets: Budgets): AdsError[] {
  const { daily_budget_amount_local_micro: daily, total_budget_amount_local_micro: total } = budgets
  return daily === null || total === null || daily <= total ? [] : [dailyAboveTotal(budgets)]
}

export const dailyAboveTotal = (budgets: Budgets) =>
  wrongAttribute(
    'daily_budget_amount_local_micro',
    msg`Expected at most ${budgets.total_budget_amount_local_micro ?? ''}, the total_budget_amount_local_micro, got "${budgets.daily_budget_amount_local_micro ?? ''}" for daily_budget_amount_local_micro`,
  )
