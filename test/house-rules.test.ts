import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** House rules that the linter cannot check. */
const root = fileURLToPath(new URL('..', import.meta.url))
const isTest = /\.(test|fixture|corpus)\.ts$/
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !isTest.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Code without comments, which may name what code must not use. */
const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** The client runs on another machine than the server, and imports nothing of it. */
const CLIENT_MACHINE = 'src/client/machine.ts'

test('only the clock reads the time', () => {
  const readers = sources.filter((file) => /\bDate\.now\b|\bnew Date\(\)/.test(code(file)))
  assert.deepEqual(readers.sort(), [CLIENT_MACHINE, 'src/platform/common/clock.ts'])
})

/** Files that may set timers, and why: for events of the machine, whatever time users see. */
const MACHINE_TIMERS: Readonly<Record<string, string>> = {
  'client/machine.ts': 'the machine of the client',
  'domain/audience-members/background.ts': 'share of the processor, end of the process',
  'platform/common/thread.ts': 'end of a thread',
  'app/cli': 'other processes',
  'app/console/client/timers.ts': 'a page in a browser',
  'platform/cluster/redis-bus.ts': 'connections',
  'platform/cluster/redis.ts': 'connections',
  'platform/common/after-error.ts': 'pauses after errors',
  'platform/common/clock.ts': 'the clock of the machine itself',
  'platform/common/old-generation.ts': 'memory of the process',
  'platform/common/young-generation.ts': 'memory of the process',
  'platform/http/end-connection.ts': 'connections',
  'platform/log/log-writer.ts': 'writing the log',
  'domain/media/inspect/video.ts': 'processor time',
  'platform/queue/worker.ts': 'end of the process',
  'app/start/connections.ts': 'connections',
  'platform/common/disposer.ts': 'end of the process',
  'app/start/hosts.ts': 'end of the process',
  'app/start/listener.ts': 'connections',
  'app/start/node-lease.ts': 'whether processes live',
  'app/start/shared-places.ts': 'whether processes live',
}

test('code that waits for a time that users can see uses the clock', () => {
  const timers = /\b(setTimeout|setInterval)\b|AbortSignal\.timeout/
  const users = sources.filter((file) => timers.test(code(file))).map((file) => file.slice('src/'.length))
  const known = new Set(users.map((file) => (file.startsWith('app/cli/') ? 'app/cli' : file)))
  assert.deepEqual([...known].sort(), Object.keys(MACHINE_TIMERS).sort())
})

test('only the random source makes randomness', () => {
  const taken = /\bMath\.random\b|\b(randomBytes|randomUUID|randomInt|randomFill|getRandomValues)\b/
  assert.deepEqual(sources.filter((file) => taken.test(code(file))).sort(), [
    CLIENT_MACHINE,
    'src/platform/common/random.ts',
  ])
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
  const isSql = /queries\.ts$|^src\/platform\/storage\/|^src\/domain\/search\/index\//
  const wrong = sources.filter((file) => !isSql.test(file) && COMPARED.test(code(file)))
  assert.deepEqual(wrong, ['src/platform/common/ids.ts'])
  for (const text of ['a.id < b.id', 'if (row.post_id >= last)', 'from > lastId', 'BigInt(one.id) > x'])
    assert.match(text, COMPARED)
})

test('only the configuration reads the environment', () => {
  assert.deepEqual(
    sources.filter((file) => /\bprocess\.env\b/.test(code(file))),
    ['src/platform/config/config.ts'],
  )
})

test('nobody but a list of endpoints and its own resource imports the file of an endpoint', () => {
  const endpointFiles = new Set(
    sources.filter((file) => /^export const \w+ = \w*[eE]ndpoint\(/m.test(read(file))),
  )
  assert.ok(endpointFiles.size > 0)
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => endpointFiles.has(target) && dirname(target) !== dirname(file))
      .filter(() => basename(file) !== 'endpoints.ts')
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})

/** The parts of `src`, from the lowest to the highest. A part imports only from those before it. */
const PARTS = ['platform', 'identity', 'domain', 'delivery', 'workbench', 'api', 'app']

test('the compiler lets a part import only lower parts', () => {
  assert.deepEqual(readdirSync(join(root, 'src')).sort(), ['client', ...PARTS].toSorted())
  for (const [level, part] of PARTS.entries()) {
    const { references } = JSON.parse(read(`src/${part}/tsconfig.json`)) as { references: { path: string }[] }
    assert.deepEqual(
      references.map(({ path }) => path),
      PARTS.slice(0, level).map((lower) => `../${lower}`),
      part,
    )
    assert.ok(existsSync(join(root, 'src', part, 'README.md')), `src/${part}/README.md`)
  }
})

test('the client imports nothing of the server, and the server nothing of the client', () => {
  const { references } = JSON.parse(read('src/client/tsconfig.json')) as { references: unknown[] }
  assert.deepEqual(references, [])
  const isClient = (file: string) => file.startsWith('src/client/')
  const crossing = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => isClient(target) !== isClient(file))
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(crossing, [])
})

/** The project files that a file imports. */
function importsOf(file: string): string[] {
  const statements = read(file).matchAll(/^(?:import|export) (?:type )?(?:[^'"]*? from )?'(\.[^']+)'$/gm)
  return [...statements].map(([, path]) => join(dirname(file), path as string))
}

test('a line of a comment has at most 100 columns', () => {
  const files = globSync('{src,test,scripts,bench,examples,bin}/**/*.{ts,mjs}', { cwd: root }).filter(
    (file) => !file.startsWith('test/clients/generated-types/'),
  )
  assert.ok(files.length > sources.length)
  const long = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) =>
        line.length > 100 && /^\s*(\/\/|\/\*\*|\*)/.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  )
  assert.deepEqual(long, [])
})
