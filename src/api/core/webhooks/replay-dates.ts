import type { ParameterPlace } from '../../../platform/http/errors.ts'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'

const MINUTE_MS = 60_000
const REACH_MS = 24 * 60 * MINUTE_MS
/** Core reference, 02 section 4. */
const FROM_AGE_MINUTES = 31
const TO_AGE_MINUTES = 10
const DATE = /^([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})$/

/** The window of a replay, in epoch milliseconds; its end is exclusive. Throws the errors of the dates. */
export function replayWindow(
  { from_date, to_date }: { from_date: string; to_date: string },
  { place, nowMs }: { place: ParameterPlace; nowMs: number },
): { from: number; to: number } {
  const wrong = (name: string, value: string, why: ReturnType<typeof msg>) =>
    invalidFor('QueryParamInvalid', why, { place, name, value })
  const read = (name: string, value: string) => {
    const time = minuteOf(value)
    if (time === undefined) throw wrong(name, value, msg`must be a date in the format yyyymmddhhmm, in UTC`)
    return time
  }
  const from = read('from_date', from_date)
  const to = read('to_date', to_date)
  if (from < nowMs - REACH_MS)
    throw wrong('from_date', from_date, msg`events of the past 24 hours can be replayed`)
  if (from > nowMs - FROM_AGE_MINUTES * MINUTE_MS)
    throw wrong('from_date', from_date, msg`it must be at least ${FROM_AGE_MINUTES} minutes ago`)
  if (to > nowMs - TO_AGE_MINUTES * MINUTE_MS)
    throw wrong('to_date', to_date, msg`it must be at least ${TO_AGE_MINUTES} minutes ago`)
  if (to <= from) throw wrong('to_date', to_date, msg`it must be later than from_date`)
  return { from, to }
}

/** Parses `yyyymmddhhmm`; undefined if it is invalid. */
function minuteOf(text: string): number | undefined {
  const [, year, month, day, hour, minute] = DATE.exec(text) ?? []
  if (year === undefined) return undefined
  const iso = `${year}-${month}-${day}T${hour}:${minute}:00.000Z`
  const time = Date.parse(iso)
  return Number.isNaN(time) || new Date(time).toISOString() !== iso ? undefined : time
}
