import type { Store } from '../../platform/storage/store.ts'
import { type Figures, HOUR_MS, hourOf } from './metrics.ts'
import { promotedHours } from './promoted.ts'
import { type BucketRow, mediaBuckets, postBuckets } from './queries.ts'

/** Hours of a bucket, and the shift that makes weeks begin on Mondays. */
const BUCKETS = {
  hourly: { size: 1, shift: 0 },
  daily: { size: 24, shift: 0 },
  weekly: { size: 168, shift: 72 },
  total: { size: Number.MAX_SAFE_INTEGER, shift: 0 },
} as const
export type Granularity = keyof typeof BUCKETS

/** A time span in epoch milliseconds; the end is exclusive. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** The buckets of a span: UTC hours, days, or weeks from Monday. The span cuts the first. */
function bucketsOf(
  { startMs, endMs }: Span,
  granularity: Granularity,
): { bucket: number; startMs: number }[] {
  const { size, shift } = BUCKETS[granularity]
  if (endMs <= startMs) return []
  const first = Math.floor((hourOf(startMs) + shift) / size)
  const last = Math.floor((hourOf(endMs - 1) + shift) / size)
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    bucket: first + index,
    startMs: index === 0 ? startMs : ((first + index) * size - shift) * HOUR_MS,
  }))
}

/** How many buckets a span has. */
export const bucketCount = ({ startMs, endMs }: Span, granularity: Granularity): number => {
  const { size, shift } = BUCKETS[granularity]
  return Math.floor((hourOf(endMs - 1) + shift) / size) - Math.floor((hourOf(startMs) + shift) / size) + 1
}

/** What was counted in a part of a span. */
export interface Bucket {
  /** Its start, in epoch milliseconds. */
  readonly startMs: number
  readonly figures: Figures
}

interface ReadOptions {
  readonly store: Pick<Store, 'all'>
  readonly span: Span
  readonly granularity: Granularity
}

const NOTHING: Figures = new Map()

/**
 * What was counted of each object, in buckets of a span, oldest first, including empty ones. Counts
 * are kept by the hour: the hours that contain the bounds of the span count as a whole.
 */
function inBuckets(rows: readonly BucketRow[], { span, granularity }: ReadOptions) {
  const found = new Map<string, Map<string, number>>()
  for (const { id, bucket, metric, amount } of rows) {
    const key = `${id} ${bucket}`
    const figures = found.get(key) ?? new Map<string, number>()
    found.set(key, figures)
    figures.set(metric, (figures.get(metric) ?? 0) + Number(amount))
  }
  const buckets = bucketsOf(span, granularity)
  return (id: string): Bucket[] =>
    buckets.map(({ bucket, startMs }) => ({ startMs, figures: found.get(`${id} ${bucket}`) ?? NOTHING }))
}

const argsOf = (ids: readonly string[], { span, granularity }: ReadOptions) => ({
  ids: JSON.stringify(ids),
  from: hourOf(span.startMs),
  until: hourOf(span.endMs - 1) + 1,
  ...BUCKETS[granularity],
})

/** The buckets of posts, by their first versions: organic and promoted together. */
export async function readPosts(
  ids: readonly string[],
  options: ReadOptions,
): Promise<(id: string) => Bucket[]> {
  const args = argsOf(ids, options)
  const { from, until, size, shift } = args
  const [counted, promoted] = await Promise.all([
    options.store.all(postBuckets, args),
    promotedHours(options.store, { postIds: ids, from, until }),
  ])
  const added = promoted.map(({ hour, ...row }) => ({ ...row, bucket: Math.floor((hour + shift) / size) }))
  return inBuckets([...counted, ...added], options)
}

/** The buckets of media, by their ids. */
export async function readMedia(
  ids: readonly string[],
  options: ReadOptions,
): Promise<(id: string) => Bucket[]> {
  return inBuckets(await options.store.all(mediaBuckets, argsOf(ids, options)), options)
}
