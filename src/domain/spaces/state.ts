import type { SpaceRow } from './tables.ts'

/** The format of the id of a space. */
export const SPACE_ID = '^[a-zA-Z0-9]{1,13}$'

export const STATES = ['live', 'scheduled', 'ended'] as const
export type SpaceState = (typeof STATES)[number]

/** The state of a space at a time. */
export function stateAt(
  { starts_at, ends_at }: Pick<SpaceRow, 'starts_at' | 'ends_at'>,
  now: number,
): SpaceState {
  if (ends_at !== null && ends_at <= now) return 'ended'
  return starts_at <= now ? 'live' : 'scheduled'
}
