const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
/** Every offset in force is a multiple of this. */
const STEP_MS = 15 * MINUTE_MS

/** A day of a time zone: 23, 24 or 25 hours. */
export interface LocalDay {
  readonly startMs: number
  /** Exclusive. */
  readonly endMs: number
}

/** A time zone: its offset, and its days. */
export interface TimeZone {
  /** What clocks show, minus UTC, in milliseconds. */
  offsetAt(timeMs: number): number
  /** The day that contains a time. */
  dayAt(timeMs: number): LocalDay
}

/** Cached offsets and days of a zone. */
const MAX_CACHED = 20_000
const MAX_ZONES = 1_000
const zones = new Map<string, TimeZone>()

/** A time zone by its IANA name. */
export function timeZone(name: string): TimeZone {
  const known = zones.get(name)
  if (known) return known
  if (zones.size >= MAX_ZONES) zones.clear()
  const made = openZone(name)
  zones.set(name, made)
  return made
}

function openZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const offsets = new Map<number, number>()
  let last: LocalDay | undefined

  function offsetAt(timeMs: number): number {
    const step = Math.floor(timeMs / STEP_MS) * STEP_MS
    const known = offsets.get(step)
    if (known !== undefined) return known
    const at = Object.fromEntries(format.formatToParts(step).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - step
    if (offsets.size >= MAX_CACHED) offsets.clear()
    offsets.set(step, offset)
    return offset
  }

  /** The first time at which clocks show at least this, as if they showed UTC. */
  function firstShowing(shownMs: number): number {
    const early = shownMs - offsetAt(shownMs - DAY_MS)
    const late = shownMs - offsetAt(shownMs + DAY_MS)
    // On a day whose midnight is skipped, the day begins with the first time after it.
    const starts = [Math.min(early, late), Math.max(early, late)]
    return starts.find((time) => time + offsetAt(time) >= shownMs) ?? Math.max(early, late)
  }

  return {
    offsetAt,
    dayAt(timeMs) {
      if (last && timeMs >= last.startMs && timeMs < last.endMs) return last
      const midnight = Math.floor((timeMs + offsetAt(timeMs)) / DAY_MS) * DAY_MS
      last = { startMs: firstShowing(midnight), endMs: firstShowing(midnight + DAY_MS) }
      return last
    },
  }
}
