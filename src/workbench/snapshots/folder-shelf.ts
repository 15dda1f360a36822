import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs'
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MemoryCluster } from '../../platform/cluster/memory.ts'
import { adoptJournal } from '../../platform/cluster/nonce-journal.ts'
import type { CopiedWindow } from '../../platform/cluster/windows.ts'
import { systemClock } from '../../platform/common/clock.ts'
import { flushFolder, makeFolder } from '../../platform/common/make-folder.ts'
import { systemRandom } from '../../platform/common/random.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import { CopyFailed, type Copying, copyFiles } from '../../platform/storage/copy-files.ts'
import { isDiskFull } from '../../platform/storage/free-space.ts'
import { writeSettings } from '../../platform/storage/sqlite-copy.ts'
import { whenFree } from '../../platform/storage/sqlite-errors.ts'
import { checkStore, readLimits } from './checked-files.ts'
import type { CopiedData } from './copied.ts'
import { SnapshotError } from './error.ts'
import type { LiveData, Restoration, Shelf } from './live-data.ts'
import { type Manifest, readManifest, settingsOf } from './manifest.ts'
import {
  commitTo,
  DATABASES,
  FILE_MODE,
  FOLDER_MODE,
  formerOf,
  LIMITS_FILE,
  MANIFEST_FILE,
  MEDIA,
  NONCES,
  placesIn,
  putBackData,
  replaceData,
  SEARCH_FILE,
  SNAPSHOTS,
  STORE_FILE,
} from './replaced-files.ts'

/** Space that stays free on the disk. */
const SPARE_BYTES = 32 * 1024 * 1024
/** How long commands that have the database open are waited for. */
const LOCK_MS = 10_000

/** Snapshots in folders below the data folder. Files are copied by reference where possible. */
export class FolderShelf implements Shelf {
  readonly #folder: string
  readonly #root: string

  constructor(folder: string) {
    this.#folder = folder
    this.#root = join(folder, SNAPSHOTS)
  }

  async list(): Promise<Manifest[]> {
    const names = await readdir(this.#root).catch(() => [])
    const all = await Promise.all(
      names.filter((name) => !name.startsWith('.')).map((name) => this.find(name)),
    )
    return all.filter((one) => one !== undefined)
  }

  async find(name: string): Promise<Manifest | undefined> {
    const text = await readFile(join(this.#root, name, MANIFEST_FILE), 'utf8').catch(() => undefined)
    const manifest = text === undefined ? undefined : readManifest(text)
    // The folder decides, also if someone has renamed it.
    return manifest && { ...manifest, name }
  }

  async save(manifest: Manifest, live: LiveData, copied: () => void): Promise<Manifest> {
    const target = await this.workFolder()
    try {
      await this.#assertSpace(await bytesOf(DATABASES.map((name) => join(this.#folder, name))))
      const flushed = await this.#copy(live, target)
      const windows = live.cluster instanceof MemoryCluster ? live.cluster.copyWindows() : []
      copied()
      await flushed
      await writeFile(join(target, LIMITS_FILE), JSON.stringify(windows), { mode: FILE_MODE, flush: true })
      return await this.#keep(manifest, target)
    } catch (error) {
      throw this.#explained(error)
    } finally {
      await rm(target, { recursive: true, force: true })
    }
  }

  /** Resolves when everything is copied, to a promise that it is on the disk. */
  async #copy(live: LiveData, target: string): Promise<Promise<void>> {
    const file = (name: string) => join(this.#folder, name)
    // A seed is so small that a process of its own would take longer, and nothing else is open.
    const isSeed = live.searchIndex === undefined
    if (isSeed) await live.store.copyInto?.(join(target, STORE_FILE))
    let copying: Copying | undefined
    const begin = () =>
      (copying ??= copyFiles({
        databases: isSeed ? [] : DATABASES.map(file),
        lockedByCaller: [file(STORE_FILE)],
        folders: [file(NONCES)],
        linked: [file(MEDIA)],
        target,
      }))
    await live.store.write(() => begin().copied)
    return begin().flushed
  }

  async prepare(manifest: Manifest, keyCheck: string): Promise<Restoration> {
    const folder = this.#folder
    const snapshot = join(this.#root, manifest.name)
    const { root, staged } = placesIn(folder)
    let lock: DatabaseSync | undefined
    const discard = async () => {
      lock?.close()
      lock = undefined
      await rm(root, { recursive: true, force: true })
    }
    try {
      await rm(root, { recursive: true, force: true })
      makeFolder(staged, FOLDER_MODE)
      await this.#assertSpace(await bytesOf(DATABASES.map((name) => join(snapshot, name))))
      await copyAll(snapshot, staged, { changing: DATABASES, skipped: [MANIFEST_FILE, LIMITS_FILE] })
      checkUsable(join(staged, STORE_FILE), keyCheck)
      adoptJournal(join(staged, NONCES))
    } catch (error) {
      await discard()
      throw this.#explained(error)
    }
    return {
      async replace(): Promise<CopiedData> {
        lock = await lockStore(join(folder, STORE_FILE))
        const db = new DatabaseSync(join(staged, STORE_FILE))
        try {
          writeSettings(db, settingsOf(manifest, systemClock.now()))
        } finally {
          db.close()
        }
        commitTo(folder)
        replaceData(folder)
        return { windows: await windowsIn(snapshot) }
      },
      async undo() {
        putBackData(folder)
        await discard()
        return undefined
      },
      async finish() {
        invalidate(join(placesIn(folder).former, STORE_FILE))
        await rm(placesIn(folder).ready, { force: true })
        flushFolder(root)
        await discard()
      },
      cancel: discard,
    }
  }

  async remove(name: string): Promise<void> {
    const gone = join(this.#root, `.removing-${systemRandom.bytes(8).toString('hex')}`)
    await rename(join(this.#root, name), gone)
    await rm(gone, { recursive: true, force: true })
  }

  async hasSearchIndex(name: string): Promise<boolean> {
    return existsSync(join(this.#root, name, SEARCH_FILE))
  }

  async writeFiles({ name }: Manifest, folder: string): Promise<void> {
    // Nothing writes to these files, so other names do, and a deletion does not disturb an export.
    await copyAll(join(this.#root, name), folder, { changing: [], skipped: [MANIFEST_FILE, SEARCH_FILE] })
  }

  async adopt(manifest: Manifest, folder: string): Promise<Manifest> {
    try {
      await flushAll(folder)
      return await this.#keep(manifest, folder)
    } catch (error) {
      throw this.#explained(error)
    }
  }

  async workFolder(): Promise<string> {
    makeFolder(this.#root, FOLDER_MODE)
    const folder = join(this.#root, `.work-${systemRandom.bytes(8).toString('hex')}`)
    await mkdir(folder, { mode: FOLDER_MODE })
    return folder
  }

  /** Gives complete files the name of the snapshot. */
  async #keep(manifest: Manifest, files: string): Promise<Manifest> {
    const kept = { ...manifest, bytes: await treeBytes(files) }
    const text = JSON.stringify(kept)
    await writeFile(join(files, MANIFEST_FILE), text, { mode: FILE_MODE, flush: true })
    flushFolder(files)
    const [path, former] = [join(this.#root, manifest.name), formerOf(this.#root, manifest.name)]
    await rm(former, { recursive: true, force: true })
    if (existsSync(path)) await rename(path, former)
    await rename(files, path)
    flushFolder(this.#root)
    await rm(former, { recursive: true, force: true })
    return kept
  }

  async roomBytes(): Promise<number> {
    return (await this.#free()) - SPARE_BYTES
  }

  async #free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }

  async #assertSpace(bytes: number): Promise<void> {
    const free = await this.#free()
    if (free >= bytes + SPARE_BYTES) return
    throw new SnapshotError(
      'conflict',
      `The snapshot needs ${megabytes(bytes + SPARE_BYTES)} MB, and ${megabytes(free)} MB are free in ${this.#root}. Delete snapshots, or make space.`,
    )
  }

  #explained(error: unknown): unknown {
    const isFull = error instanceof CopyFailed ? error.isDiskFull : isDiskFull(error)
    if (!isFull) return error
    return new SnapshotError(
      'conflict',
      `No space is left in ${this.#root}. Delete snapshots, or make space.`,
      error,
    )
  }
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

function checkUsable(file: string, keyCheck: string): void {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    checkStore(db, keyCheck)
  } finally {
    db.close()
  }
}

/** The windows of a snapshot. They do not stop a restoration that they are missing for. */
async function windowsIn(snapshot: string): Promise<readonly CopiedWindow[]> {
  return readLimits(await readFile(join(snapshot, LIMITS_FILE), 'utf8').catch(() => '[]')) ?? []
}

/**
 * Waits until no other process has the database open, and keeps others out. The log is moved into
 * the database, so that the end of this connection removes no file.
 */
async function lockStore(file: string): Promise<DatabaseSync> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    await whenFree(
      () => lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE'),
      LOCK_MS,
    )
    return lock
  } catch (error) {
    lock.close()
    throw new SnapshotError(
      'conflict',
      `Another process uses ${file}, such as a command that takes long. Wait until it has ended.`,
      error,
    )
  }
}

/**
 * Makes a former database unusable for a process that has opened it under its name and waits: it
 * would take the log of the new one for its own.
 */
function invalidate(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    writeSync(descriptor, Buffer.alloc(100), 0, 100, 0)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Copies the files of a snapshot to a folder: those named, by reference where the file system can
 * do it; files that never change, as other names of the same files.
 */
async function copyAll(
  from: string,
  to: string,
  { changing, skipped }: { changing: readonly string[]; skipped: readonly string[] },
): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (skipped.includes(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target, { mode: FOLDER_MODE })
      await copyAll(source, target, {
        changing: entry.name === NONCES ? await readdir(source) : [],
        skipped: [],
      })
    } else if (changing.includes(entry.name)) await cloneFile(source, target)
    else await linkOrClone(source, target)
  }
  flushFolder(to)
}

async function linkOrClone(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    // The file system has no hard links, or no more for this file.
    await cloneFile(from, to)
  }
}

async function cloneFile(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  await flushFile(to)
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function flushAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await flushAll(path)
    else await flushFile(path)
  }
  flushFolder(folder)
}

async function treeBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? await treeBytes(path) : (await stat(path)).size
  }
  return bytes
}

async function bytesOf(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files)
    for (const end of ['', '-wal'])
      try {
        bytes += (await stat(file + end)).size
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error
      }
  return bytes
}
