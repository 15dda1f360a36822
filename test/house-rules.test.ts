import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** House rules that the linter cannot check. */
const root = fileURLToPath(new URL('..', import.meta.url))
const isTest = /\.(test|fixture|corpus)\.ts$/
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !isTest.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Code without comments, which may name what code must not use. */
const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

test('only the clock reads the time', () => {
  const readers = sources.filter((file) => /\bDate\.now\b|\bnew Date\(\)/.test(code(file)))
  assert.deepEqual(readers, ['src/common/clock.ts'])
})

/** Files that may set timers, and why: for events of the machine, whatever time users see. */
const MACHINE_TIMERS: Readonly<Record<string, string>> = {
  'audience-members/background.ts': 'share of the processor, end of the process',
  'common/thread.ts': 'end of a thread',
  cli: 'other processes',
  'cluster/redis-bus.ts': 'connections',
  'cluster/redis.ts': 'connections',
  'common/after-error.ts': 'pauses after errors',
  'common/clock.ts': 'the clock of the machine itself',
  'common/old-generation.ts': 'memory of the process',
  'common/young-generation.ts': 'memory of the process',
  'http/end-connection.ts': 'connections',
  'log-writer.ts': 'writing the log',
  'media/inspect/video.ts': 'processor time',
  'queue/worker.ts': 'end of the process',
  'start/connections.ts': 'connections',
  'start/disposer.ts': 'end of the process',
  'start/hosts.ts': 'end of the process',
  'start/listener.ts': 'connections',
  'start/node-lease.ts': 'whether processes live',
  'start/shared-places.ts': 'whether processes live',
}

test('code that waits for a time that users can see uses the clock', () => {
  const timers = /\b(setTimeout|setInterval)\b|AbortSignal\.timeout/
  const users = sources.filter((file) => timers.test(code(file))).map((file) => file.slice('src/'.length))
  const known = new Set(users.map((file) => (file.startsWith('cli/') ? 'cli' : file)))
  assert.deepEqual([...known].sort(), Object.keys(MACHINE_TIMERS).sort())
})

test('only the random source makes randomness', () => {
  const taken = /\bMath\.random\b|\b(randomBytes|randomUUID|randomInt|randomFill|getRandomValues)\b/
  assert.deepEqual(
    sources.filter((file) => taken.test(code(file))),
    ['src/common/random.ts'],
  )
})

const ID = String.raw`(?:\w+\??\.)*(?:id|\w+Id|\w+_id)\b(?![.(])`
/** Comparisons of ids as text, or as numbers, in code that is no SQL. */
const COMPARED = new RegExp(
  [
    String.raw`(?<![\w.])${ID} [<>]=? [\w(]`,
    String.raw`[\w)] [<>]=? ${ID}`,
    String.raw`BigInt\(${ID}\) [<>]`,
    String.raw`\bpadStart\(19\b`,
    String.raw`'9'\.repeat`,
  ].join('|'),
)

test('ids are compared by `compareIds`, because older ones have fewer digits', () => {
  const isSql = /queries\.ts$|^src\/storage\//
  const wrong = sources.filter((file) => !isSql.test(file) && COMPARED.test(code(file)))
  assert.deepEqual(wrong, ['src/common/ids.ts'])
  for (const text of ['a.id < b.id', 'if (row.post_id >= last)', 'from > lastId', 'BigInt(one.id) > x'])
    assert.match(text, COMPARED)
})

test('only the configuration reads the environment', () => {
  assert.deepEqual(
    sources.filter((file) => /\bprocess\.env\b/.test(code(file))),
    ['src/config/config.ts'],
  )
})

test('nobody but the list of endpoints and its own resource imports the file of an endpoint', () => {
  const endpointFiles = new Set(
    sources.filter((file) => /^export const \w+ = endpoint\(\{/m.test(read(file))),
  )
  assert.ok(endpointFiles.size > 0)
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => endpointFiles.has(target) && dirname(target) !== dirname(file))
      .filter(() => file !== 'src/endpoints.ts')
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

/**
 * The folders that each folder of `src` may import, from the table in ARCHITECTURE.md. A file directly in `src` has its
 * own row.
 */
function layers(): Map<string, readonly string[] | 'everything'> {
  const rows = read('ARCHITECTURE.md').matchAll(/^\| `src\/([^`]+?)\/?` \| [^|]+ \| ([^|]+) \|$/gm)
  return new Map(
    [...rows].map(([, folder = '', allowed = '']) => [
      folder,
      allowed === 'everything'
        ? allowed
        : [...allowed.matchAll(/`([^`]+)`/g)].map(([, one]) => one as string),
    ]),
  )
}

/** The folder of a file, as the table names it. */
function folderOf(file: string): string {
  const [, first = ''] = file.split('/')
  return first
}

test('a folder imports only what the map allows', () => {
  const table = layers()
  const unlisted = [...new Set(sources.map(folderOf))].filter((folder) => !table.has(folder))
  assert.deepEqual(unlisted, [], 'the table of ARCHITECTURE.md has a row for every folder')
  const wrong = sources.flatMap((file) => {
    const folder = folderOf(file)
    const allowed = table.get(folder) ?? []
    if (allowed === 'everything') return []
    return importsOf(file)
      .filter((target) => folderOf(target) !== folder && !allowed.includes(folderOf(target)))
      .map((target) => `${file} imports ${target}`)
  })
  assert.deepEqual(wrong, [])
})

/**
 * Names the types of the tables of entities, which follow from the entities, while the entities use queries on these
 * tables.
 */
const TYPES_OF_TABLES = 'src/ads/tables.ts'

test('no file imports itself by way of others, not even for types', () => {
  const done = new Set<string>()
  const cycles: string[] = []
  const follow = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const target of importsOf(file, file === TYPES_OF_TABLES ? 'values' : 'all'))
      follow(target, [...path, file])
    done.add(file)
  }
  for (const file of sources) follow(file, [])
  assert.deepEqual(cycles, [])
})

/** The project files that a file imports; `values`: without imports of types. */
function importsOf(file: string, what: 'all' | 'values' = 'all'): string[] {
  const statements = read(file).matchAll(/^(?:import|export) (type )?(?:[^'"]*? from )?'(\.[^']+)'$/gm)
  return [...statements]
    .filter(([, isType]) => what === 'all' || isType === undefined)
    .map(([, , path]) => join(dirname(file), path as string))
}
