import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What to copy from the files of a running store. */
export interface CopyOrder {
  /** Of SQLite; those that exist. They are copied as they are at one moment. */
  readonly databases: readonly string[]
  /** Databases to which the caller lets no one write meanwhile. */
  readonly lockedByCaller: readonly string[]
  /** Folders without folders in them. */
  readonly folders: readonly string[]
  /** Folders of folders of files that never change: the copies are other names of these files. */
  readonly linked: readonly string[]
  /** The folder of the copies, which exists. */
  readonly target: string
}

/** Two moments: everything was copied, and the copies are on the disk. */
export interface Copying {
  readonly copied: Promise<void>
  readonly flushed: Promise<void>
}

/** Copies files in a process of its own. @throws CopyFailed */
export function copyFiles(order: CopyOrder): Copying {
  const [copied, flushed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const program = fileURLToPath(new URL('./copy-process.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors = (errors + text).slice(-4_096)
  })
  createInterface(child.stdout).on('line', (line) => (line === 'copied' ? copied : flushed).resolve())
  const fail = (error: Error) => {
    copied.reject(error)
    flushed.reject(error)
  }
  child.on('error', fail)
  child.on('close', (code) => {
    if (code !== 0) fail(new CopyFailed(errors))
  })
  // Whoever waits for the first moment may never come to the second.
  flushed.promise.catch(() => undefined)
  return { copied: copied.promise, flushed: flushed.promise }
}

/** The files could not be copied. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed'
  /** Whether there was no space on the disk. */
  readonly isDiskFull: boolean

  constructor(output: string) {
    super(/^\w*Error: .*/m.exec(output)?.[0] ?? output)
    this.isDiskFull = /ENOSPC|EDQUOT|database or disk is full/.test(output)
  }
}
