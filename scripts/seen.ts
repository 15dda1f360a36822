import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Which tests got a reply from which endpoints: gathered by a run of all tests, kept in a file beside them.

const root = fileURLToPath(new URL('..', import.meta.url))
/** Goes with `npm ci`, so that what is there belongs to what is installed. */
export const SEEN_FOLDER = join(root, 'node_modules/.cache/plaza-seen')
/** There once every test has run and passed: on each kind of storage, and in a browser. */
export const SEEN_COMPLETE = join(SEEN_FOLDER, 'complete')
export const SEEN_FILE = 'test/seen.json'

/** Ids of endpoints, and the test files that got a reply from each. */
export type Seen = Readonly<Record<string, readonly string[]>>

/** What the last run of all tests saw; undefined when it was none of all, or one of them failed. */
export function seenNow(): Seen | undefined {
  if (!existsSync(SEEN_COMPLETE)) return undefined
  const seen = new Map<string, Set<string>>()
  for (const name of globSync('*.json', { cwd: SEEN_FOLDER })) {
    const { file, endpoints } = JSON.parse(readFileSync(join(SEEN_FOLDER, name), 'utf8')) as {
      file: string
      endpoints: string[]
    }
    // Those are derived from the declarations: they use every endpoint.
    if (file.startsWith('test/conformance/')) continue
    for (const id of endpoints) seen.set(id, (seen.get(id) ?? new Set()).add(file))
  }
  return Object.fromEntries([...seen].sort().map(([id, files]) => [id, [...files].sort()]))
}

/** What was written before stays as long as all of it is true, and no endpoint is without a test there. */
export function stillSeen(committed: Seen, now: Seen): boolean {
  const isTrue = Object.entries(committed).every(([id, files]) =>
    files.every((file) => now[id]?.includes(file)),
  )
  return isTrue && Object.keys(now).every((id) => id in committed)
}

export const committedSeen = (): Seen =>
  existsSync(join(root, SEEN_FILE)) ? JSON.parse(readFileSync(join(root, SEEN_FILE), 'utf8')) : {}

export const seenText = (seen: Seen) => `${JSON.stringify(seen, null, 2)}\n`
