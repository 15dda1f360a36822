import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { IdentityDependencies } from '../../identity/apps/parts.ts'
import { MAX_NODE } from '../../platform/common/ids.ts'
import { systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { openFolder } from '../../platform/storage/folder.ts'
import { masterKey } from '../../platform/storage/master-key.ts'
import { openStore, type StoreLocation } from '../../platform/storage/open.ts'
import { asOutsider } from '../../platform/storage/outside-commits.ts'
import { createSealer, type Sealer } from '../../platform/storage/seal.ts'
import { checkMasterKey } from '../../platform/storage/settings.ts'
import type { Store } from '../../platform/storage/store.ts'
import { AdjustableClock } from '../../workbench/clock/adjustable-clock.ts'
import { loadClock } from '../../workbench/clock/clock-control.ts'
import { completeRestoration, isRestorationInterrupted } from '../../workbench/snapshots/replaced-files.ts'
import { StoredIds } from '../start/ids.ts'

/** Large imports write to all pages of the indexes, so these pages should stay in memory. */
const CACHE_KILOBYTES = 65_536

/** The store of a Plaza. A server may be using it at the same time. */
export interface Installation {
  readonly store: Store
  readonly sealer: Sealer
  /** What is needed to create identities. */
  readonly parts: IdentityDependencies
}

/**
 * Opens the store of an installation while `work` runs. Both databases allow several processes, so
 * this does not take the folder's lock, which belongs to the server. Creates nothing that is
 * missing. With `alone`, for work whose writes would block a server on the embedded database, it
 * locks the folder and gives the database more memory.
 * @throws FolderInUse
 */
export async function withInstallation<T>(
  config: Config,
  work: (installation: Installation) => Promise<T>,
  { alone = false } = {},
): Promise<T> {
  const sealer = sealerOf(config)
  const location = locationOf(config)
  if (location.kind === 'file') completeInterrupted(config.data)
  const folder = alone && location.kind === 'file' ? openFolder(config.data) : undefined
  const clock = new AdjustableClock()
  const options = {
    clock,
    onError: () => undefined,
    ...(alone && { cacheKilobytes: CACHE_KILOBYTES }),
  }
  const store = await openStore(location, options).catch((error) => {
    folder?.close()
    throw error
  })
  try {
    await checkMasterKey(store, sealer.derive('master key check').toString('base64url'))
    // What is created here has the time that users see.
    await loadClock(clock, store)
    // The highest node number: ids created here do not collide with those of a running server.
    const ids = await StoredIds.open({ store, clock, node: MAX_NODE })
    return await work({
      store: asOutsider(store),
      sealer,
      parts: { clock, ids, random: systemRandom, sealer },
    }).finally(() => ids.close())
  } finally {
    await store.close()
    folder?.close()
  }
}

/** Completes the restoration of a snapshot that was interrupted, as the next start would. */
function completeInterrupted(path: string): void {
  if (!isRestorationInterrupted(path)) return
  const folder = openFolder(path)
  try {
    completeRestoration(folder.path)
  } finally {
    folder.close()
  }
}

/** Whether there is a store that `withInstallation` could open. */
export function hasInstallation(config: Config): boolean {
  return (
    config.databaseUrl !== undefined ||
    existsSync(join(config.data, 'plaza.db')) ||
    isRestorationInterrupted(config.data)
  )
}

function locationOf(config: Config): StoreLocation {
  if (config.databaseUrl !== undefined)
    return { kind: 'postgres', url: config.databaseUrl, schema: config.databaseSchema }
  return { kind: 'file', path: join(realpathSync(config.data), 'plaza.db') }
}

function sealerOf(config: Config): Sealer {
  if (!hasInstallation(config)) throw new Error(noInstallation(config))
  const path = resolve(config.data)
  if (config.masterKey === undefined && !existsSync(join(path, 'master.key')))
    throw new Error(
      `There is no master key in ${path}. Pass the master key of the server with --master-key, or its folder with --data.`,
    )
  const { key } = masterKey({
    random: systemRandom,
    folder: { path, file: (name) => join(path, name), close: () => undefined },
    ...(config.masterKey !== undefined && { given: config.masterKey }),
  })
  return createSealer(key, systemRandom)
}

export const noInstallation = (config: Config) =>
  `There is no Plaza in ${resolve(config.data)} yet. Start one with "plaza start", or set its folder with --data. If it runs with --memory, its data is in its process only, so this command cannot reach it: start it with --data instead.`
