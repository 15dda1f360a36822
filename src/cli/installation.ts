import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { systemClock } from '../common/clock.ts'
import { MAX_NODE, timeOrderedIds } from '../common/ids.ts'
import { systemRandom } from '../common/random.ts'
import { masterKey } from '../storage/master-key.ts'
import type { StoreLocation } from '../storage/open.ts'
import { openStore } from '../storage/open.ts'
import type { Sealer } from '../storage/seal.ts'
import { createSealer } from '../storage/seal.ts'
import { checkMasterKey } from '../storage/settings.ts'
import type { Store } from '../storage/store.ts'

/** The store of a Plaza, opened beside the server that may be using it. */
export interface Installation {
  readonly store: Store
  readonly sealer: Sealer
  /** What making identities needs. */
  readonly parts: IdentityParts
}

/**
 * Opens the store of an installation for the time of `work`. The folder's lock is the server's and is left alone:
 * both databases take several processes. Nothing is made that is not there yet.
 */
export async function withInstallation<T>(
  config: Config,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const sealer = sealerOf(config)
  const store = await openStore(locationOf(config), { clock: systemClock, onError: () => undefined })
  try {
    await checkMasterKey(store, sealer.derive('master key check').toString('base64url'))
    // The last node number, so that ids made here do not meet those of a server that runs at the same time.
    const ids = timeOrderedIds(systemClock, MAX_NODE)
    return await work({ store, sealer, parts: { clock: systemClock, ids, random: systemRandom, sealer } })
  } finally {
    await store.close()
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
      `There is no master key in ${path}: pass the one of the server with --master-key, or its folder with --data.`,
    )
  const { key } = masterKey({
    random: systemRandom,
    folder: { path, file: (name) => join(path, name), close: () => undefined },
    ...(config.masterKey !== undefined && { given: config.masterKey }),
  })
  return createSealer(key, systemRandom)
}

export const noInstallation = (config: Config) =>
  `There is no Plaza in ${resolve(config.data)} yet: start one with "plaza start", or name its folder with --data.`
