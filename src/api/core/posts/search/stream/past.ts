import { Type } from 'typebox'
import type { Past } from '../../../../../delivery/streams/span.ts'
import { instantText } from '../../../../../platform/common/instant.ts'
import type { Config } from '../../../../../platform/config/config.ts'
import { invalid, type Violation } from '../../../../../platform/http/errors.ts'
import { type Message, msg, word } from '../../../../../platform/http/message.ts'
import { utcInstant } from '../../../../../platform/http/schema.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const MAX_BACKFILL_MINUTES = 5
/** How far the ids of another node may be ahead of the clock. */
const CLOCK_DIFFERENCE_MS = 60_000

/** The names of the parameters. */
interface PastParameterNames {
  readonly minutes: string
  readonly start: string
  readonly end: string
}
const PAST_NAMES: PastParameterNames = { minutes: 'backfill_minutes', start: 'start_time', end: 'end_time' }

const backfillMinutes = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_BACKFILL_MINUTES,
      description: `Also sends the ${what} of the last minutes. Some may be sent twice.`,
    }),
  )
const startTime = (what: string) =>
  Type.Optional(
    utcInstant(
      `Sends the ${what} since this time, within the last 24 hours, and ends. RFC 3339, to the second.`,
    ),
  )
const endTime = (what: string, { start }: PastParameterNames) =>
  Type.Optional(
    utcInstant(
      `End of the ${what} that \`${start}\` requests, exclusive. The default is the time of the call.`,
    ),
  )

/** Which past posts or activities a stream sends (core reference, 03 section 2.1). */
export const pastParameters = (what: 'posts' | 'likes' | 'activities' | 'events') => ({
  backfill_minutes: backfillMinutes(what),
  start_time: startTime(what),
  end_time: endTime(what, PAST_NAMES),
})

export const POWERSTREAM_NAMES: PastParameterNames = {
  minutes: 'backfillMinutes',
  start: 'startTime',
  end: 'endTime',
}

/** The same for the powerstream (core reference, 03 section 4). */
export const powerstreamPast = {
  backfillMinutes: backfillMinutes('posts'),
  startTime: startTime('posts'),
  endTime: endTime('posts', POWERSTREAM_NAMES),
}

/** The values of the parameters. */
interface PastQuery {
  minutes: number | undefined
  start: number | undefined
  end: number | undefined
}

export const pastQueryOf = (query: {
  backfill_minutes?: number
  start_time?: number
  end_time?: number
}): PastQuery => ({
  minutes: query.backfill_minutes,
  start: query.start_time,
  end: query.end_time,
})

type PastLimits = Pick<Config, 'streamBackfillMinutes' | 'streamRecoveryHours'>

/** The past that a call requests. Throws an error that names an invalid parameter. */
export function pastOf(query: PastQuery, now: number, limits: PastLimits, names = PAST_NAMES): Past {
  const violations = [...wrongBackfill(query, names, limits), ...wrongTimes(query, names, { now, limits })]
  if (violations.length > 0) throw invalid(...violations)
  const { minutes = 0, start: fromMs, end: toMs = now } = query
  if (fromMs !== undefined) return { kind: 'recovery', fromMs, toMs }
  if (minutes === 0) return { kind: 'none' }
  return { kind: 'backfill', fromMs: now - minutes * MINUTE_MS, toMs: now + CLOCK_DIFFERENCE_MS }
}

const violation = (name: string, value: string, explanation: Message): Violation => ({
  place: 'query',
  name,
  value,
  fault: { kind: 'rule', explanation },
})

function* wrongBackfill(
  { minutes, start, end }: PastQuery,
  names: PastParameterNames,
  { streamBackfillMinutes: max }: PastLimits,
): Generator<Violation> {
  if (minutes === undefined) return
  const wrong = (rule: Message) =>
    violation(names.minutes, String(minutes), msg`'${word(names.minutes)}' ${rule}`)
  if (minutes > max) yield wrong(msg`can be at most ${String(max)} here.`)
  if (start !== undefined || end !== undefined)
    yield wrong(msg`can not be used with '${word(names.start)}' or '${word(names.end)}'.`)
}

function* wrongTimes(
  { start, end }: PastQuery,
  names: PastParameterNames,
  { now, limits: { streamRecoveryHours: hours } }: { now: number; limits: PastLimits },
): Generator<Violation> {
  const wrong = (name: string, time: number, rule: Message) =>
    violation(
      name,
      instantText(time),
      msg`Invalid '${word(name)}':'${instantText(time)}'. '${word(name)}' ${rule}`,
    )
  const oldest = now - hours * HOUR_MS
  if (start !== undefined && hours === 0) yield wrong(names.start, start, msg`can not be used here.`)
  // Times have a precision of seconds, so this is the oldest one that a caller can send.
  else if (start !== undefined && start < Math.floor(oldest / 1000) * 1000)
    yield wrong(names.start, start, msg`must be on or after ${instantText(oldest)}`)
  else if (start !== undefined && start >= now)
    yield wrong(names.start, start, msg`must be before the request time.`)
  if (end === undefined) return
  if (start === undefined) yield wrong(names.end, end, msg`must be used with '${word(names.start)}'.`)
  else if (end <= start) yield wrong(names.end, end, msg`must be after '${word(names.start)}'.`)
  if (end > now) yield wrong(names.end, end, msg`must not be after the request time.`)
}
