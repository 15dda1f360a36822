// What the bundle in `dist/` was made of. Only a clone has sources to compare.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

/** The file in `dist/` that holds the stamp of what the newest build was made of. */
export const STAMP = 'stamp'
/** Besides the sources: the program that builds, and what npm has installed. */
const OTHERS = [
  'package.json',
  'scripts/bundle.mjs',
  'scripts/console-client.mjs',
  'node_modules/.package-lock.json',
]

const BUILT = /\.(tsx?|css|sql|tsv)$/
const TESTS = /\.(test|fixture|corpus)\.ts$/

/** The files below a folder, as paths from it, in a fixed order. */
export function filesBelow(path) {
  const folder = resolve(path)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}${sep}${entry.name}`.slice(folder.length + 1))
    .sort()
}

/**
 * Two lines that differ when a source was edited, added or removed, or when something else was
 * installed: the first is made of times of change, which are read at once, the second of contents.
 */
export const stampOf = (root) => `${ofTimes(root)}\n${ofContents(root)}`

function ofTimes(root) {
  return hashOf(root, (path) => {
    const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {}
    return `${mtimeMs}\0${size}`
  })
}

const ofContents = (root) =>
  hashOf(root, (path) =>
    existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : '',
  )

function hashOf(root, describe) {
  const sources = filesBelow(join(root, 'src')).filter((file) => BUILT.test(file) && !TESTS.test(file))
  const hash = createHash('sha256')
  const folder = resolve(root) + sep
  for (const file of [...OTHERS, ...sources.map((file) => `src${sep}${file}`)])
    hash.update(`${file}\0${describe(folder + file)}\n`)
  return hash.digest('hex')
}

/** Whether the bundle of a clone is made of its sources as they are now. */
export function isCurrent(root) {
  try {
    const [times, contents] = readFileSync(join(root, 'dist', STAMP), 'utf8').split('\n')
    return times === ofTimes(root) || contents === ofContents(root)
  } catch {
    return false
  }
}
