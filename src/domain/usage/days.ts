export const DAY_MS = 86_400_000

/** The UTC day of a time, counted from 1970-01-01. */
export const dayOf = (timeMs: number) => Math.floor(timeMs / DAY_MS)

/** The first day of the month of a day, if months begin on a given day of the calendar month. */
export function monthStart(day: number, resetDay: number): number {
  const date = new Date(day * DAY_MS)
  const months = date.getUTCDate() < resetDay ? date.getUTCMonth() - 1 : date.getUTCMonth()
  return dayOf(Date.UTC(date.getUTCFullYear(), months, resetDay))
}

/** Days of usage that are kept and shown: more than a month. */
export const MAX_DAYS = 90
