import type { Cluster } from '../cluster/cluster.ts'
import { monotonicTime, systemClock } from '../common/clock.ts'
import type { Config } from '../config/config.ts'
import { BUCKET } from '../config/readers.ts'
import { NotReady } from '../console/not-ready.ts'
import type { CatchUp, Outstanding } from '../events/catch-up.ts'
import type { Credentials } from '../identity/credentials.ts'
import { checkFreeSpace } from '../storage/free-space.ts'
import { putSetting } from '../storage/settings.ts'
import type { Store } from '../storage/store.ts'
import type { NodeLease } from './node-lease.ts'

/** The result of a check is reused for this long. */
const REUSE_MS = 1_000
/** A check that takes longer is a problem by itself. */
const MAX_CHECK_MS = 5_000

export interface ReadinessParts {
  config: Config
  store: Store
  credentials: Credentials
  cluster: Cluster
  lease: NodeLease | undefined
  /** Indexes that replies depend on. */
  indexes: Pick<CatchUp, 'outstanding'>
  /** The data folder, if there is one. */
  folder: string | undefined
}

/** Resolves when requests can be answered, including writes. Rejects with the problem. */
export type Readiness = () => Promise<void>

/**
 * Checks everything that a request may need: the database, including a write, the shared state, free space on the disk,
 * and the indexes.
 */
export const createReadiness = (parts: ReadinessParts): Readiness => oneAtATime(() => check(parts))

/**
 * Reuses the result of a check for a short time. While a check takes long, callers are told so, and no other check
 * begins beside it: what hangs would hang each of them.
 */
export function oneAtATime(work: () => Promise<void>, maxMs = MAX_CHECK_MS): Readiness {
  let last: { outcome: Promise<void>; late: Promise<void>; endedAt: number } | undefined
  return async () => {
    if (!last || monotonicTime.now() - last.endedAt > REUSE_MS) {
      const outcome = work()
      const begun = { outcome, late: lateAfter(maxMs), endedAt: Number.POSITIVE_INFINITY }
      const ended = () => {
        begun.endedAt = monotonicTime.now()
      }
      outcome.then(ended, ended)
      last = begun
    }
    await Promise.race([last.outcome, last.late])
  }
}

async function lateAfter(ms: number): Promise<void> {
  await systemClock.at(systemClock.now() + ms)
  throw new Error(
    `a check of the database, the shared state and the disk has not ended within ${ms / 1_000} s`,
  )
}

async function check(parts: ReadinessParts): Promise<void> {
  const { config, store, credentials, cluster, lease, folder } = parts
  await credentials.refresh()
  // On PostgreSQL, the renewal of the node's claim is a write.
  if (lease) await lease.renew()
  else await store.write((tx) => putSetting(tx, 'readiness', 'checked'))
  await cluster.count('readiness', Number.MAX_SAFE_INTEGER, 1)
  const { media } = config
  const mediaFolder = media === undefined || BUCKET.test(media) ? undefined : media
  for (const one of [folder, mediaFolder]) if (one !== undefined) await checkFreeSpace(one)
  const outstanding = await parts.indexes.outstanding()
  if (outstanding.length > 0)
    throw new NotReady(reasonOf(outstanding), { waiting: outstanding.map(waitingOf) })
}

const reasonOf = (outstanding: readonly Outstanding[]) =>
  outstanding
    .map(({ consumer, events, isBuilding }) =>
      isBuilding
        ? `the ${consumer} is being built`
        : `the ${consumer} has not handled ${events} events from before the start`,
    )
    .join('; ')

const waitingOf = ({ consumer, events, isBuilding, builtShare }: Outstanding) => ({
  consumer,
  events,
  building: isBuilding,
  ...(builtShare !== undefined && { built_share: builtShare }),
})
