import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { errorCode } from './atomic-file.ts'

const OWNER_ONLY = 0o600
const OF_OTHERS = 0o077

/**
 * Creates a database file that only its owner can read and write, because SQLite would create it
 * readable by everyone. SQLite gives its journal files the same permissions. Removes the
 * permissions of others from existing files, without opening them: closing one would release the
 * locks that this process has on it.
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
    // The file does not exist, or belongs to another user, who decides about its permissions.
  }
}
