import { Type } from 'typebox'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { component } from '../../../platform/http/schema.ts'
import { DURATION_PATTERN, durationMs } from '../../../workbench/clock/duration.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ClockObject, clockObject, EXAMPLE } from './reading.ts'

const DEFAULT_TIMEOUT_SECONDS = 30
const MAX_TIMEOUT_SECONDS = 600
/** More than a century. */
const MAX_MS = 100 * 366 * 86_400_000

const AdvancedClock = component(
  'AdvancedClock',
  Type.Object(
    {
      ...ClockObject.properties,
      settled: Type.Boolean({
        description:
          'Whether all tasks, events and deliveries that became due are done. False if the timeout ended first, for example because a webhook does not answer.',
      }),
    },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/clock/advance: moves the clock forward, and waits for what became due. */
export const advanceClock = endpoint({
  ...ADMIN,
  id: 'advanceClock',
  method: 'POST',
  path: '/admin/v1/clock/advance',
  summary: 'Advance the clock',
  description:
    'Moves the clock forward. It stops whenever work becomes due (scheduled posts, retries of deliveries, webhook checks) until that work is done, so that everything happens in order and at its time. Returns when nothing is due any more. A frozen clock stays frozen.',
  body: Type.Object(
    {
      by: Type.String({
        pattern: DURATION_PATTERN,
        description: 'How far: amounts with the units `ms`, `s`, `m`, `h` and `d`, such as `2h` or `1d12h`.',
      }),
      timeout_seconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_TIMEOUT_SECONDS,
          description: `How long to wait for the work, in real seconds. Default: ${DEFAULT_TIMEOUT_SECONDS}.`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: AdvancedClock }, { additionalProperties: false }),
  reasons: ['DurationInvalid'],
  example: { body: { by: '2h' }, reply: { data: { ...EXAMPLE, settled: true } } },
  async handle({ body: { by, timeout_seconds = DEFAULT_TIMEOUT_SECONDS } }, { clockControl }) {
    const byMs = durationMs(by)
    if (byMs === undefined || byMs > MAX_MS)
      throw invalidFor('DurationInvalid', msg`\`by\` must be at most 100 years`, {
        place: 'body',
        name: 'by',
        value: by,
      })
    const result = await clockControl.advance(byMs, timeout_seconds * 1000)
    return json({ data: { ...clockObject(result), settled: result.isSettled } })
  },
})
