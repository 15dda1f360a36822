import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** What the linter has no rule for. */
const root = fileURLToPath(new URL('..', import.meta.url))
const isTest = /\.(test|fixture|corpus)\.ts$/
const sources = globSync('src/**/*.ts', { cwd: root }).filter((file) => !isTest.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Code without comments, which may speak of what code may not do. */
const code = (file: string) => read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

test('only the clock reads the time', () => {
  const readers = sources.filter((file) => /\bDate\.now\b|\bnew Date\(\)/.test(code(file)))
  assert.deepEqual(readers, ['src/common/clock.ts'])
})

/** Who may set timers, and for what: it happens to the machine, whatever the time is that users see. */
const MACHINE_TIMERS: Readonly<Record<string, string>> = {
  'audience-members/background.ts': 'share of the processor, end of the process',
  'audience-members/thread.ts': 'end of a thread',
  cli: 'other processes',
  'cluster/redis-bus.ts': 'connections',
  'cluster/redis.ts': 'connections',
  'common/clock.ts': 'the clock of the machine itself',
  'log-writer.ts': 'writing the log',
  'media/inspect/video.ts': 'processor time',
  'queue/worker.ts': 'end of the process',
  'start/connections.ts': 'connections',
  'start/hosts.ts': 'end of the process',
  'start/listener.ts': 'connections',
  'start/node-lease.ts': 'whether processes live',
  'start/disposer.ts': 'end of the process',
  'storage/postgres.ts': 'transactions that met',
}

test('who waits for a time that users see waits on the clock', () => {
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

test('only the configuration reads the environment', () => {
  assert.deepEqual(
    sources.filter((file) => /\bprocess\.env\b/.test(code(file))),
    ['src/config.ts'],
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

/** What each folder of `src` may import; a file directly in `src` stands for itself. `ARCHITECTURE.md` has the same table. */
const LAYERS: Readonly<Record<string, readonly string[] | 'everything'>> = {
  common: [],
  http: ['common'],
  protocols: ['common', 'http'],
  'http/openapi': ['common', 'http', 'protocols', 'auth'],
  storage: ['common'],
  cluster: ['common', 'http'],
  queue: ['common', 'storage'],
  events: ['common', 'storage', 'queue'],
  identity: ['common', 'storage', 'events', 'users'],
  auth: ['common', 'http', 'protocols', 'cluster', 'identity'],
  outbound: ['common'],
  'reference-data': [],
  tls: ['common', 'storage'],
  console: [],
  users: ['common', 'http', 'storage'],
  posts: ['users', 'common', 'http', 'protocols', 'storage', 'events', 'media', 'context.ts'],
  media: ['users', 'common', 'http', 'protocols', 'storage', 'queue', 'posts', 'config.ts', 'context.ts'],
  'audience-members': ['common', 'http', 'protocols', 'storage'],
  oauth: [
    'users',
    'common',
    'http',
    'protocols',
    'storage',
    'queue',
    'identity',
    'auth',
    'endpoint.ts',
    'context.ts',
  ],
  core: [
    ...['common', 'http', 'protocols', 'storage', 'queue', 'events', 'identity', 'auth', 'outbound', 'posts'],
    ...['media', 'users'],
    ...['endpoint.ts', 'context.ts'],
  ],
  ads: [
    ...['common', 'http', 'protocols', 'storage', 'queue', 'events', 'identity', 'auth', 'outbound', 'posts'],
    ...['media', 'users'],
    ...['audience-members', 'reference-data', 'http/openapi', 'config.ts', 'context.ts', 'endpoint.ts'],
  ],
  seed: [
    ...[
      'users',
      'common',
      'http',
      'protocols',
      'storage',
      'identity',
      'posts',
      'ads',
      'reference-data',
      'config.ts',
    ],
  ],
  'config.ts': ['common', 'http', 'outbound'],
  'context.ts': [
    ...['common', 'protocols', 'storage', 'cluster', 'identity', 'outbound', 'core', 'audience-members'],
    'config.ts',
  ],
  'endpoint.ts': ['http', 'protocols', 'auth', 'context.ts'],
  'endpoints.ts': ['auth', 'oauth', 'core', 'ads'],
  'audit.ts': ['common', 'events'],
  'log.ts': ['common', 'log-writer.ts'],
  'log-writer.ts': ['storage'],
  'version.ts': [],
  start: 'everything',
  'server.ts': 'everything',
  'index.ts': 'everything',
  cli: 'everything',
  'main.ts': 'everything',
}

/** The folder of a file, as the table names it. */
function folderOf(file: string): string {
  const [, first = '', second] = file.split('/')
  return first === 'http' && second === 'openapi' ? 'http/openapi' : first
}

test('a folder imports only what stands below it', () => {
  const wrong = sources.flatMap((file) => {
    const folder = folderOf(file)
    const allowed = LAYERS[folder]
    if (allowed === 'everything') return []
    return importsOf(file)
      .filter((target) => folderOf(target) !== folder && !allowed?.includes(folderOf(target)))
      .map((target) => `${file} imports ${target}`)
  })
  assert.deepEqual(wrong, [])
})

/** The files of ours that a file imports. */
function importsOf(file: string): string[] {
  return [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path]) => join(dirname(file), path as string))
}

test('the interface suite knows nothing of the product', () => {
  const suite = globSync('test/interface/**/*.ts', { cwd: root })
  assert.ok(suite.length > 0)
  const wrong = suite.flatMap((file) =>
    [...read(file).matchAll(/(?:from|import\() ?'([^']+)'/g)]
      .map(([, target]) => target as string)
      .filter((target) => !target.startsWith('node:'))
      .filter(
        (target) => !target.startsWith('.') || !join(dirname(file), target).startsWith('test/interface/'),
      )
      .map((target) => `${file} imports ${target}`),
  )
  assert.deepEqual(wrong, [])
})
