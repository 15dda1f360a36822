import { firstIdAt, timeOfId } from '../../platform/common/ids.ts'
import type { SearchCount, SearchExpression, SearchIndex } from '../search/index/search-index.ts'

/** A sample of the posts of a country in a window: of those that match, and of all. */
export interface PostSample {
  /** The number of all posts that match. */
  readonly matched: number
  /** The ids of some of them. */
  readonly matching: ReadonlySet<string>
  /** The ids of some of all posts, and for how many posts each of them stands. */
  readonly weights: ReadonlyMap<string, number>
}

export interface SampledWindow {
  readonly matching: SearchExpression
  readonly all: SearchExpression
  /** The number of posts that match, by the hours from the start on. */
  readonly hours: readonly SearchCount[]
  readonly startMs: number
  readonly endMs: number
}

export const HOUR_MS = 3_600_000
/** The parts of a window that are sampled: whole hours. */
const MAX_SLICES = 4
/** How many of the posts that match are read, in all slices. */
const MATCHING_POSTS = 500
/** How many of all posts are read of each slice. */
const POSTS_OF_SLICE = 128

/**
 * Reads the newest posts of each slice of a window: those that match in proportion to their number
 * in the slice, and equally many of all. If there are few, these are all posts.
 */
export async function samplePosts(
  index: Pick<SearchIndex, 'find'>,
  { matching, all, hours, startMs, endMs }: SampledWindow,
): Promise<PostSample> {
  const matched = sum(hours)
  const sample = { matched, matching: new Set<string>(), weights: new Map<string, number>() }
  if (matched === 0) return sample
  const sliceMs = Math.ceil((endMs - startMs) / MAX_SLICES / HOUR_MS) * HOUR_MS
  for (let fromMs = startMs; fromMs < endMs; fromMs += sliceMs) {
    const beforeMs = Math.min(fromMs + sliceMs, endMs)
    const newest = async (expression: SearchExpression, limit: number) => {
      if (limit === 0) return []
      const window = { from: firstIdAt(fromMs), before: firstIdAt(beforeMs) }
      return (await index.find(expression, window, limit)).found.map(({ id }) => id)
    }
    const count = sum(hours.filter(({ start }) => start >= fromMs && start < beforeMs))
    const share = Math.ceil((count * MATCHING_POSTS) / Math.max(matched, MATCHING_POSTS))
    const [some, others] = await Promise.all([newest(matching, share), newest(all, POSTS_OF_SLICE)])
    for (const id of some) sample.matching.add(id)
    const oldest = others.length < POSTS_OF_SLICE ? undefined : others.at(-1)
    // The older part of the slice is taken to have as many posts in a time as the newer one.
    const weight = oldest === undefined ? 1 : (beforeMs - fromMs) / (beforeMs - timeOfId(oldest))
    for (const id of others) sample.weights.set(id, weight)
  }
  return sample
}

const sum = (counts: readonly SearchCount[]) => counts.reduce((total, { count }) => total + count, 0)
