import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ClockObject, clockObject, EXAMPLE } from './reading.ts'

/** GET /admin/v1/clock: the time that Plaza shows. */
export const getClock = endpoint({
  ...ADMIN,
  id: 'getClock',
  method: 'GET',
  path: '/admin/v1/clock',
  summary: 'Read the clock',
  description: "Returns the time that Plaza shows, which is the machine's time until the clock is adjusted.",
  reply: Type.Object({ data: ClockObject }, { additionalProperties: false }),
  example: { reply: { data: EXAMPLE } },
  handle: async (_call, { clockControl }) => json({ data: clockObject(clockControl.read()) }),
})
