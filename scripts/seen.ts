import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Which journeys and clients got a reply from which endpoint. `npm run seen`: writes
 * `test/seen.json` from the last run of all tests, when all of them passed. `npm run seen --
 * --check`: fails when an endpoint got no reply in that run, or when `test/seen.json` names a file
 * that does not exist. Nothing else reads what a run recorded: generated files follow from
 * committed files only.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
/** `npm ci` removes it, so that a record belongs to what is installed. */
export const SEEN_FOLDER = join(root, 'node_modules/.cache/plaza-seen')
/** Exists when `npm test` has passed: the first part of a run of all tests. */
export const SEEN_QUICK = join(SEEN_FOLDER, 'quick')
/** Exists when a run of all tests has ended. */
export const SEEN_ENDED = join(SEEN_FOLDER, 'ended')
/** Exists when every test of that run passed and none was skipped for want of a service. */
export const SEEN_COMPLETE = join(SEEN_FOLDER, 'complete')
const SEEN_FILE = 'test/seen.json'

/** Ids of endpoints, and the test files that got a reply from each. */
export type Seen = Readonly<Record<string, readonly string[]>>

export const committedSeen = (): Seen => JSON.parse(readFileSync(join(root, SEEN_FILE), 'utf8'))

if (import.meta.main) await main()

async function main(): Promise<void> {
  const { endpoints } = await import('../src/app/endpoints.ts')
  const ids = endpoints.map(({ id }) => id)
  if (process.argv.includes('--check')) check(ids)
  else write()
}

function check(ids: readonly string[]): void {
  if (!existsSync(SEEN_ENDED)) fail(['No run of all tests is recorded: npm run test:all'])
  const committed = committedSeen()
  const unnamed = ids.filter((id) => committed[id] === undefined)
  if (unnamed.length > 0)
    console.log(`Not yet in ${SEEN_FILE} (npm run seen adds them): ${unnamed.join(', ')}`)
  fail(faults(ids, committed, recorded(), (file) => existsSync(join(root, file))))
}

/**
 * What is wrong, a line each. A file that got a reply in an earlier run and none in this one is no
 * fault.
 */
export function faults(
  ids: readonly string[],
  committed: Seen,
  now: Seen,
  exists: (file: string) => boolean,
): string[] {
  const gone = new Set(
    Object.values(committed)
      .flat()
      .filter((file) => !exists(file)),
  )
  return [
    ...ids
      .filter((id) => now[id] === undefined)
      .map((id) => `${id}: no journey and no client test got a reply from this endpoint`),
    ...[...gone].sort().map((file) => `${file}: named in ${SEEN_FILE}, does not exist (npm run seen)`),
  ]
}

function write(): void {
  if (!existsSync(SEEN_COMPLETE))
    fail(['The last run of all tests did not pass, or skipped tests for want of a service: npm run test:all'])
  const text = `${JSON.stringify(recorded(), null, 2)}\n`
  writeFileSync(join(root, SEEN_FILE), text)
  console.log(`wrote ${SEEN_FILE}; npm run generate writes the coverage page`)
}

function fail(lines: readonly string[]): void {
  if (lines.length === 0) return
  for (const line of lines) console.error(line)
  process.exit(1)
}

/** What the last run of all tests recorded. */
function recorded(): Seen {
  const seen = new Map<string, Set<string>>()
  for (const name of globSync('*.json', { cwd: SEEN_FOLDER })) {
    const { file, endpoints } = JSON.parse(readFileSync(join(SEEN_FOLDER, name), 'utf8')) as {
      file: string
      endpoints: string[]
    }
    // Conformance tests are derived from the declarations: they use every endpoint.
    if (file.startsWith('test/conformance/')) continue
    for (const id of endpoints) seen.set(id, (seen.get(id) ?? new Set()).add(file))
  }
  return Object.fromEntries([...seen].sort().map(([id, files]) => [id, [...files].sort()]))
}
