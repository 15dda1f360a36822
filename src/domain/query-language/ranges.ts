import type { MatchablePost } from './matchable-post.ts'
import type { Condition } from './query.ts'

// Rules compare counts of a post, such as followers, with many different bounds. A test for each
// would be an object for each, so ranges are part of the programs of rules, and the few counts of a
// post are stored once.

/** The counts of a post that rules compare, by their index in the array that `noteCounts` fills. */
const COUNT_OF = {
  followers_count: 0,
  following_count: 1,
  posts_count: 2,
  listed_count: 3,
  min_followers: 0,
}

export const COUNTS = 4

/** Larger counts are stored as this one. */
const LARGEST = 2 ** 31 - 1

/** A count of a post, by its index, and its bounds. */
export interface CountRange {
  readonly count: number
  readonly min: number
  readonly max: number
}

/** The range of a condition; undefined for other conditions, and for bounds that are too large. */
export function rangeOf(condition: Condition): CountRange | undefined {
  if (!isOfCount(condition)) return undefined
  const { min, max } = endsOf(condition)
  return min >= LARGEST || (max !== undefined && max >= LARGEST)
    ? undefined
    : { count: COUNT_OF[condition.operator], min, max: max ?? LARGEST }
}

type CountCondition = Condition & { operator: keyof typeof COUNT_OF }

const isOfCount = (condition: Condition): condition is CountCondition => condition.operator in COUNT_OF

const endsOf = (condition: CountCondition): { min: number; max?: number } =>
  condition.operator === 'min_followers' ? { min: condition.number } : condition

/** Stores the counts of a post. */
export function noteCounts({ author }: MatchablePost, counts: Int32Array): void {
  counts[0] = Math.min(author.followersCount, LARGEST)
  counts[1] = Math.min(author.followingCount, LARGEST)
  counts[2] = Math.min(author.postsCount, LARGEST)
  counts[3] = Math.min(author.listedCount, LARGEST)
}
