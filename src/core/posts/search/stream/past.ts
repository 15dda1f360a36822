import { Type } from 'typebox'
import { instantText } from '../../../../common/instant.ts'
import type { Config } from '../../../../config/config.ts'
import type { Violation } from '../../../../http/errors.ts'
import { invalid } from '../../../../http/errors.ts'
import type { Message } from '../../../../http/message.ts'
import { msg, word } from '../../../../http/message.ts'
import { utcInstant } from '../../../../http/schema.ts'
import type { Past } from '../../../../streams/posts/open.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const MAX_BACKFILL_MINUTES = 5
/** How far the ids of another node may be ahead of the clock. */
const CLOCK_DIFFERENCE_MS = 60_000

/** Which past posts or activities a stream sends (core reference, 03 section 2.1). */
export const pastParameters = (what: 'posts' | 'activities') => ({
  backfill_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_BACKFILL_MINUTES,
      description: `Also sends the ${what} of the last minutes. Some may be sent twice.`,
    }),
  ),
  start_time: Type.Optional(
    utcInstant(
      `Sends the ${what} since this time, within the last 24 hours, and ends. RFC 3339, to the second.`,
    ),
  ),
  end_time: Type.Optional(
    utcInstant(
      `End of the ${what} that \`start_time\` requests, exclusive. The default is the time of the call.`,
    ),
  ),
})

interface Sent {
  backfill_minutes?: number
  start_time?: number
  end_time?: number
}

type Limits = Pick<Config, 'streamBackfillMinutes' | 'streamRecoveryHours'>

/** The past that a call requests. Throws an error that names an invalid parameter. */
export function pastOf(sent: Sent, now: number, limits: Limits): Past {
  const violations = [...wrongBackfill(sent, limits), ...wrongTimes(sent, now, limits)]
  if (violations.length > 0) throw invalid(...violations)
  const { backfill_minutes: minutes = 0, start_time: fromMs, end_time: toMs = now } = sent
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
  { backfill_minutes: minutes, start_time, end_time }: Sent,
  { streamBackfillMinutes: max }: Limits,
): Generator<Violation> {
  if (minutes === undefined) return
  const wrong = (rule: Message) =>
    violation('backfill_minutes', String(minutes), msg`'${word('backfill_minutes')}' ${rule}`)
  if (minutes > max) yield wrong(msg`can be at most ${String(max)} here.`)
  if (start_time !== undefined || end_time !== undefined)
    yield wrong(msg`can not be used with '${word('start_time')}' or '${word('end_time')}'.`)
}

function* wrongTimes(
  { start_time: start, end_time: end }: Sent,
  now: number,
  { streamRecoveryHours: hours }: Limits,
): Generator<Violation> {
  const wrong = (name: string, time: number, rule: Message) =>
    violation(
      name,
      instantText(time),
      msg`Invalid '${word(name)}':'${instantText(time)}'. '${word(name)}' ${rule}`,
    )
  const oldest = now - hours * HOUR_MS
  if (start !== undefined && hours === 0) yield wrong('start_time', start, msg`can not be used here.`)
  // Times have a precision of seconds, so this is the oldest one that a caller can send.
  else if (start !== undefined && start < Math.floor(oldest / 1000) * 1000)
    yield wrong('start_time', start, msg`must be on or after ${instantText(oldest)}`)
  else if (start !== undefined && start >= now)
    yield wrong('start_time', start, msg`must be before the request time.`)
  if (end === undefined) return
  if (start === undefined) yield wrong('end_time', end, msg`must be used with '${word('start_time')}'.`)
  else if (end <= start) yield wrong('end_time', end, msg`must be after '${word('start_time')}'.`)
  if (end > now) yield wrong('end_time', end, msg`must not be after the request time.`)
}
