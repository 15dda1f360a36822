import { bucketCount, type Granularity, type Span } from '../../../domain/analytics/read.ts'
import { instantText } from '../../../platform/common/instant.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { type Message, msg, word } from '../../../platform/http/message.ts'
import { utcInstant } from '../../../platform/http/schema.ts'

export const spanParameters = {
  start_time: utcInstant('Start of the time span, inclusive. RFC 3339, to the second.'),
  end_time: utcInstant('End of the time span, exclusive. A time in the future stands for now.'),
}

interface SpanQuery {
  readonly start_time: number
  readonly end_time: number
}

/** Limits of the span of a call. */
interface SpanLimits {
  readonly now: number
  readonly oldestMs: number
  readonly granularity: Granularity
  /** Undefined if only the number of buckets is limited. */
  readonly longestMs?: number
}

const DAY_MS = 86_400_000
/** The number of hours in 31 days. */
const MAX_BUCKETS = 744
/** No post is older. */
export const FIRST_MS = Date.UTC(2006, 2, 21)

/** The span that a call names. Throws an error that names an invalid bound. */
export function spanOf({ start_time, end_time }: SpanQuery, limits: SpanLimits): Span {
  const { now, oldestMs, granularity, longestMs } = limits
  const span = { startMs: start_time, endMs: Math.min(end_time, now) }
  if (end_time <= start_time) throw wrong('end_time', end_time, msg`must be after '${word('start_time')}'.`)
  if (start_time < oldestMs)
    throw wrong('start_time', start_time, msg`must be on or after ${instantText(oldestMs)}.`)
  if (start_time >= now) throw wrong('start_time', start_time, msg`must be before the request time.`)
  if (longestMs !== undefined && span.endMs - span.startMs > longestMs)
    throw wrong(
      'end_time',
      end_time,
      msg`must be at most ${String(longestMs / DAY_MS)} days after '${word('start_time')}'.`,
    )
  if (bucketCount(span, granularity) > MAX_BUCKETS + 1)
    throw wrong(
      'end_time',
      end_time,
      msg`must be so close to '${word('start_time')}' that there are at most ${String(MAX_BUCKETS)} periods.`,
    )
  return span
}

const wrong = (name: string, time: number, rule: Message) =>
  invalid({
    place: 'query',
    name,
    value: instantText(time),
    fault: {
      kind: 'rule',
      explanation: msg`Invalid '${word(name)}':'${instantText(time)}'. '${word(name)}' ${rule}`,
    },
  })
