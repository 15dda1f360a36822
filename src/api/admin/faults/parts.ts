import { type Static, Type } from 'typebox'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { choice, closedComponent, closedObject, ignored, text } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { FaultInvalid } from '../../../workbench/faults/check.ts'
import { MAX_FAULTS } from '../../../workbench/faults/control.ts'
import { LATENCY_FORMS } from '../../../workbench/faults/latency.ts'
import type { FaultReading } from '../../../workbench/faults/rule.ts'
import { DISCONNECT_REASONS, FAULT_KINDS, type FaultSettings } from '../../../workbench/faults/settings.ts'
import { ROUTE_PATTERN } from '../../../workbench/route-pattern.ts'

const whole = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }))
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(text(1, maxLength, description))

const BILLION = 1_000_000_000

/** Members that say which requests or deliveries fail. */
const conditions = {
  route: Type.Optional(
    Type.String({
      pattern: ROUTE_PATTERN,
      description:
        'An endpoint: `POST /2/posts`, `/2/posts` with any method, or with `*` for any text: `GET /2/users/*`. Default: every endpoint.',
    }),
  ),
  host: Type.Optional(choice(['core', 'ads', 'sandbox'], 'The listener.')),
  app_id: optionalText(19, 'The app of the caller, or of the webhook.'),
  user_id: optionalText(19, 'The user of the caller.'),
  webhook: optionalText(2_048, 'For deliveries: the id or the URL of the webhook.'),
  probability: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'The share that fails. Default: 1.' }),
  ),
  times: whole(1, BILLION, 'Only the first so many fail, on each node.'),
  every: whole(1, BILLION, 'Only every so many-th fails: with 3, the third, the sixth, ….'),
  from: optionalText(
    40,
    'From when, on the clock that Plaza shows: a time, or a duration from now such as `2h`.',
  ),
  until: optionalText(40, 'Until when: a time, or a duration from now.'),
  seed: optionalText(100, 'Makes probability and latency the same in each run. Default: the id.'),
}

/** Members that say how they fail. */
const effects = {
  kind: choice(
    [...FAULT_KINDS],
    '`error`: a documented error. `latency`: only later. `expired_token`: bearer tokens count as expired. `exhausted_limit`, `exhausted_usage`: the rate limit, or a usage cap, is reached. `lost_database`: as if the database were unavailable. `drop`, `drop_after`: the connection ends before the call, or after it took effect. `truncate`, `throttle`: the reply ends early, or is slow. `disconnect`, `stall`: a stream ends, or sends nothing more. `webhook_…`: deliveries get a status, no answer in time, no connection, a TLS error, or are slow.',
    'FaultKind',
  ),
  status: whole(300, 599, 'For `error`: a documented status. For `webhook_status`: the answer.'),
  cause: optionalText(
    100,
    'For `error`: which of the documented errors with the status. For `exhausted_usage`: which cap.',
  ),
  latency: optionalText(
    500,
    `Waits before anything else, for at most 5 minutes of real time: ${LATENCY_FORMS}.`,
  ),
  bytes: whole(0, BILLION, 'For `truncate`: how many bytes of the body are sent.'),
  bytes_per_second: whole(1, BILLION, 'For `throttle`.'),
  posts: whole(0, BILLION, 'For streams: after how many lines.'),
  after: optionalText(40, 'For streams: after how much real time, such as `10s`, up to 5 minutes.'),
  reason: Type.Optional(
    choice(
      [...DISCONNECT_REASONS],
      'For `disconnect`: the recorded reason, from which the last line follows. Default: `operator_disconnect`.',
      'FaultDisconnectReason',
    ),
  ),
}

const position = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_FAULTS,
    description: 'The place in the order, from 1: the first rule that applies counts.',
  }),
)

export const FaultBody = closedObject({
  ...effects,
  ...conditions,
  position,
  id: Type.Optional(ignored('Callers may send what they read.')),
  matches: Type.Optional(ignored('Callers may send what they read.')),
  hits: Type.Optional(ignored('Callers may send what they read.')),
})

/** A rule in replies. */
export const FaultObject = closedComponent('Fault', {
  id: Type.String({ description: 'Its id, which is never used again.' }),
  position: Type.Integer({ description: 'Its place in the order, from 1.' }),
  ...effects,
  ...conditions,
  matches: Type.Integer({ description: 'How many its conditions matched, on this node.' }),
  hits: Type.Integer({ description: 'How many of them it failed, on this node.' }),
})

export const faultObject = ({ rule, position, matches, hits }: FaultReading) => ({
  ...rule,
  ...{ position, matches, hits },
})

export const FaultId = text(1, 20, 'The id of the rule.')

export const noSuchFault = (id: string) =>
  apiError('not found', { explanation: `There is no fault rule "${id}".` })

/** The settings of a body. */
export function settingsOf(body: Static<typeof FaultBody>): FaultSettings {
  const { id, matches, hits, position, ...settings } = body
  return settings
}

/** Runs a change, and turns an invalid rule into an error of the API. */
export async function checked<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof FaultInvalid)) throw error
    throw invalidFor('FaultInvalid', msg`${error.message}`, {
      ...{ place: 'body', name: error.member, value: error.value },
    })
  }
}

export const EXAMPLE = {
  id: 'f1',
  position: 1,
  kind: 'error' as const,
  route: 'POST /2/posts',
  status: 429,
  times: 3,
  matches: 5,
  hits: 3,
}
