import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { forgetRequests, forgetSessions } from '../../api/oauth/queries.ts'
import {
  moveCredentialEpoch,
  pageOfApps,
  pageOfTokens,
  resealApp,
  resealToken,
} from '../../identity/apps/queries.ts'
import { appOf } from '../../identity/tokens/credentials.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { compact } from '../../platform/storage/compact.ts'
import type { Folder } from '../../platform/storage/folder.ts'
import { masterKey, storedKey } from '../../platform/storage/master-key.ts'
import { runningNodes } from '../../platform/storage/nodes.ts'
import { openStore, type StoreLocation } from '../../platform/storage/open.ts'
import { createSealer, type Sealer } from '../../platform/storage/seal.ts'
import { MASTER_KEY_CHECK, putSetting, settingByName } from '../../platform/storage/settings.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { resealSeeded } from '../../workbench/create/seeded.ts'
import { completeRestoration, storesOfSnapshots } from '../../workbench/snapshots/replaced-files.ts'
import { storeLocation } from './state.ts'

const PAGE = 500
const KEY_FILE = 'master.key'
const NEW_KEY_FILE = 'master.key.new'
/** Later than every time in the store. */
const FOREVER = Number.MAX_SAFE_INTEGER
/** Tables whose rows the former key encrypted or hashed. */
const TABLES = ['apps', 'access_tokens', 'request_tokens', 'browser_sessions', 'settings']

/** Why the key cannot be rotated. Nothing was changed. */
export class RotationError extends Error {
  override name = 'RotationError'
}

interface RotateOptions {
  /** The data folder, locked by the caller; absent when everything is elsewhere. */
  readonly folder: Folder | undefined
  /**
   * Where the new key is, or is written to. Without it and `newKey`, `master.key` in the data
   * folder is replaced.
   */
  readonly newKeyFile?: string | undefined
  /** The new key, which is stored by the caller. */
  readonly newKey?: Buffer | undefined
  /** Called when the store has the new key, with its sealer. Snapshots follow. */
  resealed?(sealer: Sealer): void
}

/**
 * Encrypts every stored secret with a new master key, in one transaction, and leaves nothing in the
 * database that the former key decrypts. Access tokens and consumer keys stay the same. Bearer
 * tokens, browser sessions and sign-ins in progress become invalid, because they were derived from
 * the former key.
 *
 * The new key is written to a file before the transaction begins. If a rotation is interrupted, the
 * next one completes it: it finds that file, and determines from the store whether the transaction
 * was committed.
 *
 * @returns the file that contains the current key; undefined for a key that was given
 * @throws RotationError
 */
export async function rotateKey(config: Config, options: RotateOptions): Promise<string | undefined> {
  const { folder, newKeyFile, newKey, resealed } = options
  const own = config.masterKey === undefined ? folder : undefined
  const target = newKeyFile ?? (newKey ? undefined : own?.file(NEW_KEY_FILE))
  if (target === undefined && !newKey) throw new RotationError('A file for the new key is required.')
  const former = masterKey({
    random: systemRandom,
    ...(own && { folder: own }),
    ...(config.masterKey !== undefined && { given: config.masterKey }),
  })
  const next = newKey ?? storedKey(target as string, systemRandom).key
  const [from, to] = [createSealer(former.key, systemRandom), createSealer(next, systemRandom)]
  if (former.key.equals(next))
    throw new RotationError(`${target ?? 'The new key'} already holds the current key.`)

  if (folder) completeRestoration(folder.path)
  await resealIn(storeLocation(config, folder), from, to)
  resealed?.(to)
  for (const path of folder ? storesOfSnapshots(folder.path) : []) await resealSnapshot(path, from, to)
  if (!own || target === undefined || newKeyFile !== undefined) return target
  renameSync(target, own.file(KEY_FILE))
  syncFolder(dirname(target))
  return own.file(KEY_FILE)
}

/**
 * Completes a rotation that was interrupted after its transaction: the store has the new key, and
 * `master.key` does not hold it yet. Resolves to the sealer of the new key, or undefined when there
 * was nothing to complete.
 */
export async function completeRotation(config: Config, folder: Folder): Promise<Sealer | undefined> {
  if (config.masterKey !== undefined || !existsSync(folder.file(NEW_KEY_FILE))) return undefined
  const sealer = createSealer(storedKey(folder.file(NEW_KEY_FILE), systemRandom).key, systemRandom)
  const store = await openStore(storeLocation(config, folder), {
    clock: systemClock,
    onError: () => undefined,
  })
  const known = await store.first(settingByName, { name: MASTER_KEY_CHECK }).finally(() => store.close())
  if (known?.value !== checkOf(sealer)) return undefined
  await rotateKey(config, { folder })
  return sealer
}

async function resealIn(location: StoreLocation, from: Sealer, to: Sealer): Promise<void> {
  const store = await openStore(location, { clock: systemClock, onError: () => undefined })
  try {
    await reseal(store, from, to)
  } finally {
    await store.close()
  }
  await compact(location, TABLES)
}

/** Snapshots can be restored with the new key, and hold nothing of the former one. */
async function resealSnapshot(path: string, from: Sealer, to: Sealer): Promise<void> {
  try {
    await resealIn({ kind: 'file', path }, from, to)
    const db = new DatabaseSync(path)
    // Its log would not be part of the snapshot.
    db.exec('PRAGMA journal_mode = DELETE')
    db.close()
  } catch (error) {
    const why = (error as Error).message
    throw new RotationError(
      `The snapshot in ${dirname(path)} cannot be encrypted with the new key: ${why} Delete that folder, and run the command again to complete the rotation.`,
    )
  }
}

const checkOf = (sealer: Sealer) => sealer.derive('master key check').toString('base64url')

/** Atomic. Does nothing when an earlier attempt was committed. */
const reseal = (store: Store, from: Sealer, to: Sealer): Promise<void> =>
  store.write(async (tx) => {
    // Also keeps nodes from starting until the transaction ends.
    const [running] = await runningNodes(tx)
    const known = (await tx.first(settingByName, { name: MASTER_KEY_CHECK }))?.value
    if (known === checkOf(to)) return
    if (running)
      throw new RotationError(
        `Node ${running.node} is running on ${running.host} (process ${running.pid}). Stop all nodes first.`,
      )
    if (known !== checkOf(from)) throw new RotationError('The master key is not the one of this database.')
    await resealApps(tx, from, to)
    await resealTokens(tx, from, to)
    await resealSeeded(tx, from, to)
    await tx.run(forgetRequests, { now: FOREVER })
    await tx.run(forgetSessions, { now: FOREVER })
    await putSetting(tx, MASTER_KEY_CHECK, checkOf(to))
    await tx.run(moveCredentialEpoch, {})
  })

async function resealApps(tx: Transaction, from: Sealer, to: Sealer): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await tx.all(pageOfApps, { after, limit: PAGE })
    for (const row of rows) {
      const { id, consumerSecret, client } = appOf(row, from)
      const secret = client?.secret
      await tx.run(resealApp, {
        id,
        secretSealed: to.seal(consumerSecret, `consumer secret ${id}`),
        clientSecretSealed: secret === undefined ? null : to.seal(secret, `client secret ${id}`),
      })
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}

async function resealTokens(tx: Transaction, from: Sealer, to: Sealer): Promise<void> {
  for (let after = { user: '', app: '' }; ; ) {
    const rows = await tx.all(pageOfTokens, { ...after, limit: PAGE })
    for (const row of rows) {
      const token = from.unseal(row.token_sealed, `access token ${row.token_hash}`)
      const secret = from.unseal(row.secret_sealed, `access token secret ${row.token_hash}`)
      const tokenHash = to.hashToken(token)
      await tx.run(resealToken, {
        formerHash: row.token_hash,
        tokenHash,
        tokenSealed: to.seal(token, `access token ${tokenHash}`),
        secretSealed: to.seal(secret, `access token secret ${tokenHash}`),
      })
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = { user: last.user_id, app: last.app_id }
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
