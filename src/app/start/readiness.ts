import type { Credentials } from '../../identity/tokens/credentials.ts'
import { type Cluster, rejectsSignedForSeconds } from '../../platform/cluster/cluster.ts'
import { monotonicTime, systemClock, type TimeSource } from '../../platform/common/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { BUCKET } from '../../platform/config/readers.ts'
import type { CatchUp, Outstanding } from '../../platform/events/catch-up.ts'
import { checkFreeSpace } from '../../platform/storage/free-space.ts'
import { putSetting } from '../../platform/storage/settings.ts'
import type { Store } from '../../platform/storage/store.ts'
import { NotReady } from '../console/not-ready.ts'
import type { NodeLease } from './node-lease.ts'

/** The result of a check is reused for this long. */
const REUSE_MS = 1_000
/** A check that takes longer is a problem by itself. */
const MAX_CHECK_MS = 5_000

export interface ReadinessOptions {
  config: Config
  clock: TimeSource
  store: Store
  credentials: Credentials
  cluster: Cluster
  lease: NodeLease | undefined
  /** Indexes that replies depend on. */
  indexes: Pick<CatchUp, 'outstanding'>
  /** The data folder, if there is one. */
  folder: string | undefined
}

/**
 * Resolves when requests can be answered, including writes, to sentences about what does not work
 * nevertheless. Rejects with the problem.
 */
export type Readiness = () => Promise<string[]>

/**
 * Checks everything that a request may need: the database, including a write, the shared state,
 * free space on the disk, and the indexes.
 */
export function createReadiness(parts: ReadinessOptions): Readiness {
  const checked = oneAtATime(() => check(parts))
  return async () => {
    await checked()
    return warningsOf(parts)
  }
}

function warningsOf({ cluster, clock }: ReadinessOptions): string[] {
  const seconds = rejectsSignedForSeconds(cluster, clock.now())
  // Requests with a bearer token still work, and no other node would do better, so the node is
  // ready.
  return seconds === 0
    ? []
    : [`Signed requests (OAuth 1.0a) are rejected for ${seconds} s more, because the clock was set back.`]
}

/**
 * Reuses the result of a check for a short time. While a check takes long, callers get an error
 * that says so, and no other check begins beside it: what hangs would hang each of them.
 */
export function oneAtATime(work: () => Promise<void>, maxMs = MAX_CHECK_MS): () => Promise<void> {
  let last: { result: Promise<void>; endedAt: number } | undefined
  return () => {
    if (last && monotonicTime.now() - last.endedAt <= REUSE_MS) return last.result
    const over = new AbortController()
    const outcome = work()
    const begun = {
      result: Promise.race([outcome, rejectAfter(maxMs, over.signal)]),
      endedAt: Number.POSITIVE_INFINITY,
    }
    const end = () => {
      begun.endedAt = monotonicTime.now()
      over.abort()
    }
    outcome.then(end, end)
    last = begun
    return begun.result
  }
}

/** Rejects after a time. Never settles if it is aborted before. */
async function rejectAfter(ms: number, signal: AbortSignal): Promise<never> {
  if (!(await systemClock.at(systemClock.now() + ms, signal))) return new Promise<never>(() => undefined)
  throw new Error(
    `a check of the database, the shared state and the disk has not ended within ${ms / 1_000} s`,
  )
}

async function check(parts: ReadinessOptions): Promise<void> {
  const { config, store, credentials, cluster, lease, folder } = parts
  await credentials.refresh()
  // On PostgreSQL, the renewal of the node's claim is a write.
  if (lease) await lease.renew()
  else await store.write((tx) => putSetting(tx, 'readiness', 'checked'))
  await cluster.count('readiness', Number.MAX_SAFE_INTEGER, 1)
  const { media } = config
  const mediaFolder = media === undefined || BUCKET.test(media) ? undefined : media
  for (const path of [folder, mediaFolder]) if (path !== undefined) await checkFreeSpace(path)
  const outstanding = await parts.indexes.outstanding()
  if (outstanding.length > 0)
    throw new NotReady(reasonOf(outstanding), { waiting: outstanding.map(waitingOf) })
}

/** What was committed before the start and is not in the indexes yet. */
const reasonOf = (outstanding: readonly Outstanding[]) => {
  const each = outstanding.map(({ consumer, events, isBuilding }) =>
    isBuilding ? `${consumer} (being built)` : `${consumer} (${events} events left)`,
  )
  return `indexes are catching up: ${each.join(', ')}`
}

const waitingOf = ({ consumer, events, isBuilding, builtShare }: Outstanding) => ({
  consumer,
  events,
  building: isBuilding,
  ...(builtShare !== undefined && { built_share: builtShare }),
})
