import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const PREFIX = 'plaza-audiences-'
const LOCK_FILE = 'lock.db'
const SQLITE_BUSY = 5

/** A folder of files that no one needs when the process has ended. */
export interface TemporaryFolder {
  path: string
  /** Has others take it for that of a process that has ended. */
  unlock(): void
  remove(): void
}

/** Makes a folder where the system keeps temporary ones, and locks it as long as the process runs. */
export function makeTemporaryFolder(place = tmpdir()): TemporaryFolder {
  for (;;) {
    const path = mkdtempSync(join(place, PREFIX))
    const lock = lockOf(path)
    // Someone who starts may have found it before it was locked, and removed it.
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

/** Removes the folders of processes that were killed. What cannot be removed stays. */
export function removeAbandoned(place = tmpdir()): void {
  for (const path of foldersIn(place)) {
    try {
      if (!existsSync(join(path, LOCK_FILE)) || !isOwn(path)) continue
      removeUnlocked(path)
    } catch {
      // It is in no one's way.
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

/** The operating system's lock on a file, which ends with the process however that ends. Undefined when it is taken. */
function lockOf(path: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(join(path, LOCK_FILE))
  try {
    // The journal stays in memory so that there is nothing but the empty file.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}
