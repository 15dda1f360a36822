import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '../common/clock.ts'
import { MAX_NODE, timeOrderedIds } from '../common/ids.ts'
import { systemRandom } from '../common/random.ts'
import type { Config } from '../config/config.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { openFolder } from '../storage/folder.ts'
import { masterKey } from '../storage/master-key.ts'
import type { StoreLocation } from '../storage/open.ts'
import { openStore } from '../storage/open.ts'
import type { Sealer } from '../storage/seal.ts'
import { createSealer } from '../storage/seal.ts'
import { checkMasterKey } from '../storage/settings.ts'
import type { Store } from '../storage/store.ts'

/** Pages of indexes that grow everywhere at once. */
const CACHE_KILOBYTES = 65_536

/** The store of a Plaza, opened beside the server that may be using it. */
export interface Installation {
  readonly store: Store
  readonly sealer: Sealer
  /** What making identities needs. */
  readonly parts: IdentityParts
}

/**
 * Opens the store of an installation for the time of `work`. The folder's lock is the server's and is left alone:
 * both databases take several processes. Nothing is made that is not there yet. `alone`: work that writes so much that a
 * server on the embedded database would wait for it locks the folder, and has more memory for the database.
 * @throws FolderInUse
 */
export async function withInstallation<T>(
  config: Config,
  work: (installation: Installation) => Promise<T>,
  { alone = false } = {},
): Promise<T> {
  const sealer = sealerOf(config)
  const location = locationOf(config)
  const folder = alone && location.kind === 'file' ? openFolder(config.data) : undefined
  const options = {
    clock: systemClock,
    onError: () => undefined,
    ...(alone && { cacheKilobytes: CACHE_KILOBYTES }),
  }
  const store = await openStore(location, options).catch((error) => {
    folder?.close()
    throw error
  })
  try {
    await checkMasterKey(store, sealer.derive('master key check').toString('base64url'))
    // The last node number, so that ids made here do not meet those of a server that runs at the same time.
    const ids = timeOrderedIds(systemClock, MAX_NODE)
    return await work({ store, sealer, parts: { clock: systemClock, ids, random: systemRandom, sealer } })
  } finally {
    await store.close()
    folder?.close()
  }
}

/** Whether there is a store that `withInstallation` could open. */
export function hasInstallation(config: Config): boolean {
  return config.databaseUrl !== undefined || existsSync(join(config.data, 'plaza.db'))
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
  `There is no Plaza in ${resolve(config.data)} yet. Start one with "plaza start", or set its folder with --data.`
