import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { errorCode } from './atomic-file.ts'

const OWNER_ONLY = 0o600
const OF_OTHERS = 0o077

/**
 * Makes a database file that only its owner can read and write, before SQLite makes it for everyone; SQLite gives its
 * journal files the same permissions. Files that are there already are closed to others. They are not opened: closing one
 * would end the locks that this process has on it.
 */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY))
  } catch (error) {
    // The database reports other errors.
    if (errorCode(error) !== 'EEXIST') return
    for (const path of [file, `${file}-wal`, `${file}-shm`]) closeToOthers(path)
  }
}

function closeToOthers(path: string): void {
  try {
    const { mode } = statSync(path)
    if (mode & OF_OTHERS) chmodSync(path, mode & 0o700)
  } catch {
    // It is not there, or another user's: then its owner decided.
  }
}
