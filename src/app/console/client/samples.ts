import { signal } from '@preact/signals'
import { call, connection } from './api.ts'
import { every } from './timers.ts'

export interface RouteMeasurement {
  readonly host: string
  readonly route: string
  readonly replies: readonly { readonly status: number; readonly count: number }[]
  readonly duration_seconds: number
  readonly buckets: readonly { readonly le?: number; readonly count: number }[]
}

export interface Measurements {
  readonly ready: { readonly ready: boolean; readonly reason?: string; readonly warnings: readonly string[] }
  readonly version: string
  readonly uptime_seconds: number
  readonly memory_bytes: number
  readonly cpu_seconds: number
  readonly stream_connections: number
  readonly routes: readonly RouteMeasurement[]
  readonly consumers: readonly {
    readonly consumer: string
    readonly events: number
    readonly seconds: number
  }[]
  readonly tasks: readonly { readonly kind: string; readonly state: string; readonly count: number }[]
  readonly deliveries: {
    readonly pending: number
    readonly last_hour: readonly { readonly state: string; readonly count: number }[]
  }
}

/** What happened between two readings, and what was so at the second. */
export interface Sample {
  /** In epoch seconds, by the clock of the browser. */
  readonly at: number
  /** Replies per second. */
  readonly good: number
  readonly refused: number
  readonly failed: number
  /** In milliseconds; null without a reply. */
  readonly median: number | null
  readonly p95: number | null
  readonly streams: number
  readonly pending: number
  readonly lag: number
  /** Share of a processor, in percent. */
  readonly cpu: number
  readonly memory: number
}

const EVERY_MS = 2_000
/** Ten minutes. */
const MAX_SAMPLES = 300

export const latest = signal<Measurements | undefined>(undefined)
export const samples = signal<readonly Sample[]>([])

let previous: { readonly at: number; readonly reading: Measurements } | undefined

const nowSeconds = () => (performance.timeOrigin + performance.now()) / 1_000

/** Reads the counters every two seconds, on every page, so that the charts have a past. */
export function sampleMetrics(): () => void {
  void sample()
  return every(EVERY_MS, () => {
    if (connection.value === 'open') void sample()
  })
}

async function sample(): Promise<void> {
  try {
    const { data } = await call<{ data: Measurements }>('GET', '/metrics')
    const at = nowSeconds()
    latest.value = data
    // After a restart the counters begin again.
    if (previous && data.uptime_seconds >= previous.reading.uptime_seconds)
      samples.value = [...samples.value, between(previous, { at, reading: data })].slice(-MAX_SAMPLES)
    previous = { at, reading: data }
  } catch {
    // The state of the connection says so.
  }
}

function between(
  from: { readonly at: number; readonly reading: Measurements },
  to: { readonly at: number; readonly reading: Measurements },
): Sample {
  const seconds = Math.max(0.001, to.at - from.at)
  const [before, after] = [countsOf(from.reading.routes), countsOf(to.reading.routes)]
  const perSecond = (kind: 'good' | 'refused' | 'failed') => Math.max(0, after[kind] - before[kind]) / seconds
  const buckets = after.buckets.map(
    ([le, count], place) => [le, count - (before.buckets[place]?.[1] ?? 0)] as const,
  )
  return {
    at: to.at,
    good: perSecond('good'),
    refused: perSecond('refused'),
    failed: perSecond('failed'),
    median: quantileMs(buckets, 0.5),
    p95: quantileMs(buckets, 0.95),
    streams: to.reading.stream_connections,
    pending: to.reading.deliveries.pending,
    lag: Math.max(0, ...to.reading.consumers.map(({ events }) => events)),
    cpu: ((to.reading.cpu_seconds - from.reading.cpu_seconds) / seconds) * 100,
    memory: to.reading.memory_bytes,
  }
}

type Buckets = readonly (readonly [le: number, count: number])[]

/** The replies of the APIs: the console's own calls would hide them. */
function countsOf(routes: readonly RouteMeasurement[]) {
  const counts = { good: 0, refused: 0, failed: 0, buckets: [] as [number, number][] }
  for (const { host, replies, buckets } of routes) {
    if (host === 'console') continue
    for (const { status, count } of replies)
      counts[status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'good'] += count
    for (const [place, { le = Number.POSITIVE_INFINITY, count }] of buckets.entries()) {
      const [, sum = 0] = counts.buckets[place] ?? []
      counts.buckets[place] = [le, sum + count]
    }
  }
  return counts
}

/** A quantile of latencies in buckets, in milliseconds. Within a bucket they are spread evenly. */
export function quantileMs(buckets: Buckets, share: number): number | null {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  if (total <= 0) return null
  let below = 0
  let from = 0
  for (const [le, count] of buckets) {
    if (count > 0 && below + count >= total * share) {
      if (le === Number.POSITIVE_INFINITY) return from * 1_000
      return (from + (le - from) * ((total * share - below) / count)) * 1_000
    }
    below += count
    from = le
  }
  return from * 1_000
}

export const bucketsOf = ({ buckets }: RouteMeasurement): Buckets =>
  buckets.map(({ le = Number.POSITIVE_INFINITY, count }) => [le, count])
