import { Type } from 'typebox'
import type { SearchWindow } from '../../../../domain/search/index/search-index.ts'
import {
  boundOf,
  FIRST_ID,
  firstIdAt,
  greatestId,
  idAfter,
  LAST_ID,
  leastId,
  timeOfId,
} from '../../../../platform/common/ids.ts'
import { instantText } from '../../../../platform/common/instant.ts'
import { invalid, type Violation } from '../../../../platform/http/errors.ts'
import { type Message, msg, word } from '../../../../platform/http/message.ts'
import { id, utcInstant } from '../../../../platform/http/schema.ts'

/** How far back a search can look. */
export type Reach = 'recent' | 'all'

const DAY_MS = 86_400_000
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const RECENT_MS = 7 * DAY_MS
const FIRST_MS = Date.UTC(2006, 2, 21)
const DEFAULT_SPAN_MS = 30 * DAY_MS
const END_BEFORE_NOW_MS = 10_000
const DEFAULT_END_BEFORE_NOW_MS = 30_000

/** The time bounds of a search or count. */
export const windowParameters = {
  start_time: Type.Optional(utcInstant('Start of the time window, inclusive. RFC 3339, to the second.')),
  end_time: Type.Optional(
    utcInstant('End of the time window, exclusive; at least 10 seconds ago. The default is 30 seconds ago.'),
  ),
  since_id: Type.Optional(id('Only posts newer than this one. Wins over `start_time`.')),
  until_id: Type.Optional(id('Only posts older than this one. Not together with `end_time`.')),
}

export interface SearchWindowQuery {
  start_time?: number
  end_time?: number
  since_id?: string
  until_id?: string
}

/**
 * How far the ids of another node may be ahead of the clock. Counts end there, whatever id is sent.
 */
const CLOCK_DIFFERENCE_MS = 60_000

/** Times have a precision of seconds, including default ones. */
const toSecond = (timeMs: number) => Math.floor(timeMs / SECOND_MS) * SECOND_MS

/**
 * The range of ids of a search (core reference, 03 section 6). Throws an error that names an
 * invalid parameter.
 */
export function windowOf(query: SearchWindowQuery, reach: Reach, now: number): SearchWindow {
  const oldestMs = reach === 'recent' ? toSecond(now - RECENT_MS) : FIRST_MS
  check(query, { oldestMs, now, reach })
  const before =
    query.until_id === undefined
      ? firstIdAt(query.end_time ?? toSecond(now - DEFAULT_END_BEFORE_NOW_MS))
      : leastId(boundOf(query.until_id), firstIdAt(now + CLOCK_DIFFERENCE_MS))
  const from =
    query.since_id === undefined
      ? firstIdAt(startOf(query, before, oldestMs, reach))
      : idAfter(boundOf(query.since_id))
  return { from: leastId(from, before), before }
}

function startOf({ start_time }: SearchWindowQuery, before: string, oldestMs: number, reach: Reach): number {
  if (start_time !== undefined) return Math.max(start_time, oldestMs)
  return reach === 'recent' ? oldestMs : toSecond(timeOfId(before) - DEFAULT_SPAN_MS)
}

/**
 * Whether a call requests posts newer than those of a window: its `since_id` is not the start of
 * the window.
 */
export const isNewer = ({ from }: SearchWindow, { since_id }: SearchWindowQuery): boolean =>
  since_id !== undefined && idAfter(boundOf(since_id)) !== from

/** The part of a window that the other bounds of a call leave. */
export function narrowed(
  { from, before }: SearchWindow,
  { start_time, end_time, since_id, until_id }: SearchWindowQuery,
): SearchWindow {
  const first = start_time === undefined || since_id !== undefined ? FIRST_ID : firstIdAt(start_time)
  const until = leastId(
    before,
    until_id === undefined ? LAST_ID : boundOf(until_id),
    end_time === undefined ? LAST_ID : firstIdAt(end_time),
  )
  return { from: leastId(greatestId(from, first), until), before: until }
}

/**
 * The times of a window, in epoch milliseconds: the start, inclusive, and the end, exclusive. Both
 * are whole seconds; for a window between ids, the closest ones around it.
 */
export const timesOf = ({ from, before }: SearchWindow) => ({
  startMs: toSecond(timeOfId(from)),
  endMs: Math.ceil(timeOfId(before) / SECOND_MS) * SECOND_MS,
})

/** The window between two times. */
export const windowBetween = (startMs: number, endMs: number): SearchWindow => ({
  from: firstIdAt(startMs),
  before: firstIdAt(endMs),
})

/** A time to the minute, as errors show it: `2026-03-21T09:14Z`. */
const minuteText = (timeMs: number) => `${new Date(timeMs).toISOString().slice(0, 16)}Z`

/**
 * Validates the bounds that come with a token like those of a first page. How far back they reach
 * is not checked, because that limit moves between pages. Throws an error that names an invalid
 * bound.
 */
export const checkLater = (query: SearchWindowQuery, now: number): void =>
  check(query, { oldestMs: FIRST_MS, now, reach: 'all' })

function check(query: SearchWindowQuery, at: { oldestMs: number; now: number; reach: Reach }): void {
  const violations = [...exclusions(query), ...wrongTimes(query, at), ...wrongIds(query, at)]
  if (violations.length > 0) throw invalid(...violations)
}

const violation = (name: string, value: string, sentence: Message): Violation => ({
  place: 'query',
  name,
  value,
  fault: { kind: 'rule', explanation: sentence },
})

function* exclusions({ end_time, until_id }: SearchWindowQuery): Generator<Violation> {
  if (until_id !== undefined && end_time !== undefined)
    yield violation(
      'until_id',
      until_id,
      msg`Invalid '${word('until_id')}':'${until_id}'. '${word('until_id')}' can not be used with '${word('end_time')}'.`,
    )
}

function* wrongTimes(
  { start_time, end_time }: SearchWindowQuery,
  { oldestMs, now }: { oldestMs: number; now: number },
): Generator<Violation> {
  const wrong = (name: string, time: number, rule: Message) =>
    violation(
      name,
      instantText(time),
      msg`Invalid '${word(name)}':'${minuteText(time)}'. '${word(name)}' ${rule}`,
    )
  // Errors show minutes, so bounds are compared by the minute.
  const oldestMinute = Math.floor(oldestMs / MINUTE_MS) * MINUTE_MS
  for (const [name, time] of [
    ['start_time', start_time],
    ['end_time', end_time],
  ] as const)
    if (time !== undefined && time < oldestMinute)
      yield wrong(name, time, msg`must be on or after ${minuteText(oldestMs)}`)
  if (end_time !== undefined && end_time > now - END_BEFORE_NOW_MS)
    yield wrong('end_time', end_time, msg`must be a minimum of 10 seconds prior to the request time.`)
  if (end_time !== undefined && start_time !== undefined && end_time <= start_time)
    yield wrong('end_time', end_time, msg`must be after '${word('start_time')}'.`)
  if (end_time === undefined && start_time !== undefined && start_time > now - END_BEFORE_NOW_MS)
    yield wrong('start_time', start_time, msg`must be a minimum of 10 seconds prior to the request time.`)
}

function* wrongIds(
  { since_id }: SearchWindowQuery,
  { oldestMs, reach }: { oldestMs: number; reach: Reach },
): Generator<Violation> {
  if (reach === 'all' || since_id === undefined) return
  const oldestMinute = Math.floor(oldestMs / MINUTE_MS) * MINUTE_MS
  if (timeOfId(boundOf(since_id)) < oldestMinute)
    yield violation(
      'since_id',
      since_id,
      msg`Invalid '${word('since_id')}':'${since_id}'. '${word('since_id')}' must be the id of a post created on or after ${minuteText(oldestMs)}`,
    )
}
