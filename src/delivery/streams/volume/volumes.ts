import { timeOfId } from '../../../platform/common/ids.ts'
import type { EndpointName } from '../connections/endpoint-names.ts'

/** A stream of everything of a kind, or of a share of it (core reference, 07 section 1). */
export interface Volume {
  readonly endpointName: EndpointName
  /** 1 if the stream has no partitions. */
  readonly partitions: number
  /** The share that it sends, in percent. */
  readonly percent: number
  /** Only posts in this language. */
  readonly lang?: string
}

/** What decides whether a stream sends something. */
interface VolumeItem {
  /** When it was made, in epoch milliseconds. */
  readonly atMs: number
  /** A number that only this one has. */
  readonly number: bigint
}

/** Of the 1,000 milliseconds of a second, the first whose items are in a sample. */
const FIRST_SAMPLED_MS = 657
const MS_PER_SECOND = 1_000
const MS_PER_PERCENT = MS_PER_SECOND / 100

/**
 * Whether a sample contains an item: the same ones for every client and every node. A larger sample
 * contains every smaller one.
 */
const isSampled = (atMs: number, percent: number): boolean =>
  (atMs + MS_PER_SECOND - FIRST_SAMPLED_MS) % MS_PER_SECOND < percent * MS_PER_PERCENT

/** Odd, with bits in all places: a product of it spreads numbers that differ in few bits. */
const MIX = 0x9e37_79b9_7f4a_7c15n
const HALF = 32n

/** The partition of an item, from 1 to their number. */
export const partitionOf = (number: bigint, partitions: number): number =>
  Number((BigInt.asUintN(64, number * MIX) >> HALF) % BigInt(partitions)) + 1

/** A connection to a stream, as far as its contents depend on it. */
export interface VolumePart {
  readonly volume: Volume
  readonly partition: number
  /** The operator may have set larger samples. */
  readonly leastPercent: number
}

const isIn = (
  { volume: { partitions, percent }, partition, leastPercent }: VolumePart,
  { atMs, number }: VolumeItem,
): boolean =>
  isSampled(atMs, Math.max(percent, leastPercent)) &&
  (partitions === 1 || partitionOf(number, partitions) === partition)

/** Whether a part of a stream contains a public post. */
export const takesPost = (part: VolumePart, { id, lang }: { id: string; lang: string | null }): boolean =>
  (part.volume.lang === undefined || part.volume.lang === lang) &&
  isIn(part, { atMs: timeOfId(id), number: BigInt(id) })

/** Whether a part of a stream contains a public like. `post_id`: the first version of the post. */
export const takesLike = (
  part: VolumePart,
  { user_id, post_id, created_at }: { user_id: string; post_id: string; created_at: number },
): boolean => isIn(part, { atMs: created_at, number: BigInt(user_id) ^ BigInt(post_id) })
