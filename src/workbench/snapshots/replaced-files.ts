import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolder, makeFolder } from '../../platform/common/make-folder.ts'
import { systemRandom } from '../../platform/common/random.ts'
import { errorCode, writeAtomically } from '../../platform/storage/atomic-file.ts'

/** The folder of snapshots in a data folder. A name that begins with a dot is not a snapshot. */
export const SNAPSHOTS = 'snapshots'
const RESTORING = '.restoring'
/** A snapshot while another one takes its name. */
const FORMER = '.former-'
/** Folders that interrupted work leaves behind. */
const UNFINISHED = /^\.(work|removing|restoring)\b/
/** Written once everything is prepared: from then on, an interrupted restoration is completed. */
const READY = 'ready'
export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

export const MANIFEST_FILE = 'manifest.json'
/** The windows of rate limits. */
export const LIMITS_FILE = 'limits.json'
export const STORE_FILE = 'plaza.db'
export const SEARCH_FILE = 'search.db'
export const LOG_FILE = 'membership-log.db'
export const MEMBERS_FILE = 'membership.db'
export const DATABASES = [STORE_FILE, SEARCH_FILE, LOG_FILE, MEMBERS_FILE]
export const NONCES = 'nonces'
export const MEDIA = 'media'
/** What a snapshot replaces in a data folder. */
const ITEMS = [...DATABASES, NONCES, MEDIA]
/** What SQLite adds to the name of a database. */
const ENDS = ['-wal', '-shm', '-journal']

/** The databases of all snapshots in a data folder, that of the seed included. */
export function storesOfSnapshots(folder: string): string[] {
  const snapshots = join(folder, SNAPSHOTS)
  if (!existsSync(snapshots)) return []
  return readdirSync(snapshots)
    .map((name) => join(snapshots, name, STORE_FILE))
    .filter((path) => existsSync(path))
}

/** Where a snapshot is while another one takes its name. */
export const formerOf = (snapshots: string, name: string): string => join(snapshots, FORMER + name)

/** Where a restoration in a data folder works. */
export const placesIn = (folder: string) => {
  const root = join(folder, SNAPSHOTS, RESTORING)
  return { root, staged: join(root, 'data'), former: join(root, 'former'), ready: join(root, READY) }
}

/** Makes sure that what is staged is put in place, even if the process ends. */
export function commitTo(folder: string): void {
  const { staged, former, ready, root } = placesIn(folder)
  makeFolder(former, FOLDER_MODE)
  flushFolder(staged)
  flushFolder(root)
  const items = ITEMS.filter((item) => existsSync(join(staged, item)))
  writeAtomically(ready, JSON.stringify(items), {
    mode: FILE_MODE,
    keepExisting: false,
    random: systemRandom,
  })
}

/** Replaces the data by what is staged. Goes on where an earlier attempt was interrupted. */
export function replaceData(folder: string): void {
  const { staged, former, ready } = placesIn(folder)
  const items = JSON.parse(readFileSync(ready, 'utf8')) as string[]
  for (const item of ITEMS) {
    const [next, current, old] = [staged, folder, former].map((place) => join(place, item)) as [
      string,
      string,
      string,
    ]
    if (existsSync(next)) {
      for (const end of ENDS) moveIfExists(current + end, old + end)
      keepFormer(current, old)
      renameSync(next, current)
    } else if (!items.includes(item)) for (const end of ['', ...ENDS]) moveIfExists(current + end, old + end)
  }
  flushFolder(folder)
}

/** Undoes `replaceData`. */
export function putBackData(folder: string): void {
  const { staged, former, ready } = placesIn(folder)
  if (!existsSync(ready)) return
  const items = JSON.parse(readFileSync(ready, 'utf8')) as string[]
  for (const item of ITEMS) {
    const [current, old] = [join(folder, item), join(former, item)]
    const isReplaced = items.includes(item) && !existsSync(join(staged, item))
    if (!isReplaced && !existsSync(old)) continue
    for (const end of ['', ...ENDS]) {
      rmSync(current + end, { recursive: true, force: true })
      moveIfExists(old + end, current + end)
    }
  }
  flushFolder(folder)
  rmSync(ready)
}

/**
 * Completes a restoration that was interrupted when it could not be undone any more, and removes
 * what other interrupted work left behind. The folder is locked, and nothing in it is open.
 */
export function completeRestoration(folder: string): void {
  const { root, ready } = placesIn(folder)
  if (existsSync(ready)) {
    replaceData(folder)
    rmSync(ready)
    flushFolder(root)
  }
  const snapshots = join(folder, SNAPSHOTS)
  if (!existsSync(snapshots)) return
  for (const name of readdirSync(snapshots)) {
    const path = join(snapshots, name)
    const replaced = name.startsWith(FORMER) ? join(snapshots, name.slice(FORMER.length)) : undefined
    if (replaced !== undefined && !existsSync(replaced)) renameSync(path, replaced)
    else if (replaced !== undefined || UNFINISHED.test(name)) rmSync(path, { recursive: true, force: true })
  }
}

/** Whether a process was interrupted while it replaced the data of a folder. */
export const isRestorationInterrupted = (folder: string): boolean => existsSync(placesIn(folder).ready)

/** A file keeps its name until the new one has it; a folder cannot. */
function keepFormer(current: string, old: string): void {
  try {
    linkSync(current, old)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') moveIfExists(current, old)
  }
}

function moveIfExists(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}
