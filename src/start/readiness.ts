import type { Cluster } from '../cluster/cluster.ts'
import { rejectsSignedForSeconds } from '../cluster/cluster.ts'
import type { TimeSource } from '../common/clock.ts'
import type { Config } from '../config/config.ts'
import { BUCKET } from '../config/readers.ts'
import type { Credentials } from '../identity/credentials.ts'
import { checkFreeSpace } from '../storage/free-space.ts'
import { putSetting } from '../storage/settings.ts'
import type { Store } from '../storage/store.ts'
import type { NodeLease } from './node-lease.ts'

/** The result of a check is reused for this long. */
const REUSE_MS = 1_000

export interface ReadinessParts {
  config: Config
  clock: TimeSource
  store: Store
  credentials: Credentials
  cluster: Cluster
  lease: NodeLease | undefined
  /** The data folder, if there is one. */
  folder: string | undefined
}

/**
 * Resolves when requests can be answered, including writes, to sentences about what does not work nevertheless. Rejects
 * with the problem.
 */
export type Readiness = () => Promise<string[]>

/**
 * Checks everything that a request may need: the database, including a write, the shared state, and free space on the
 * disk.
 */
export function createReadiness(parts: ReadinessParts): Readiness {
  let last: { at: number; outcome: Promise<void> } | undefined
  return async () => {
    const now = performance.now()
    if (!last || now - last.at > REUSE_MS) last = { at: now, outcome: check(parts) }
    await last.outcome
    return warningsOf(parts)
  }
}

function warningsOf({ cluster, clock }: ReadinessParts): string[] {
  const seconds = rejectsSignedForSeconds(cluster, clock.now())
  // Requests with a bearer token still work, and no other node would do better, so the node is ready.
  return seconds === 0
    ? []
    : [`Signed requests (OAuth 1.0a) are rejected for ${seconds} s more, because the clock was set back.`]
}

async function check({ config, store, credentials, cluster, lease, folder }: ReadinessParts): Promise<void> {
  await credentials.refresh()
  // On PostgreSQL, the renewal of the node's claim is a write.
  if (lease) await lease.renew()
  else await store.write((tx) => putSetting(tx, 'readiness', 'checked'))
  await cluster.count('readiness', Number.MAX_SAFE_INTEGER, 1)
  const { media } = config
  const mediaFolder = media === undefined || BUCKET.test(media) ? undefined : media
  for (const one of [folder, mediaFolder]) if (one !== undefined) await checkFreeSpace(one)
}
