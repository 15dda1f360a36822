import { instantOf } from '../content/posts-in-order.ts'

/** How far ahead campaigns and what pays for them can be scheduled: 5 years. */
export const AHEAD_MS = 5 * 366 * 86_400_000

/** A time of the advertising API, which has no parts of seconds; undefined if absent or wrong. */
export function secondOf(text: string | undefined, now: number): number | undefined {
  const timeMs = text === undefined ? undefined : instantOf(text, now, now + AHEAD_MS)
  return timeMs === undefined ? undefined : Math.floor(timeMs / 1000) * 1000
}
