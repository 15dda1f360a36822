import { Type } from 'typebox'
import { parseInstant } from '../../../platform/common/instant.ts'
import { isoTime } from '../../../platform/common/time.ts'
import { invalidFor } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ignored } from '../../../platform/http/schema.ts'
import { type ClockReading, ClockSetBack, LATEST_MS } from '../../../workbench/clock/clock-control.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ClockObject, clockObject, EXAMPLE } from './reading.ts'

/** PUT /admin/v1/clock: sets, freezes or resumes the clock. */
export const updateClock = endpoint({
  ...ADMIN,
  id: 'updateClock',
  method: 'PUT',
  path: '/admin/v1/clock',
  summary: 'Set, freeze or resume the clock',
  description:
    'Sets the time that Plaza shows, and whether it stands still. Omitted members stay as they are. The clock never goes back: ids and stored times are in the order of time. Work that becomes due is not waited for: see `POST /admin/v1/clock/advance`.',
  body: Type.Object(
    {
      now: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'The time to show: not before the time that it shows.',
        }),
      ),
      frozen: Type.Optional(Type.Boolean({ description: 'Whether the clock stands still.' })),
      machine_now: Type.Optional(ignored('Callers may send what they read.')),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: ClockObject }, { additionalProperties: false }),
  reasons: ['ClockSetBack', 'TimeInvalid'],
  example: { body: { now: EXAMPLE.now, frozen: true }, reply: { data: { ...EXAMPLE, frozen: true } } },
  async handle({ body: { now, frozen } }, { clockControl }) {
    const nowMs = now === undefined ? undefined : readTime(now)
    return json({ data: clockObject(await changed()) })

    async function changed(): Promise<ClockReading> {
      try {
        return await clockControl.change({ nowMs, isFrozen: frozen })
      } catch (error) {
        if (!(error instanceof ClockSetBack)) throw error
        const shown = isoTime(error.nowMs)
        throw invalidFor(
          'ClockSetBack',
          msg`\`now\` must not be before the time of the clock, ${shown}`,
          wrongNow(now),
        )
      }
    }
  },
})

/** In epoch milliseconds. */
function readTime(text: string): number {
  const second = parseInstant(text)
  if (second === undefined || second > LATEST_MS)
    throw invalidFor(
      'TimeInvalid',
      msg`\`now\` must be a time before 2080, such as 2026-03-01T12:00:00Z`,
      wrongNow(text),
    )
  const [, fraction = ''] = /\.([0-9]+)/.exec(text) ?? []
  return second + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

const wrongNow = (value = '') => ({ place: 'body' as const, name: 'now', value })
