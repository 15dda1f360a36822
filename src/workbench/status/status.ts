import { statfs } from 'node:fs/promises'
import { pendingWebhooks } from '../../delivery/webhooks/queries.ts'
import { everyShare } from '../../delivery/webhooks/shares.ts'
import type { TimeSource } from '../../platform/common/clock.ts'
import { isoTime } from '../../platform/common/time.ts'
import { VERSION } from '../../platform/common/version.ts'
import type { Config } from '../../platform/config/config.ts'
import { consumerLags } from '../../platform/events/lag.ts'
import { countTasks } from '../../platform/queue/queries.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { ClockReading } from '../clock/clock-control.ts'

export interface StatusOptions {
  readonly config: Config
  readonly store: Store
  readonly clock: TimeSource
  /** Streams that are open on this node. */
  readonly connections: { readonly count: number }
  readonly urls: {
    readonly core: string
    readonly ads: string
    readonly adsSandbox: string
    readonly console: string
  }
  /** The data folder; undefined in memory. */
  readonly folder: string | undefined
  /** Why requests cannot be answered; rejects with it. */
  ready(): Promise<readonly string[]>
}

/** How a Plaza runs, at one time. Each call reads the store once. */
export async function readStatus(options: StatusOptions, clock: ClockReading) {
  const { config, store, connections, urls, folder } = options
  const [lags, tasks, waiting, readiness, disk] = await Promise.all([
    consumerLags(store, options.clock),
    store.all(countTasks, { now: options.clock.now() }),
    store.all(pendingWebhooks, { shares: JSON.stringify(everyShare) }),
    readinessOf(options),
    folder === undefined ? undefined : freeSpace(folder),
  ])
  const due = waiting.map(({ due_at }) => due_at).sort((a, b) => a - b)
  return {
    version: VERSION,
    node_version: process.versions.node,
    pid: process.pid,
    uptime_seconds: Math.floor(process.uptime()),
    mode: modeOf(config),
    hardened: config.hardened,
    node: config.node,
    ...readiness,
    urls: { core: urls.core, ads: urls.ads, ads_sandbox: urls.adsSandbox, console: urls.console },
    clock: {
      now: isoTime(clock.nowMs),
      machine_now: isoTime(clock.machineMs),
      frozen: clock.isFrozen,
    },
    consumers: lags.map(({ consumer, events, seconds }) => ({ name: consumer, events, seconds })),
    tasks: tasks.map(({ kind, state, count }) => ({ kind, state, count: Number(count) })),
    deliveries: {
      webhooks_waiting: waiting.length,
      ...(due[0] !== undefined && { next_due_at: isoTime(due[0]) }),
    },
    streams: connections.count,
    rate_limits: typeof config.rateLimits === 'string' ? config.rateLimits : ('custom' as const),
    memory: memoryNow(),
    ...(disk && { disk }),
  }
}

const modeOf = ({ memory, databaseUrl }: Config) =>
  memory ? ('memory' as const) : databaseUrl === undefined ? ('data' as const) : ('postgresql' as const)

async function readinessOf({ ready }: StatusOptions): Promise<{ ready: boolean; problems: string[] }> {
  try {
    return { ready: true, problems: [...(await ready())] }
  } catch (error) {
    return { ready: false, problems: [(error as Error).message] }
  }
}

function memoryNow() {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident_bytes: rss, heap_bytes: heapUsed, external_bytes: external }
}

/** Of the file system that holds a folder. */
async function freeSpace(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { folder, free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}
