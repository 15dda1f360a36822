import { timeOfId } from '../../../platform/common/ids.ts'
import type { EndpointName } from '../connections/endpoint-names.ts'
import type { MatchedRow } from '../posts/queries.ts'

/** A stream of all public posts, or of a share of them (core reference, 07 section 1). */
export interface Volume {
  readonly endpointName: EndpointName
  /** 1 if the stream has no partitions. */
  readonly partitions: number
  /** The share of the posts, in percent. */
  readonly percent: number
  /** Only posts in this language. */
  readonly lang?: string
}

/** Of 1,000 milliseconds of a second, those from here on decide which posts a sample contains. */
const FIRST_SAMPLED_MS = 657
const MS_PER_SECOND = 1_000

/**
 * Whether a sample contains what has an id: the same for every client and every node. A larger
 * sample contains every smaller one.
 */
export function isSampled(id: string, percent: number): boolean {
  const ms = timeOfId(id) % MS_PER_SECOND
  return (ms - FIRST_SAMPLED_MS + MS_PER_SECOND) % MS_PER_SECOND < percent * 10
}

/** Odd, with bits in all places: a product of it spreads ids that differ in few bits. */
const MIX = 0x9e37_79b9_7f4a_7c15n
const HALF = 32n

/** The partition of what has an id, from 1 to their number. */
export const partitionOf = (id: string, partitions: number): number =>
  Number((BigInt.asUintN(64, BigInt(id) * MIX) >> HALF) % BigInt(partitions)) + 1

/**
 * Which posts a connection to a stream receives. `leastPercent`: the operator may have set larger
 * samples.
 */
export const postsOf =
  ({ partitions, percent, lang }: Volume, partition: number, leastPercent: number) =>
  (post: Pick<MatchedRow, 'id' | 'lang'>): boolean =>
    (lang === undefined || post.lang === lang) &&
    (percent === 100 || isSampled(post.id, Math.max(percent, leastPercent))) &&
    (partitions === 1 || partitionOf(post.id, partitions) === partition)
