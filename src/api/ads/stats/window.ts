import { HOUR_MS, type TimeZone } from '../../../domain/ad-delivery/time-zone.ts'
import { instantText, parseInstant } from '../../../platform/common/instant.ts'
import { msg, word } from '../../../platform/http/message.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { emptyWindow } from '../messages.ts'

export const GRANULARITIES = ['DAY', 'HOUR', 'TOTAL'] as const
export type Granularity = (typeof GRANULARITIES)[number]

const DAY_MS = 24 * HOUR_MS

/** Epoch milliseconds, the end exclusive. */
export interface Window {
  readonly fromMs: number
  readonly untilMs: number
}

interface WindowTexts {
  readonly start_time: string
  readonly end_time: string
}

/**
 * The window of a call. A date alone is midnight by the account's time zone, with the offset that
 * is in force now (reference: analytics, time zones).
 */
export function windowOf({ start_time, end_time }: WindowTexts, zone: TimeZone, now: number): Window {
  const timeOf = (text: string) =>
    (parseInstant(text) ?? 0) - (/^\d{4}-\d{2}-\d{2}$/.test(text) ? zone.offsetAt(now) : 0)
  return { fromMs: timeOf(start_time), untilMs: timeOf(end_time) }
}

const ends = ({ fromMs, untilMs }: Window) => Object.entries({ start_time: fromMs, end_time: untilMs })

/** Whole hours of UTC, or of the account's zone where that has other minutes. */
export function notOnTheHour(window: Window, zone: TimeZone): AdsError[] {
  return ends(window).flatMap(([name, time]) =>
    time % HOUR_MS === 0 || (time + zone.offsetAt(time)) % HOUR_MS === 0
      ? []
      : [wrongParameter(name, msg`Expected a whole hour, got "${instantText(time)}" for ${word(name)}`)],
  )
}

/** Days begin at midnight by the account's time zone, with the offset of that day or of today. */
export function notAtMidnight(window: Window, zone: TimeZone, now: number): AdsError[] {
  const offset = zone.offsetAt(now)
  return ends(window).flatMap(([name, time]) =>
    zone.dayAt(time).startMs === time || (time + offset) % DAY_MS === 0
      ? []
      : [
          wrongParameter(
            name,
            msg`Expected midnight in the time zone of the account, got "${instantText(time)}" for ${word(name)}`,
          ),
        ],
  )
}

/** A window has at most so many days, and one hour more when clocks change. */
export function wrongSpan({ fromMs, untilMs }: Window, days: number): AdsError[] {
  if (untilMs <= fromMs) return [emptyWindow(fromMs, untilMs)]
  if (untilMs - fromMs <= days * DAY_MS + HOUR_MS) return []
  return [
    wrongParameter(
      'end_time',
      msg`The ${word('end_time')} can be a maximum of ${days}.days+1.hours after the ${word('start_time')}`,
      'INVALID_TIME_WINDOW',
    ),
  ]
}

/** How long a period of a window lasts. */
export const stepOf = ({ fromMs, untilMs }: Window, granularity: Granularity): number =>
  granularity === 'TOTAL' ? untilMs - fromMs : granularity === 'DAY' ? DAY_MS : HOUR_MS

/** The number of periods of a window. */
export const lengthOf = (window: Window, granularity: Granularity): number =>
  Math.max(1, Math.round((window.untilMs - window.fromMs) / stepOf(window, granularity)))

/**
 * The period of a time in a window. Days have 24 hours, but for the last one when clocks change.
 */
export function periodOf(timeMs: number, window: Window, granularity: Granularity, length: number): number {
  return Math.min(length - 1, Math.floor((timeMs - window.fromMs) / stepOf(window, granularity)))
}

/** A window that is widened to whole hours. */
export const wholeHours = ({ fromMs, untilMs }: Window): Window => ({
  fromMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS,
  untilMs: Math.ceil(untilMs / HOUR_MS) * HOUR_MS,
})
