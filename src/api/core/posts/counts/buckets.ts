import type { SearchCount, SearchWindow } from '../../../../domain/search/index/search-index.ts'
import { compareIds } from '../../../../platform/common/ids.ts'
import { timesOf, windowBetween } from '../search/window.ts'

const DAY_MS = 86_400_000

/** Lengths of the periods for which posts are counted. */
export const BUCKET_MS = { minute: 60_000, hour: 3_600_000, day: DAY_MS } as const
export type Granularity = keyof typeof BUCKET_MS

/** Maximum span of one page. */
const PAGE_MS = 31 * DAY_MS

export interface Bucket {
  readonly startMs: number
  readonly endMs: number
  readonly posts: number
}

/**
 * The last 31 days of a window, and the rest of it for the next page. A page begins with a whole period, so that none
 * is counted on two pages.
 */
export function lastPageOf(
  window: SearchWindow,
  granularity: Granularity,
): { page: SearchWindow; rest: SearchWindow | undefined } {
  const { startMs, endMs } = timesOf(window)
  const cutMs = Math.ceil((endMs - PAGE_MS) / BUCKET_MS[granularity]) * BUCKET_MS[granularity]
  if (cutMs <= startMs) return { page: window, rest: undefined }
  const { from: cut } = windowBetween(cutMs, endMs)
  return { page: { from: cut, before: window.before }, rest: { from: window.from, before: cut } }
}

/**
 * The periods of a window, oldest first, including empty ones. The window cuts the first and the last. `found`: oldest
 * first.
 */
export function* bucketsOf(
  window: SearchWindow,
  granularity: Granularity,
  found: readonly SearchCount[],
): Generator<Bucket> {
  if (compareIds(window.from, window.before) >= 0) return
  const lengthMs = BUCKET_MS[granularity]
  const { startMs, endMs } = timesOf(window)
  let next = 0
  for (let at = Math.floor(startMs / lengthMs) * lengthMs; at < endMs; at += lengthMs) {
    const posts = found[next]?.start === at ? (found[next++]?.count ?? 0) : 0
    yield { startMs: Math.max(at, startMs), endMs: Math.min(at + lengthMs, endMs), posts }
  }
}
