import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import semver from 'semver'
import type { ReadyFile } from '../../src/app/cli/files.ts'
import { NEVER_MS } from '../support/until.ts'

/**
 * The package as others install it: packed from a copy of the sources, installed into an empty
 * folder.
 */

const { satisfies } = semver
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PACKED = [
  'bin',
  'docs',
  'examples',
  'scripts',
  'src',
  'LICENSE',
  'README.md',
  'action.yml',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
const NO_REGISTRY = /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENOTCACHED)\b/
/** Examples of tests are for users. */
const EXAMPLE_TEST = /^package\/examples\/[\w-]+\/\w+\.test\.mjs$/
const MAX_PACKED_BYTES = 3_500_000
const MAX_INSTALLED_BYTES = 45_000_000
const INSTALL_MS = 400_000

interface Lock {
  packages: Record<string, { engines?: { node?: string }; optional?: boolean }>
}

const folder = mkdtempSync(join(tmpdir(), 'plaza-package-'))
const copy = join(folder, 'copy')
const project = join(folder, 'project')

const env = {
  ...Object.fromEntries(
    // What this run sets would reach the program under test; the certificates that the registry
    // needs may.
    Object.entries(process.env).filter(
      ([name]) => name === 'NODE_EXTRA_CA_CERTS' || !/^(PLAZA|NODE|npm)_/.test(name),
    ),
  ),
  // npm and npx run on the Node of this test.
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
}

function run(command: string, args: readonly string[], cwd = project) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: INSTALL_MS,
  })
  // A registry that does not answer in time ends the command.
  if (error && (error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error
  return { status, stdout, stderr: error ? `${stderr}ETIMEDOUT` : stderr }
}

function must(command: string, args: readonly string[], cwd = project): string {
  const { status, stdout, stderr } = run(command, args, cwd)
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

/** Bytes of everything below a folder. */
const sizeOf = (path: string) => Number(must('du', ['-sb', path]).split('\t')[0])

let installed: ReturnType<typeof run>
let noRegistry: string | undefined

before(() => {
  mkdirSync(copy)
  mkdirSync(project)
  for (const name of PACKED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  must('npm', ['pack', '--pack-destination', folder], copy)
  writeFileSync(join(project, 'package.json'), '{"name":"project","private":true,"type":"module"}\n')
  const [file = ''] = globSync('*.tgz', { cwd: folder })
  // Under the name that programs import, which another package has on the registry.
  const spec = `plaza@file:${join(folder, file)}`
  installed = run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', spec])
  if (installed.status !== 0 && NO_REGISTRY.test(installed.stderr))
    noRegistry = 'the npm registry does not answer'
})

after(() => rmSync(folder, { recursive: true, force: true }))

test('npm warns of no engine on the versions of Node that the README names', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const named = /Node 22\.13 or later; Node 20\.19 works too/
  assert.match(readme, named)
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  const wrong = Object.entries(packages).flatMap(([name, { engines, optional }]) =>
    ['20.19.0', '22.13.0', '24.0.0', '26.0.0']
      .filter((version) => optional !== true && engines?.node && !satisfies(version, engines.node))
      .map((version) => `${name} wants ${engines?.node}, not ${version}`),
  )
  assert.deepEqual(wrong, [])
})

describe('npm pack', () => {
  test('leaves the files of the clone as they were', () => {
    for (const file of ['package.json', 'README.md', 'docs/guides/operation.md'])
      assert.equal(readFileSync(join(copy, file), 'utf8'), readFileSync(join(ROOT, file), 'utf8'), file)
    assert.ok(!existsSync(join(copy, '.packing')))
  })

  test('packs the compiled program, its tables and its licence, and no source or test', () => {
    const [file = ''] = globSync('*.tgz', { cwd: folder })
    const names = must('tar', ['-tzf', join(folder, file)])
      .trim()
      .split('\n')
    const builds = new Set(names.map((name) => /\/(build-\w+)\//.exec(name)?.[1]).filter(Boolean))
    assert.equal(builds.size, 1)
    const [build] = builds
    for (const name of [
      'bin/plaza.mjs',
      'bin/stacks.mjs',
      'dist/main.js',
      'dist/index.js',
      'dist/types/app/index.d.ts',
      `dist/${build}/main.js`,
      `dist/${build}/cities.tsv.br`,
      `dist/${build}/client.js`,
      'dist/client.js',
      'dist/types/client/index.d.ts',
      `dist/${build}/licenses.txt`,
      `dist/${build}/swagger-ui-bundle.js.br`,
      `dist/${build}/swagger-ui.css.br`,
      'LICENSE',
      'README.md',
      'docs/guides/settings.md',
      'docs/seed.schema.json',
      'docs/vocabulary.example.json',
      'docs/vocabulary.schema.json',
      'examples/campaign.mjs',
      'examples/jest/posts.test.mjs',
      'action.yml',
    ])
      assert.ok(names.includes(`package/${name}`), name)
    assert.deepEqual(
      names.filter(
        (name) => /(?<!\.d)\.ts$|\.test\.|\/test\/|\/src\//.test(name) && !EXAMPLE_TEST.test(name),
      ),
      [],
    )
    const { length } = readFileSync(join(folder, file))
    assert.ok(length < MAX_PACKED_BYTES, `${length} bytes`)
  })
})

describe('a build of the program in a clone', () => {
  const dist = join(copy, 'dist')
  /** The build that a Plaza which starts now runs. */
  const current = () => /build-\w+/.exec(readFileSync(join(dist, 'main.js'), 'utf8'))?.[0] ?? ''
  const version = (build: string) => must(process.execPath, [join(dist, build, 'main.js'), '--version'], copy)

  test('disturbs none that starts meanwhile, and none that runs an earlier build', async () => {
    const earlier = current()
    const files = readdirSync(join(dist, earlier))
    appendFileSync(join(copy, 'src/app/main.ts'), "\nprocess.env.PLAZA_EDITED = 'yes'\n")
    const building = spawn(process.execPath, ['scripts/bundle.mjs'], { cwd: copy, env, stdio: 'inherit' })
    const ended = new Promise((resolve) => building.once('exit', resolve))
    while (building.exitCode === null && building.signalCode === null) {
      for (const entry of ['main.js', 'index.js']) {
        const [build = ''] = /build-\w+/.exec(readFileSync(join(dist, entry), 'utf8')) ?? []
        assert.ok(existsSync(join(dist, build, entry)), `${entry} leads to ${build}`)
      }
      await sleep(2)
    }
    assert.equal(await ended, 0)
    assert.notEqual(current(), earlier)
    assert.deepEqual(readdirSync(join(dist, earlier)), files)
    assert.match(version(earlier), /^Plaza /)
    assert.equal(version(current()), version(earlier))
  })

  test('keeps ten builds, and clears away what an interrupted one left', () => {
    const old = new Date(0)
    for (let n = 0; n < 12; n++) {
      mkdirSync(join(dist, `build-${n}`))
      utimesSync(join(dist, `build-${n}`), old, old)
    }
    mkdirSync(join(dist, 'unfinished-1'))
    utimesSync(join(dist, 'unfinished-1'), old, old)
    const before = current()
    must(process.execPath, ['scripts/bundle.mjs'], copy)
    assert.equal(current(), before, 'the same sources make the same build')
    const folders = readdirSync(dist).filter((name) => /^(build|unfinished)-/.test(name))
    assert.equal(folders.length, 10)
    assert.ok(folders.includes(before))
    assert.ok(folders.every((name) => name.startsWith('build-')))
    assert.match(version(before), /^Plaza /)
  })
})

describe('the installed package', () => {
  before(() => {
    if (noRegistry === undefined) assert.equal(installed.status, 0, installed.stderr)
  })

  test('installs without warnings, and small', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    assert.doesNotMatch(installed.stderr, /EBADENGINE|deprecated/)
    assert.ok(!existsSync(join(project, 'node_modules', 'node')), 'it brings no Node of its own')
    const bytes = sizeOf(join(project, 'node_modules'))
    assert.ok(bytes < MAX_INSTALLED_BYTES, `${bytes} bytes`)
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/plaza/package.json'), 'utf8'))
    assert.deepEqual(manifest.engines, { node: '>=22.13' })
    assert.equal(manifest.scripts, undefined)
  })

  test('has a name of its own on the registry, and the README says how to install it', (t) => {
    const [file = ''] = globSync('*.tgz', { cwd: folder })
    assert.match(file, /^plaza-server-plaza-[0-9.]+\.tgz$/)
    assert.ok(readFileSync(join(ROOT, 'README.md'), 'utf8').includes(`npm install plaza@file:./${file}`))
    if (noRegistry) return t.skip(noRegistry)
    const { name, bin } = JSON.parse(readFileSync(join(project, 'node_modules/plaza/package.json'), 'utf8'))
    assert.equal(name, '@plaza-server/plaza')
    assert.deepEqual(Object.keys(bin), ['plaza'], 'npx runs the only program of a package')
  })

  test('every link of its texts leads to a file of it', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    const base = join(project, 'node_modules/plaza')
    const texts = ['README.md', ...globSync('docs/**/*.md', { cwd: base })]
    const links = texts.flatMap((path) =>
      [...readFileSync(join(base, path), 'utf8').matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(
        ([, target = '']) => join(dirname(path), target),
      ),
    )
    assert.ok(links.length > 10)
    assert.deepEqual(
      links.filter((path) => !existsSync(join(base, path))),
      [],
    )
  })

  test('installs only the dependencies that are loaded when they are needed', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/plaza/package.json'), 'utf8'))
    assert.deepEqual(Object.keys(manifest.dependencies).sort(), [
      '@redis/client',
      'mediainfo.js',
      'pg',
      'saxes',
      'undici',
    ])
    for (const name of ['fastify', 'kysely', 'tinyld'])
      assert.ok(!existsSync(join(project, 'node_modules', name)), name)
  })

  test('its stacks name the sources', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    const { status, stderr } = run('npx', ['plaza', 'start', '--core-port=x', '--log-level=debug'])
    assert.equal(status, 2)
    assert.match(stderr, /^plaza: --core-port must be /m)
    assert.match(stderr, /\n {4}at readOne \(src\/platform\/config\/config\.ts:\d+:\d+\)\n/)
  })

  test('npx plaza start runs it, with its data tables and its threads', async (t) => {
    if (noRegistry) return t.skip(noRegistry)
    const ports = ['--core-port=0', '--ads-port=0', '--ads-sandbox-port=0', '--console-port=0']
    const child = spawn('npx', ['plaza', 'start', '--ready-file=ready.json', ...ports], {
      cwd: project,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)))
    t.after(() => child.kill('SIGKILL'))
    const ready = await readyFile(join(project, 'ready.json'))
    const account = ready.accounts.find(({ environment }) => environment === 'sandbox')?.id
    const request = (...args: string[]) =>
      JSON.parse(must('npx', ['plaza', 'request', ...args, '--host=sandbox', '--json'])) as {
        status: number
        body: { data: { id: string; name: string }[] & { id: string; lang?: string } }
      }

    const cities = request('GET', '/12/targeting_criteria/locations?location_type=CITIES&q=san%20fr')
    assert.ok(cities.body.data.length > 0)
    const text = encodeURIComponent('Jutro otwieramy nasz nowy sklep')
    const post = request(
      'POST',
      `/12/accounts/${account}/post?as_user_id=${ready.advertiser?.id}&text=${text}`,
    )
    // The detector of languages is in the bundle.
    assert.equal(post.body.data.lang, 'pl', JSON.stringify(post))
    const audience = request('POST', `/12/accounts/${account}/custom_audiences`, '--form=name=Buyers')
    const users = [{ operation_type: 'Update', params: { users: [{ email: ['a'.repeat(64)] }] } }]
    const path = `/12/accounts/${account}/custom_audiences/${audience.body.data.id}/users`
    assert.equal(request('POST', path, '-d', JSON.stringify(users)).status, 200)
    // The viewer of the reference is in the package, compressed.
    const viewer = await fetch(`${ready.console_url}/reference/viewer.js`)
    assert.match(await viewer.text(), /SwaggerUIBundle/)
    process.kill(ready.pid, 'SIGTERM')
    assert.equal(await ended, 0)
  })

  test('startPlaza runs several instances inside a test', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    writeFileSync(join(project, 'instances.mjs'), INSTANCES)
    const { stdout } = { stdout: must(process.execPath, ['instances.mjs']) }
    assert.deepEqual(JSON.parse(stdout), {
      different: true,
      first: { bearer: 200, webhooks: 200 },
      second: { bearer: 200, webhooks: 200 },
      seeded: ['Demo app', 'demo,advertiser', 2, 'production,sandbox'],
      none: [0, 0, 0],
      closed: 'ECONNREFUSED',
      wrong: [
        'ConfigError: corePort must be a whole number from 0 to 65535, not "x"',
        'ConfigError: there is no setting "port"',
        'ConfigError: ./absent.json: there is no such file',
      ],
    })
  })

  test('plaza/client calls it, and loads nothing of the server', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    writeFileSync(join(project, 'client.mjs'), CLIENT)
    assert.deepEqual(JSON.parse(must(process.execPath, ['client.mjs'])), {
      text: 'Hello',
      names: ['demo'],
      error: ['ProblemError', 'invalid-request'],
    })
    const [build = ''] =
      /build-\w+/.exec(readFileSync(join(project, 'node_modules/plaza/dist/client.js'), 'utf8')) ?? []
    const code = readFileSync(join(project, 'node_modules/plaza/dist', build, 'client.js'), 'utf8')
    assert.doesNotMatch(code, /^import[ {*'"]/m, 'it imports no other file of the build')
  })

  test('its declarations say what options and results there are', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    writeFileSync(join(project, 'types.ts'), TYPES)
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--skipLibCheck',
      'false',
      '--types',
      '',
    ]
    must(process.execPath, [compiler, ...flags, 'types.ts'])
  })
})

async function readyFile(path: string): Promise<ReadyFile> {
  const deadline = performance.now() + NEVER_MS
  while (!existsSync(path)) {
    if (performance.now() > deadline) throw new Error('the ready file never came')
    await sleep(20)
  }
  return JSON.parse(readFileSync(path, 'utf8')) as ReadyFile
}

const INSTANCES = `
import { request } from 'node:https'
import { startPlaza } from 'plaza'

function send(plaza, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const sent = request(plaza.urls.core + path, { method, headers, ca: plaza.ca, agent: false }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (part) => (text += part))
      reply.on('end', () => resolve({ status: reply.statusCode, json: JSON.parse(text) }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function use(plaza) {
  const { consumerKey, consumerSecret } = plaza.apps[0]
  const bearer = await send(
    plaza,
    'POST',
    '/oauth2/token',
    {
      authorization: 'Basic ' + Buffer.from(consumerKey + ':' + consumerSecret).toString('base64'),
      'content-type': 'application/x-www-form-urlencoded',
    },
    'grant_type=client_credentials',
  )
  const authorization = 'Bearer ' + bearer.json.access_token
  const webhooks = await send(plaza, 'GET', '/2/webhooks', { authorization })
  return { bearer: bearer.status, webhooks: webhooks.status }
}

const wrong = []
for (const options of [{ corePort: 'x' }, { port: 1 }, { seed: './absent.json' }])
  await startPlaza(options).catch((error) => wrong.push(error.name + ': ' + error.message))

const [first, second, none] = await Promise.all([startPlaza(), startPlaza(), startPlaza({ seed: 'none' })])
const result = {
  different: first.urls.core !== second.urls.core && first.apps[0].consumerKey !== second.apps[0].consumerKey,
  first: await use(first),
  second: await use(second),
  seeded: [
    first.apps[0].name,
    first.users.map(({ screenName }) => screenName).join(),
    first.users.flatMap(({ tokens }) => tokens).length,
    first.accounts.map(({ environment }) => environment).join(),
  ],
  none: [none.apps.length, none.users.length, none.accounts.length],
}
await Promise.all([first.close(), second.close(), none.close()])
result.closed = await use(first).catch((error) => error.code)
result.wrong = wrong
console.log(JSON.stringify(result))
`

const CLIENT = `
import { startPlaza } from 'plaza'
import { appOnly, createClient, oauth1, ProblemError } from 'plaza/client'

const plaza = await startPlaza({ seedPopulation: 0 })
const [app] = plaza.apps
const { token, secret } = plaza.users[0].tokens[0]
const client = createClient({ urls: plaza.urls, ca: plaza.ca, auth: oauth1({ ...app, token, tokenSecret: secret }) })
const { data } = await client.core.createPost({ text: 'Hello' })
const users = await client.with({ auth: appOnly(app) }).core.listUsers({ ids: [plaza.users[0].id] })
const error = await client.core.getPost({ id: 'abc' }).catch((reason) => reason)
console.log(
  JSON.stringify({
    text: data.text,
    names: users.data.map(({ username }) => username),
    error: [error.name, error instanceof ProblemError && error.kind],
  }),
)
await client.close()
await plaza.close()
`

const TYPES = `
import { ConfigError, startPlaza, type RunningPlaza, type Seed, type StartOptions } from 'plaza'
import { AdsError, bearer, createClient, type ads, type core, type EventStream } from 'plaza/client'

const client = createClient({ urls: { core: 'https://127.0.0.1:8443' }, auth: bearer('x'), retry: { attempts: 2 } })
const found: core.Post | undefined = (await client.core.getPost({ id: '1', 'post.fields': ['created_at'] })).data
const mine: core.User | undefined = (await client.core.getOwnUser()).data
for await (const post of client.core.listUserPosts.items({ id: '1' })) { const text: string = post.text; void text }
for await (const page of client.ads.listCampaigns.pages({ account_id: 'a' })) { const all: ads.Campaign[] = page.data; void all }
const stream: EventStream<core.StreamPostsReply> = client.core.streamPosts({}, { keepAliveTimeoutMs: 1 })
const created: Promise<{ data: { id: string } }> = client.core.createPost({ text: 'Hello' })
const nothing: Promise<undefined> = client.core.indicateTyping({ recipient_id: '1' })
const code: string = new AdsError({ call: '', status: 400, headers: new Headers(), body: {} }, [], []).code
// @ts-expect-error the path needs an id
await client.core.getPost()
// @ts-expect-error a field is one of those
await client.core.getPost({ id: '1', 'post.fields': ['colour'] })
// @ts-expect-error there is no such operation
client.core.getPosts
// @ts-expect-error a post has no such member
found?.colour
// @ts-expect-error only lists have pages
client.core.getPost.pages
// @ts-expect-error a stream is no promise
await client.core.streamPosts({}).then()
export { mine, stream, created, nothing, code }

const options: StartOptions = { corePort: 0, hardened: true, outboundAllow: ['10.0.0.0/8'], rateLimits: 'off', seed: { users: [] } }
const plaza: RunningPlaza = await startPlaza(options)
const url: string = plaza.urls.adsSandbox
const port: number = plaza.ports.adsSandbox
const ca: string | undefined = plaza.ca
const token: string | undefined = plaza.users[0]?.tokens[0]?.token
const closed: Promise<void> = plaza.close()
const error: Error = new ConfigError('text')
const seed: Seed = {
  users: [{ screen_name: 'ann', name: 'Ann' }],
  posts: [{ id: 'a', author: 'ann', text: 'Hello', media: [{ file: 'a.png' }], thread: [{ text: 'More' }] }],
  accounts: [{ name: 'A', owner: 'ann', environment: 'sandbox', campaigns: [{ name: 'C', line_items: [] }] }],
}
await startPlaza({ seed })
// @ts-expect-error an account is in one of two environments
seed.accounts = [{ name: 'A', owner: 'ann', environment: 'elsewhere' }]
// @ts-expect-error a post of a seed has no such member
seed.posts = [{ author: 'ann', text: 'Hello', colour: 'red' }]
// @ts-expect-error a user has a name
await startPlaza({ seed: { users: [{ screen_name: 'ann' }] } })
// @ts-expect-error a port is a number
await startPlaza({ corePort: 'x' })
// @ts-expect-error there is no such setting
await startPlaza({ port: 1 })
// @ts-expect-error it has no such member
plaza.url
export { url, port, ca, token, closed, error }
`
