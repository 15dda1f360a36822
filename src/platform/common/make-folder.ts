import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents, so that they survive a power failure. With `recursive`,
 * Node's `mkdirSync` never returns if the file system reports that an existing parent does not
 * exist, as `/proc` does.
 *
 * @throws The error of the file system, with its `code`.
 */
export function makeFolder(path: string, mode?: number): void {
  const folder = resolve(path)
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return
    const parent = dirname(folder)
    if (code !== 'ENOENT' || isFolder(parent)) throw error
    makeFolder(parent, mode)
    makeFolder(folder, mode)
    return
  }
  flushParent(folder)
}

function flushParent(folder: string): void {
  try {
    flushFolder(dirname(folder))
  } catch (error) {
    // A folder that may be written to but not read cannot be flushed.
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Makes the names in a folder durable. */
export function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
