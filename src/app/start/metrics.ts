import type { Measure, Measurements } from '../../api/admin/metrics/measurements.ts'
import { countEndedDeliveries, countPendingDeliveries } from '../../delivery/webhooks/queries.ts'
import { type Cluster, rejectsSignedForSeconds } from '../../platform/cluster/cluster.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { VERSION } from '../../platform/common/version.ts'
import { consumerLags } from '../../platform/events/lag.ts'
import { countTasks } from '../../platform/queue/queries.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Labels, RouteMetrics, Sample } from './route-metrics.ts'

interface MetricsOptions {
  readonly store: Store
  readonly clock: TimeSource
  readonly cluster: Pick<Cluster, 'nonceFloorSeconds'>
  readonly routes: RouteMetrics
  /** Streams that are open on this node. */
  readonly connections: { readonly count: number }
}

const MICROSECONDS = 1_000_000
/** Deliveries are counted up to here, so that a count takes the same time in any database. */
const MAX_COUNTED = 10_000
const HOUR_MS = 3_600_000

/** What the admin API shows of this node. */
export function measureOf(parts: MetricsOptions & { ready(): Promise<readonly string[]> }): Measure {
  const { store, clock, routes, connections } = parts
  return async () => {
    const now = clock.now()
    const [lags, tasks, pending, ended, ready] = await Promise.all([
      consumerLags(store, clock),
      store.all(countTasks, { now }),
      store.first(countPendingDeliveries, { limit: MAX_COUNTED }),
      store.all(countEndedDeliveries, { after: now - HOUR_MS, limit: MAX_COUNTED }),
      readinessOf(parts.ready),
    ])
    const { user, system } = process.cpuUsage()
    return {
      ready,
      version: VERSION,
      uptime_seconds: Math.floor(process.uptime()),
      memory_bytes: process.memoryUsage.rss(),
      cpu_seconds: (user + system) / MICROSECONDS,
      stream_connections: connections.count,
      routes: routes.routes,
      consumers: lags,
      tasks: tasks.map(({ kind, state, count }) => ({ kind, state, count: Number(count) })),
      deliveries: {
        pending: Number(pending?.count ?? 0),
        last_hour: ended.map(({ state, count }) => ({ state, count: Number(count) })),
      },
    }
  }
}

async function readinessOf(ready: () => Promise<readonly string[]>): Promise<Measurements['ready']> {
  try {
    return { ready: true, warnings: [...(await ready())] }
  } catch (error) {
    return { ready: false, reason: error instanceof Error ? error.message : String(error), warnings: [] }
  }
}

/** The metrics of Plaza, in the Prometheus text format 0.0.4. Each scrape reads the store once. */
export function metricsOf({
  store,
  clock,
  cluster,
  routes,
  connections,
}: MetricsOptions): () => Promise<string> {
  return async () => {
    const [lags, tasks] = await Promise.all([
      consumerLags(store, clock),
      store.all(countTasks, { now: clock.now() }),
    ])
    const { user, system } = process.cpuUsage()
    return [
      metric('plaza_event_consumer_lag_events', 'Events of the log that a consumer has not handled.', [
        ...lags.map(({ consumer, events }): Sample => [{ consumer }, events]),
      ]),
      metric('plaza_event_consumer_lag_seconds', 'Age of the oldest event that a consumer has not handled.', [
        ...lags.map(({ consumer, seconds }): Sample => [{ consumer }, seconds]),
      ]),
      metric('plaza_tasks', 'Tasks of the queue by kind and state.', [
        ...tasks.map(({ kind, state, count }): Sample => [{ kind, state }, Number(count)]),
      ]),
      metric(
        'plaza_http_requests_total',
        'Replies by host, endpoint and status.',
        routes.requests,
        'counter',
      ),
      histogram(
        'plaza_http_request_duration_seconds',
        'Time until the reply was sent, or the head of a stream.',
        routes.durations,
      ),
      metric('plaza_stream_connections', 'Streams that are open on this node.', [[{}, connections.count]]),
      metric(
        'plaza_signed_requests_rejected_seconds',
        'How long signed requests are still rejected because the clock was set back.',
        [[{}, rejectsSignedForSeconds(cluster, clock.now())]],
      ),
      metric('process_resident_memory_bytes', 'Memory of this process.', [[{}, process.memoryUsage.rss()]]),
      metric(
        'process_cpu_seconds_total',
        'Processor time of this process.',
        [[{}, (user + system) / MICROSECONDS]],
        'counter',
      ),
    ].join('')
  }
}

function metric(name: string, help: string, samples: readonly Sample[], type = 'gauge'): string {
  const lines = samples.map(([labels, value]) => `${name}${labelsOf(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function histogram(
  name: string,
  help: string,
  samples: readonly (readonly [suffix: string, labels: Labels, value: number])[],
): string {
  const lines = samples.map(([suffix, labels, value]) => `${name}${suffix}${labelsOf(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${lines.join('')}`
}

function labelsOf(labels: Labels): string {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return all.length === 0 ? '' : `{${all.join(',')}}`
}

const escaped = (value: string) =>
  value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
