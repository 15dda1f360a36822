// What the bundle in `dist/` was made of, told by names, sizes and times of change. Only a clone has sources to compare.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

/** The file in `dist/` that holds the stamp of what the newest build was made of. */
export const STAMP = 'stamp'
/** Besides the sources: the program that builds, and what npm has installed. */
const OTHERS = ['package.json', 'scripts/bundle.mjs', 'node_modules/.package-lock.json']

/** The files below a folder, as paths from it, in a fixed order. */
export function filesBelow(path) {
  const folder = resolve(path)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}${sep}${entry.name}`.slice(folder.length + 1))
    .sort()
}

/** A text that differs when a source was edited, added or removed, or when something else was installed. */
export function stampOf(root) {
  const sources = filesBelow(join(root, 'src')).filter((file) => !/\.(test|fixture|corpus)\.ts$/.test(file))
  const hash = createHash('sha256')
  const folder = resolve(root) + sep
  for (const file of [...OTHERS, ...sources.map((file) => `src${sep}${file}`)]) {
    const { mtimeMs, size } = statSync(folder + file, { throwIfNoEntry: false }) ?? {}
    hash.update(`${file}\0${mtimeMs}\0${size}\n`)
  }
  return hash.digest('hex')
}

/** Whether the bundle of a clone is made of its sources as they are now. */
export function isCurrent(root) {
  try {
    return readFileSync(join(root, 'dist', STAMP), 'utf8') === stampOf(root)
  } catch {
    return false
  }
}
