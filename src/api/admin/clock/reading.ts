import { Type } from 'typebox'
import { isoTime } from '../../../platform/common/time.ts'
import { component, time } from '../../../platform/http/schema.ts'
import type { ClockReading } from '../../../workbench/clock/clock-control.ts'

/** The clock in replies. */
export const ClockObject = component(
  'Clock',
  Type.Object(
    {
      now: time('The time that Plaza shows.'),
      machine_now: time("The time of the machine's clock."),
      frozen: Type.Boolean({ description: 'Whether the clock stands still.' }),
    },
    { additionalProperties: false },
  ),
)

export const clockObject = ({ nowMs, machineMs, isFrozen }: ClockReading) => ({
  now: isoTime(nowMs),
  machine_now: isoTime(machineMs),
  frozen: isFrozen,
})

export const EXAMPLE = {
  now: '2026-03-01T14:00:00.000Z',
  machine_now: '2026-03-01T12:00:00.000Z',
  frozen: false,
}
