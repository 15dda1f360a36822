import type { MembershipState, Reader } from './membership.ts'
import {
  audienceStates,
  audienceToSweep,
  dueAudience,
  forgottenAudience,
  waitingAudiences,
} from './queries.ts'

/** With more due changes than this, a reply has the previous count of an audience. */
const MAX_DUE_CHANGES = 10_000
const NONE = '[]'

const seconds = (ms: number) => Math.floor(ms / 1000)

/** The states of audiences, by id. */
export async function readStates(
  reader: Reader,
  audiences: readonly string[],
  now: number,
): Promise<Map<string, MembershipState>> {
  const asked = { audiences: JSON.stringify(audiences), now: seconds(now), limit: MAX_DUE_CHANGES }
  const rows = await reader.all(audienceStates, asked)
  return new Map(
    rows.map(({ audience, waits, size, delta, due }) => {
      const isCounted = size !== null && due < MAX_DUE_CHANGES
      return [audience, { processing: waits === 1 || !isCounted, size: size === null ? 0 : size + delta }]
    }),
  )
}

/** Whether a batch can be merged. */
export async function mergeIsDue(reader: Reader, due: { until: number; now: number }): Promise<boolean> {
  return (await reader.all(waitingAudiences, { ...due, limit: 1, except: NONE })).length > 0
}

/** Whether any maintenance is due. */
export async function maintenanceIsDue(reader: Reader, now: number): Promise<boolean> {
  for (const due of [forgottenAudience, dueAudience, audienceToSweep])
    if ((await reader.all(due, { now: seconds(now), except: NONE })).length > 0) return true
  return false
}
