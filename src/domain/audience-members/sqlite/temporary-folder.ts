import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const PREFIX = 'plaza-audiences-'
const LOCK_FILE = 'lock.db'
const SQLITE_BUSY = 5

/** A folder of files that are not needed after the process ends. */
export interface TemporaryFolder {
  path: string
  /** Releases the lock: other processes may then remove the folder. */
  unlock(): void
  remove(): void
}

/** Creates a folder in the system's temporary folder, and locks it while the process runs. */
export function makeTemporaryFolder(place = tmpdir()): TemporaryFolder {
  for (;;) {
    const path = mkdtempSync(join(place, PREFIX))
    const lock = lockOf(path)
    // Another process that is starting may have removed it before it was locked.
    if (!lock || !existsSync(join(path, LOCK_FILE))) continue
    const unlock = () => {
      if (lock.isOpen) lock.close()
    }
    return {
      path,
      unlock,
      remove() {
        unlock()
        rmSync(path, { recursive: true, force: true })
      },
    }
  }
}

/** Removes the folders of processes that were killed. Failures are ignored. */
export function removeAbandoned(place = tmpdir()): void {
  for (const path of foldersIn(place)) {
    try {
      if (!existsSync(join(path, LOCK_FILE)) || !isOwn(path)) continue
      removeUnlocked(path)
    } catch {
      // It does no harm.
    }
  }
}

function removeUnlocked(path: string): void {
  const lock = lockOf(path)
  if (!lock) return
  try {
    rmSync(path, { recursive: true, force: true })
  } finally {
    lock.close()
  }
}

function foldersIn(place: string): string[] {
  try {
    const entries = readdirSync(place, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX))
      .map(({ name }) => join(place, name))
  } catch {
    return []
  }
}

const isOwn = (path: string) => process.getuid === undefined || statSync(path).uid === process.getuid()

/**
 * A lock of the operating system on a file, which ends with the process. Undefined if another
 * process has it.
 */
function lockOf(path: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(join(path, LOCK_FILE))
  try {
    // The journal is in memory, so that there is only the empty file.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}
