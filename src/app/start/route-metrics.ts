import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteMeasurement } from '../../api/admin/metrics/measurements.ts'

/** Upper bounds of the buckets of a histogram, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MS_PER_SECOND = 1_000

/** The upper bound of a bucket; the last one has none. */
const bound = (le: number | undefined) => (le === undefined ? {} : { le })

/** The requests of one endpoint, on one host. */
interface RouteCounts {
  /** By status. */
  readonly replies: Map<number, number>
  /**
   * Replies that took at most the bound, but longer than the one before; the last one took longer
   * than all.
   */
  readonly buckets: number[]
  seconds: number
}

export type Labels = Readonly<Record<string, string>>
export type Sample = readonly [labels: Labels, value: number]

/**
 * Counts replies and their latency by host and endpoint. Paths with ids would be unbounded: the
 * labels are the endpoints' own paths, and an empty one for requests that match none.
 */
export class RouteMetrics {
  readonly #routes = new Map<string, Map<string, RouteCounts>>()

  /** Called for every reply just before it is sent. */
  add(host: string, { began, endpoint }: FastifyRequest, { statusCode }: FastifyReply): void {
    const counts = this.#countsOf(host, endpoint || '')
    counts.replies.set(statusCode, (counts.replies.get(statusCode) ?? 0) + 1)
    const seconds = (performance.now() - began) / MS_PER_SECOND
    counts.seconds += seconds
    const bucket = BOUNDS.findIndex((bound) => seconds <= bound)
    const place = bucket === -1 ? BOUNDS.length : bucket
    counts.buckets[place] = (counts.buckets[place] as number) + 1
  }

  #countsOf(host: string, endpoint: string): RouteCounts {
    const ofHost = this.#routes.get(host) ?? new Map<string, RouteCounts>()
    this.#routes.set(host, ofHost)
    const known = ofHost.get(endpoint)
    if (known) return known
    const counts = { replies: new Map(), buckets: BOUNDS.map(() => 0).concat(0), seconds: 0 }
    ofHost.set(endpoint, counts)
    return counts
  }

  /** Samples of `plaza_http_requests_total`. */
  get requests(): Sample[] {
    return this.#all.flatMap(([labels, { replies }]) =>
      [...replies].map(([status, count]): Sample => [{ ...labels, status: String(status) }, count]),
    )
  }

  /**
   * Samples of the histogram `plaza_http_request_duration_seconds`, with the suffixes of their
   * names.
   */
  get durations(): (readonly [suffix: string, ...Sample])[] {
    return this.#all.flatMap(([labels, { buckets, seconds }]) => {
      let sum = 0
      const below = buckets.map((count, place) => {
        sum += count
        return ['_bucket', { ...labels, le: String(BOUNDS[place] ?? '+Inf') }, sum] as const
      })
      return [...below, ['_sum', labels, seconds] as const, ['_count', labels, sum] as const]
    })
  }

  /** The requests of each endpoint, for the admin API. */
  get routes(): RouteMeasurement[] {
    return this.#all.map(([{ host = '', endpoint: route = '' }, { replies, buckets, seconds }]) => ({
      host,
      route,
      replies: [...replies].map(([status, count]) => ({ status, count })),
      duration_seconds: seconds,
      buckets: buckets.map((count, place) => ({ ...bound(BOUNDS[place]), count })),
    }))
  }

  get #all(): [Labels, RouteCounts][] {
    return [...this.#routes].flatMap(([host, endpoints]) =>
      [...endpoints].map(([endpoint, counts]): [Labels, RouteCounts] => [{ host, endpoint }, counts]),
    )
  }
}
