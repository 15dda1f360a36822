import type { AdsError } from '../kit/ads-codes.ts'
import { wrongAttribute, wrongParameter } from '../kit/ads-codes.ts'
import { biddingRuleByCurrency } from './data/bidding-rules.ts'

/** Whether an amount is a whole multiple of the smallest step of its currency, or none. */
export const isStep = (amount: number | null | undefined, currency: string) =>
  amount === null || amount === undefined || amount % stepOf(currency) === 0

const stepOf = (currency: string) => biddingRuleByCurrency(currency)?.minimum_denomination ?? 1

/** Amounts must be whole multiples of the smallest step of their currency (interface and reference: money). */
export function wrongSteps(
  currency: string,
  amounts: Readonly<Record<string, number | null | undefined>>,
): AdsError[] {
  return Object.entries(amounts)
    .filter(([, amount]) => !isStep(amount, currency))
    .map(([name, amount]) =>
      wrongParameter(
        name,
        `Expected a multiple of ${stepOf(currency)}, got "${amount}" for ${name}`,
        'INVALID_DENOMINATION',
      ),
    )
}

/** The daily budget is at most the total one (interface, Line item update parameters). */
export function wrongBudgets(one: {
  daily_budget_amount_local_micro: number | null
  total_budget_amount_local_micro: number | null
}): AdsError[] {
  const { daily_budget_amount_local_micro: daily, total_budget_amount_local_micro: total } = one
  if (daily === null || total === null || daily <= total) return []
  return [
    wrongAttribute(
      'daily_budget_amount_local_micro',
      'daily_budget_amount_local_micro must be at most total_budget_amount_local_micro',
    ),
  ]
}
