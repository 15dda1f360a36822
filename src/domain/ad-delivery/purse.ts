import type { ActiveDay } from './pace.ts'

/** The spending of a local day is spread from here on. */
export interface Plan {
  /** The share of the day that was over when the plan began. */
  from: number
  /** What had been spent on that day. */
  spent: number
  /** The budgets that it was made for, as text. */
  budgets: string
}

/** What has been spent of a limit. Amounts are in millionths of the currency's unit. */
export interface Spending {
  spent: number
  /** The start of the local day of `daySpent`, in epoch milliseconds. */
  day: number
  daySpent: number
  plan: Plan | null
  /** The end of the last period in which it was spent from, in epoch milliseconds. */
  until: number
}

/** A line item, campaign or funding instrument, as far as it limits what is spent. */
export interface Purse {
  readonly id: string
  readonly daily: number | null
  readonly total: number | null
  readonly spending: Spending
}

export const UNLIMITED = Number.MAX_SAFE_INTEGER

export const newSpending = (): Spending => ({ spent: 0, day: 0, daySpent: 0, plan: null, until: 0 })

/** What may still be spent at a time, today and in total. */
export const leftIn = ({ daily, total, spending }: Purse): number =>
  Math.max(
    0,
    Math.min(
      (total ?? UNLIMITED) - spending.spent,
      daily === null ? UNLIMITED : daily - spending.daySpent,
      UNLIMITED - spending.spent,
    ),
  )

/** Moves on to the day of a period. */
export function beginDay({ spending }: Purse, day: ActiveDay): void {
  if (spending.day === day.startMs) return
  Object.assign(spending, { day: day.startMs, daySpent: 0, plan: null })
}

export function charge({ spending }: Purse, amount: number): void {
  spending.spent += amount
  spending.daySpent += amount
}

/** A period within one hour of a local day. */
export interface Period {
  readonly fromMs: number
  /** Exclusive. */
  readonly untilMs: number
  readonly day: ActiveDay
}

/** The end of a flight; a flight without one ends with its day, as far as plans are concerned. */
export interface Flight {
  readonly endMs: number | null
}

const DAY_MS = 86_400_000

/**
 * What may be spent by the end of a period, so that the money of the day lasts evenly until its
 * end: a share of it that grows with the activity of the day. Without a daily budget, a total
 * budget is spread over the days that are left (reference: budgets, pacing and days).
 */
export function allowanceOf(purse: Purse, { fromMs, untilMs, day }: Period, { endMs }: Flight): number {
  const { daily, total, spending } = purse
  if (daily === null && (total === null || endMs === null)) return leftIn(purse)
  const budgets = `${daily} ${total} ${endMs}`
  if (spending.plan?.budgets !== budgets || spending.until !== fromMs)
    spending.plan = { from: day.shareUntil(fromMs), spent: spending.daySpent, budgets }
  const { plan } = spending
  const lastMs = Math.min(day.endMs, endMs ?? day.endMs)
  const shareOfDay = day.shareUntil(lastMs) - plan.from
  if (shareOfDay <= 0) return leftIn(purse)
  const later = Math.max(0, ((endMs ?? day.endMs) - day.endMs) / DAY_MS)
  const moneyOfDay = Math.min(
    daily === null ? UNLIMITED : daily - plan.spent,
    total === null
      ? UNLIMITED
      : totalFor({ daily, left: total - totalBefore(purse, plan) }, shareOfDay, later),
  )
  const share = Math.min(1, (day.shareUntil(untilMs) - plan.from) / shareOfDay)
  return Math.max(0, Math.min(leftIn(purse), Math.floor(plan.spent + moneyOfDay * share - spending.daySpent)))
}

/** What had been spent in total when the plan began. */
const totalBefore = ({ spending }: Purse, plan: Plan) => spending.spent - (spending.daySpent - plan.spent)

/** A daily budget says how the total one is spread; without it, the days share what is left. */
const totalFor = (
  { daily, left }: { daily: number | null; left: number },
  shareOfDay: number,
  later: number,
): number => (daily === null ? left * (shareOfDay / (shareOfDay + later)) : left)
