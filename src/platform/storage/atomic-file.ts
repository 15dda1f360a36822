import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { flushFolder } from '../common/make-folder.ts'
import type { RandomSource } from '../common/random.ts'

/** The content, and what to do when the file already exists. */
export interface AtomicWrite {
  /** Permission bits of the file whatever the umask, e.g. `0o600`. */
  mode: number
  /** `true` keeps an existing file, `false` replaces it. */
  keepExisting: boolean
  /** Names the temporary file. */
  random: RandomSource
}

/**
 * Writes a file atomically: a reader, or the machine after a power failure, sees all of it or none
 * of it. A temporary file in the same folder is filled, flushed to the disk and then renamed.
 * Returns whether the file now has `content`: `false` only if `keepExisting` is set and the file
 * existed. Throws the error of the file system (`code` is `EACCES`, `ENOSPC`, ...), and then leaves
 * no temporary file behind.
 */
export function writeAtomically(path: string, content: string | Buffer, how: AtomicWrite): boolean {
  const folder = dirname(path)
  // The process id keeps two processes that share a seeded generator from choosing the same name.
  const suffix = `${process.pid}.${how.random.bytes(6).toString('hex')}`
  const temporary = join(folder, `.${basename(path)}.${suffix}.tmp`)
  const descriptor = openSync(temporary, 'wx', how.mode)
  try {
    try {
      fchmodSync(descriptor, how.mode)
      writeFileSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    if (how.keepExisting) {
      try {
        // Unlike a rename, a link never replaces a file: of two writers one wins and the other gets
        // an error.
        linkSync(temporary, path)
      } catch (error) {
        if (errorCode(error) === 'EEXIST') return false
        throw error
      }
    } else {
      renameSync(temporary, path)
    }
    flushFolder(folder)
    return true
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * The `code` of a system error (`ENOENT`, `EACCES`, ...), or undefined when it is something else.
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
