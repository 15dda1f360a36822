const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?))?$/
/** Years have four digits. */
const END_MS = Date.UTC(10_000, 0, 1)
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Parses a time of the advertising API: `2017-07-10T08:00:00Z`, with `±HHMM`, `±HH:MM` or `±HH` as
 * zone, to the minute or to the second (fractions are dropped), or only a date, which means
 * midnight UTC. Returns epoch milliseconds; undefined when it is malformed, or the date does not
 * exist.
 */
export function parseInstant(text: string): number | undefined {
  const parts = FORM.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offset = offsetMinutes(parts[7] ?? 'Z')
  if (day < 1 || day > (DAYS[month - 1] ?? 0) || hour > 23 || minute > 59 || second > 59) return undefined
  if (offset === undefined || year < 1970) return undefined
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  if (new Date(time).getUTCDate() !== day) return undefined
  const instant = time - offset * 60_000
  return instant >= 0 && instant < END_MS ? instant : undefined
}

function offsetMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', ''))
  if (hours > 14 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}

const DAY_MS = 86_400_000
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
let lastDay = Number.NaN
let lastDayText = ''

/**
 * A time as the advertising API shows it: `2017-07-10T16:00:00Z`. The text of a day is cached,
 * because lists contain many times of few days.
 */
export function instantText(ms: number): string {
  const day = Math.floor(ms / DAY_MS)
  if (day !== lastDay) {
    lastDayText = new Date(ms).toISOString().slice(0, 11)
    lastDay = day
  }
  const seconds = Math.floor((ms - day * DAY_MS) / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${lastDayText}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}Z`
}
