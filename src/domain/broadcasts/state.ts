import type { BroadcastRow } from './tables.ts'

/** The format of the id of a broadcast. */
export const BROADCAST_ID = '^[a-zA-Z0-9]{1,13}$'

/**
 * `Created` waits for the call that starts it, `Scheduled` for its time. `Error` ended without
 * success.
 */
export const STATES = ['Created', 'Scheduled', 'Running', 'Ended', 'Error'] as const
export type BroadcastState = (typeof STATES)[number]

/** The state of a broadcast at a time. */
export function stateAt(
  { starts_at, ends_at, failed }: Pick<BroadcastRow, 'starts_at' | 'ends_at' | 'failed'>,
  now: number,
): BroadcastState {
  if (ends_at !== null && ends_at <= now) return failed === 1 ? 'Error' : 'Ended'
  if (starts_at === null) return 'Created'
  return starts_at <= now ? 'Running' : 'Scheduled'
}

/** Whether it has not started yet. */
export const isAhead = (row: BroadcastRow, now: number): boolean =>
  ['Created', 'Scheduled'].includes(stateAt(row, now))

/** Whether a user other than its owner knows of it: it has started, and is not locked. */
export const isShown = (row: BroadcastRow, now: number): boolean =>
  row.locked === 0 && row.starts_at !== null && row.starts_at <= now
