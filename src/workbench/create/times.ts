import { Type } from 'typebox'
import { parseInstant } from '../../platform/common/instant.ts'
import { isoTime } from '../../platform/common/time.ts'
import { DURATION_PATTERN, durationMs } from '../clock/duration.ts'
import { WrongValue } from './wrong.ts'

const RELATIVE = new RegExp(`^[+-]${DURATION_PATTERN.slice(1)}`)

/** A member with a time that is not in the future. */
export const pastTime = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: `${what}: RFC 3339, or a distance from now such as \`-2h\` or \`-1d12h\`. Now by default; never later.`,
  })

/** Since which an id can hold the time: before, there were none. */
const EARLIEST_MS = Date.UTC(2010, 10, 5)

/**
 * A time in the values of a new object, in epoch milliseconds: RFC 3339, or before or after now,
 * such as `-2h30m`.
 * @throws WrongValue
 */
export function timeIn(
  member: string,
  text: string,
  { now, latest }: { now: number; latest: number },
): number {
  const timeMs = RELATIVE.test(text)
    ? now + Math.sign(Number(`${text[0]}1`)) * (durationMs(text.slice(1)) ?? Number.NaN)
    : parseTime(text)
  if (timeMs === undefined || !Number.isFinite(timeMs))
    throw new WrongValue(
      member,
      text,
      `\`${member}\` must be a time such as 2026-03-01T12:00:00Z, or a distance from now such as -2h.`,
    )
  if (timeMs > latest || timeMs < EARLIEST_MS)
    throw new WrongValue(
      member,
      text,
      `\`${member}\` must be from ${isoTime(EARLIEST_MS)} to ${isoTime(latest)}.`,
    )
  return timeMs
}

/** With milliseconds, which the clock has too. */
function parseTime(text: string): number | undefined {
  const second = parseInstant(text)
  const [, fraction = ''] = /\.([0-9]+)/.exec(text) ?? []
  return second === undefined ? undefined : second + Number(fraction.slice(0, 3).padEnd(3, '0'))
}
