import { DAY_MS, HOUR_MS, type LocalDay, type TimeZone } from './time-zone.ts'

/** How much people use the service in each hour of their day. */
const ACTIVITY = [1, 1, 1, 1, 1, 1, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 6, 6, 6, 6, 6, 6, 3]
const TOTAL = ACTIVITY.reduce((sum, weight) => sum + weight, 0)

/** An hour of a local day, or the part of it that the day has. */
interface DayHour {
  readonly startMs: number
  readonly endMs: number
  /** The share of a usual day. */
  readonly weight: number
  /** The sum of the weights before it. */
  readonly before: number
}

/** A local day with the activity of its hours. */
export interface ActiveDay extends LocalDay {
  /** The share of a usual day that is over at a time. Times outside the day count as its bounds. */
  shareUntil(timeMs: number): number
}

/** The activity of local days: of the last one that was asked for, without computing it again. */
export function activeDays(zone: TimeZone): (timeMs: number) => ActiveDay {
  let last: ActiveDay | undefined
  return (timeMs) => {
    if (last && timeMs >= last.startMs && timeMs < last.endMs) return last
    last = activeDay(zone, zone.dayAt(timeMs))
    return last
  }
}

function activeDay(zone: TimeZone, day: LocalDay): ActiveDay {
  const hours: DayHour[] = []
  let before = 0
  for (let startMs = day.startMs; startMs < day.endMs; ) {
    const endMs = Math.min(hourEnd(zone, startMs), day.endMs)
    const local = Math.floor((((startMs + zone.offsetAt(startMs)) % DAY_MS) + DAY_MS) / HOUR_MS) % 24
    const weight = ((ACTIVITY[local] ?? 0) / TOTAL) * ((endMs - startMs) / HOUR_MS)
    hours.push({ startMs, endMs, weight, before })
    before += weight
    startMs = endMs
  }
  return {
    ...day,
    shareUntil(timeMs) {
      if (timeMs <= day.startMs) return 0
      if (timeMs >= day.endMs) return before
      const hour = hours[Math.min(hours.length - 1, Math.floor((timeMs - day.startMs) / HOUR_MS))]
      const own = hour && timeMs >= hour.startMs && timeMs < hour.endMs ? hour : hours.find(contains(timeMs))
      if (!own) return before
      return own.before + own.weight * ((timeMs - own.startMs) / (own.endMs - own.startMs))
    },
  }
}

const contains =
  (timeMs: number) =>
  ({ startMs, endMs }: DayHour) =>
    timeMs >= startMs && timeMs < endMs

/** The end of the hour of a time, by the clocks of a zone: some have other minutes than UTC. */
export function hourEnd(zone: TimeZone, timeMs: number): number {
  const offset = zone.offsetAt(timeMs)
  return (Math.floor((timeMs + offset) / HOUR_MS) + 1) * HOUR_MS - offset
}

/** The start of the hour of a time, by the clocks of a zone. */
export function hourStart(zone: TimeZone, timeMs: number): number {
  const offset = zone.offsetAt(timeMs)
  return Math.floor((timeMs + offset) / HOUR_MS) * HOUR_MS - offset
}
