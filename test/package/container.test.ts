import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../src/client/index.ts'
import { freePort } from '../support/own-servers.ts'
import { until } from '../support/until.ts'
import { type Instruction, parseContainerfile, type Stage, wordsOf } from './containerfile.ts'

// The image without a container engine: the steps of the Containerfile, carried out in folders. Its
// root file system then runs in namespaces of its own.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAX_IMAGE_BYTES = 250_000_000
/** What the base image holds: glibc, libstdc++, OpenSSL, certificates and time zones. */
const BASE_BYTES = 30_000_000
const NO_REGISTRY = /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ENOTCACHED)\b/
/** Only the super-user may run programs as another user. */
const isRoot = process.geteuid?.() === 0

const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
const stages = parseContainerfile(readFileSync(join(ROOT, 'Containerfile'), 'utf8'))
const image = stages.at(-1) as Stage
const folder = mkdtempSync(join(tmpdir(), 'plaza-image-'))
const roots = new Map(stages.map(({ name = 'image' }) => [name, join(folder, name)]))
const root = roots.get('image') as string

const all = (name: string): Instruction[] => image.instructions.filter((one) => one.name === name)
const textOf = (name: string): string => all(name).at(-1)?.text ?? ''
const env = Object.fromEntries(all('ENV').map(({ text }) => text.split(/=(.*)/s).slice(0, 2)))

let noRegistry: string | undefined

/** A path in the file system of a stage. */
const within = (base: string, path: string) => join(base, path)

/** Carries out the steps of a stage that make files. */
function carryOut({ name = 'image', instructions }: Stage): void {
  const base = roots.get(name) as string
  let cwd = '/'
  for (const { name: step, text, options } of instructions) {
    if (step === 'WORKDIR') {
      cwd = text
      mkdirSync(within(base, cwd), { recursive: true })
    } else if (step === 'RUN') runIn(base, cwd, text)
    else if (step === 'COPY') copyInto(base, text, options)
  }
}

/** Absolute paths are those of the stage. */
function runIn(base: string, cwd: string, command: string): void {
  const line = command.replace(/(?<=^|\s)\/(?=\S)/g, `${base}/`)
  const inherited = Object.entries(process.env).filter(([key]) => !/^(PLAZA|NODE(?!_EXTRA)|npm)_/.test(key))
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], {
    cwd: within(base, cwd),
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(inherited),
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  })
  if (status !== 0 && NO_REGISTRY.test(stderr)) noRegistry = 'the npm registry does not answer'
  assert.ok(status === 0 || noRegistry, `${line}: ${stdout}${stderr}`)
}

function copyInto(base: string, text: string, { from, chown }: Record<string, string>): void {
  const [source = '', target = ''] = text.split(/\s+/)
  const path = within(base, target)
  mkdirSync(dirname(path), { recursive: true })
  if (from === undefined) {
    assert.equal(source, '.', 'the build copies the sources')
    const names = readdirSync(ROOT).filter((name) => !ignored.includes(name))
    for (const name of names) cpSync(join(ROOT, name), join(path, name), { recursive: true })
  } else {
    const given = within(roots.get(from) as string, source)
    if (noRegistry && !existsSync(given)) return
    cpSync(given, path, { recursive: true, verbatimSymlinks: true })
  }
  if (chown !== undefined && isRoot) chownSync(path, ...(chown.split(':').map(Number) as [number, number]))
}

/** What the base images bring: the program of Node, and the libraries that it needs. */
function layBases(): void {
  const program = within(roots.get('build') as string, '/usr/local/bin/node')
  mkdirSync(dirname(program), { recursive: true })
  copyFileSync(realpathSync(process.execPath), program)
  const { stdout } = spawnSync('ldd', [process.execPath], { encoding: 'utf8' })
  for (const [path] of stdout.matchAll(/\/\S+/g)) {
    mkdirSync(dirname(within(root, path)), { recursive: true })
    copyFileSync(realpathSync(path), within(root, path))
  }
  for (const base of roots.values())
    for (const name of ['/proc', '/dev', '/tmp']) mkdirSync(within(base, name), { recursive: true })
}

const sizeOf = (path: string) =>
  Number(spawnSync('du', ['-sb', path], { encoding: 'utf8' }).stdout.split('\t')[0])

/** Runs a program of the image, as its user where that is possible, in namespaces of its own. */
function start(words: readonly string[], settings: Record<string, string> = {}): ChildProcess {
  const namespaces = isRoot ? [] : ['--user', '--map-root-user']
  const user = isRoot ? `--userspec=${textOf('USER')}` : ''
  const inside = `mount -t proc proc "$0/proc" 2>/dev/null; mount --rbind /dev "$0/dev"; exec chroot ${user} "$0" "$@"`
  return spawn(
    'unshare',
    [...namespaces, '--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-c', inside, root, ...words],
    {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}

async function output(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  return { code, text }
}

/** Why namespaces cannot be used here; false when they can. */
async function noNamespaces(): Promise<string | false> {
  const tried = await output(start(['/usr/local/bin/node', '--version'])).catch((error: Error) => ({
    code: 1,
    text: error.message,
  }))
  if (tried.code === 0) return false
  const reason = tried.text.trim().split('\n')[0]
  // The reasons of systems that forbid it; anything else is a fault of the image.
  if (/Operation not permitted|ENOENT|Invalid argument|not found/.test(tried.text))
    return `this system forbids namespaces: ${reason}`
  throw new Error(tried.text)
}

describe('the image of the Containerfile', () => {
  let skip: string | false = false

  before(async () => {
    layBases()
    for (const stage of stages) if (!noRegistry) carryOut(stage)
    skip = noRegistry ?? (await noNamespaces())
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('runs as an ordinary user, who owns the data alone, and states its health', () => {
    const [uid, gid] = textOf('USER').split(':').map(Number)
    assert.ok(uid && gid, 'the user is a number other than 0')
    const volume = textOf('VOLUME')
    assert.equal(env.PLAZA_DATA, volume)
    const owners = all('COPY').filter(({ options }) => options.chown !== undefined)
    assert.deepEqual(
      owners.map(({ text, options }) => [text.split(/\s+/)[1], options.chown]),
      [[volume, textOf('USER')]],
    )
    assert.ok(textOf('HEALTHCHECK').startsWith('CMD ['))
    assert.deepEqual(wordsOf(textOf('CMD')), ['start'])
  })

  test('is smaller than 250 MB, and holds the program without sources, tests and npm', (t) => {
    if (noRegistry) return t.skip(noRegistry)
    const bytes = sizeOf(within(root, '/plaza')) + sizeOf(within(root, '/usr/local/bin/node')) + BASE_BYTES
    t.diagnostic(`${bytes} bytes`)
    assert.ok(bytes < MAX_IMAGE_BYTES, `${bytes} bytes`)
    const [program = ''] = wordsOf(textOf('ENTRYPOINT')).slice(1)
    assert.ok(lstatSync(within(root, program)).isFile())
    const names = readdirSync(within(root, '/plaza/node_modules'))
    assert.ok(names.includes('@aws-sdk'), 'a bucket can hold the media')
    for (const name of ['npm', 'typescript', 'fastify']) assert.ok(!names.includes(name), name)
  })

  test('starts, is healthy, answers, and stops at SIGTERM', async (t) => {
    if (skip) return t.skip(skip)
    const ports = await Promise.all([1, 2, 3, 4, 5].map(freePort))
    const [core, ads, sandbox, console, health] = ports
    const settings = {
      PLAZA_LISTEN: '127.0.0.1',
      PLAZA_HEALTH_LISTEN: `127.0.0.1:${health}`,
      PLAZA_CORE_PORT: String(core),
      PLAZA_ADS_PORT: String(ads),
      PLAZA_ADS_SANDBOX_PORT: String(sandbox),
      PLAZA_CONSOLE_PORT: String(console),
      PLAZA_DRAIN_SECONDS: '0',
    }
    const plaza = start([...wordsOf(textOf('ENTRYPOINT')), ...wordsOf(textOf('CMD'))], settings)
    t.after(() => plaza.kill('SIGKILL'))
    const ended = output(plaza)
    const check = wordsOf(textOf('HEALTHCHECK').slice('CMD '.length))
    while ((await output(start(check, settings))).code !== 0) {
      if (plaza.exitCode !== null) assert.fail((await ended).text)
      await sleep(50)
    }
    const ca = readFileSync(within(root, '/data/tls/ca.pem'), 'utf8')
    const client = createClient({ urls: { core: `https://127.0.0.1:${core}` }, ca })
    assert.match((await client.core.oauthMetadata()).token_endpoint, /\/2\/oauth2\/token$/)
    await client.close()
    const who = "try { require('fs').writeFileSync('/plaza/x', '') } catch { console.log(process.getuid()) }"
    if (isRoot)
      assert.equal(
        (await output(start(['/usr/local/bin/node', '-e', who]))).text.trim(),
        textOf('USER').split(':')[0],
      )
    process.kill(await insideOf(plaza), 'SIGTERM')
    assert.equal((await ended).code, 0)
  })
})

/** The process that `unshare` has started. */
async function insideOf({ pid }: ChildProcess): Promise<number> {
  const read = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]
  return Number(await until('the process', read))
}
