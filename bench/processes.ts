import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BarePosts } from './bare-post.ts'

// The processes that are measured or killed: Plaza, started by its command line, and helpers.

export const COMMAND: string = fileURLToPath(new URL('../bin/plaza.mjs', import.meta.url))
/** The first start indexes what was generated before it: minutes for a million posts. */
const START_MS = 900_000

/** The public origin of the core API behind a proxy: what signatures cover. */
export const PUBLIC_HOST = 'api.plaza.test'

/** The app of the seed that signs, with known secrets. */
export const APP = {
  consumerKey: 'benchConsumerKey0000001',
  consumerSecret: 'benchConsumerSecret00000000000000000000000001',
  /** Of the app's owner. */
  token: '1900000000000000001-benchAccessToken0000000000000001',
  secret: 'benchAccessTokenSecret000000000000000000000001',
  /** Of another user, for what takes a token away. */
  spare: { token: '1900000000000000002-benchSpareToken00000000000001', secret: 'benchSpareSecret0000001' },
}

/** The consumer key and secret of another app of the seed. */
export const appOf = (n: number) => ({
  consumerKey: `benchAppKey${n}`,
  consumerSecret: `benchAppSecret000000000000000000000000${n}`,
})

/**
 * A seed with one app that `spares` more users have granted, with tokens `spareOf(n)`, and `apps`
 * more apps with keys `appOf(n)`.
 */
function seed(spares: number, apps: number): object {
  const users = Array.from({ length: spares }, (_, n) => ({
    screen_name: `spare${n}`,
    name: 'Spare',
    password: 'spare-password',
  }))
  const others = Array.from({ length: apps }, (_, n) => ({
    ...{ name: `Bench ${n}`, website: 'https://app.example.com/', owner: 'owner', permission: 'read-write' },
    ...{ callbacks: ['https://app.example.com/callback'], kind: 'web', sign_in: true, grants: [] },
    ...{ consumer_key: appOf(n).consumerKey, consumer_secret: appOf(n).consumerSecret },
  }))
  const grant = { user: 'owner', access: 'read-write', token: APP.token, secret: APP.secret }
  return {
    users: [{ screen_name: 'owner', name: 'Owner', password: 'owner-password' }, ...users],
    apps: [
      {
        name: 'Bench',
        website: 'https://app.example.com/',
        owner: 'owner',
        callbacks: ['https://app.example.com/callback'],
        permission: 'read-write',
        kind: 'web',
        enterprise: true,
        sign_in: true,
        consumer_key: APP.consumerKey,
        consumer_secret: APP.consumerSecret,
        grants: [
          grant,
          ...users.map(({ screen_name }, n) => ({ user: screen_name, access: 'read-write', ...spareOf(n) })),
        ],
      },
      ...others,
    ],
  }
}

/** The token that spare user `n` granted. */
export const spareOf = (n: number) => ({
  token: `${APP.spare.token}${n}`,
  secret: `${APP.spare.secret}${n}`,
})

/** A folder for one run, which is removed at the end. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'plaza-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** A child process that listens. */
export class Running {
  readonly port: number
  readonly child: ChildProcess
  /** From spawn to ready. */
  readonly startMs: number
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>

  constructor(child: ChildProcess, port: number, startMs: number, exited: Running['exited']) {
    this.child = child
    this.port = port
    this.startMs = startMs
    this.exited = exited
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.alive) this.child.kill(signal)
    await this.exited
  }

  /** Processor time spent so far in microseconds; undefined where the system does not tell. */
  cpuMicroseconds(): number | undefined {
    try {
      const stat = readFileSync(`/proc/${this.child.pid}/stat`, 'latin1')
      // The name in parentheses may hold spaces; the fields after it do not.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond()
    } catch {
      return undefined
    }
  }

  /** Resident memory in bytes; undefined where the system does not tell. */
  residentBytes(): number | undefined {
    try {
      const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'latin1'))
      return line ? Number(line[1]) * 1024 : undefined
    } catch {
      return undefined
    }
  }
}

let ticks: number | undefined
function ticksPerSecond(): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'latin1' }))
  return ticks
}

/** None of them outlives this process, however it ends. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

async function start(args: readonly string[], port: number, isReady: () => boolean): Promise<Running> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', process.env.BENCH_STDERR ? 'inherit' : 'ignore'],
  })
  children.add(child)
  const exited: Running['exited'] = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      children.delete(child)
      resolve({ code, signal })
    })
  })
  while (!isReady()) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${args.join(' ')} ended before it was ready (${child.exitCode ?? child.signalCode})`)
    if (performance.now() - began > START_MS) {
      child.kill('SIGKILL')
      throw new Error(`${args.join(' ')} was not ready within ${START_MS} ms`)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return new Running(child, port, performance.now() - began, exited)
}

/** Starts a script of this folder that writes a file once it listens. */
function startHelper(
  folder: string,
  script: string,
  port: number,
  args: readonly string[],
): Promise<Running> {
  const ready = join(folder, `${script}-${port}.ready`)
  rmSync(ready, { force: true })
  const path = fileURLToPath(new URL(script, import.meta.url))
  return start([path, String(port), ready, ...args], port, () => existsSync(ready))
}

/** Starts the server that answers every CRC check of `APP` correctly. */
export const startConsumer = (folder: string, port: number): Promise<Running> =>
  startHelper(folder, 'consumer.ts', port, [APP.consumerSecret])

/** Starts the server of webhooks whose deliveries are measured. */
export async function startHook(folder: string, tls?: Tls): Promise<Running> {
  const file = join(folder, 'hook.json')
  if (tls) writeFileSync(file, JSON.stringify(tls))
  return startHelper(folder, 'hook.ts', await freePort(), [APP.consumerSecret, ...(tls ? [file] : [])])
}

/** Starts the loop that posts the bodies of deliveries; it ends by itself. */
export function startBarePosts(folder: string, posts: BarePosts): Promise<Running> {
  const file = join(folder, 'bare-post.json')
  writeFileSync(file, JSON.stringify(posts))
  return startHelper(folder, 'bare-post.ts', 0, [file])
}

/** Starts the server that commits a row for each request. */
export const startRow = async (folder: string): Promise<Running> =>
  startHelper(folder, 'row.ts', await freePort(), [])

/** What the bare server says: by method and path, status and body. */
export interface BareReply {
  method: string
  path: string
  status: number
  type: string
  body: string
  /** The body is JSON that the bare server writes again for each request. */
  serialize?: boolean
}

/** Starts a Fastify server that knows nothing but its replies. */
export async function startBare(folder: string, replies: readonly BareReply[], tls?: Tls): Promise<Running> {
  const file = join(folder, 'bare.json')
  writeFileSync(file, JSON.stringify({ replies, tls }))
  return startHelper(folder, 'bare.ts', await freePort(), [file])
}

/** Files with a certificate, its key, and who signed it. */
export interface Tls {
  authority: string
  certificate: string
  key: string
}

export interface PlazaOptions {
  /** The folder of the run; data are kept below it. */
  folder: string
  data?: string
  /** Plain HTTP behind a pretended proxy without it. */
  tls?: Tls | undefined
  spares?: number
  apps?: number
  logs?: boolean
  more?: readonly string[]
  /** Before the command, for the profiler. */
  nodeArgs?: readonly string[]
}

export interface RunningPlaza {
  process: Running
  adsPort: number
  sandboxPort: number
  consolePort: number
  data: string
}

/** Starts Plaza as an operator would, rate limits off, and waits for its ready file. */
export async function startPlaza(options: PlazaOptions): Promise<RunningPlaza> {
  const { folder, tls } = options
  const data = options.data ?? join(folder, 'data')
  const seedFile = join(folder, 'seed.json')
  const ready = join(folder, 'plaza.ready')
  rmSync(ready, { force: true })
  writeFileSync(seedFile, JSON.stringify(seed(options.spares ?? 0, options.apps ?? 0)))
  const [core, ads, sandbox, consolePort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const args = [
    ...(options.nodeArgs ?? []),
    COMMAND,
    'start',
    ...['--data', data, '--seed', seedFile, '--ready-file', ready, '--rate-limits', 'off'],
    ...['--core-port', String(core), '--ads-port', String(ads), '--ads-sandbox-port', String(sandbox)],
    ...['--console-port', String(consolePort), '--core-url', `https://${PUBLIC_HOST}`],
    ...['--ads-url', `https://${PUBLIC_HOST}`, '--ads-sandbox-url', `https://${PUBLIC_HOST}`],
    ...['--log-level', (options.logs ?? true) ? 'info' : 'error'],
    ...(tls ? ['--tls-certificate', tls.certificate, '--tls-key', tls.key] : ['--behind-proxy']),
    ...(options.more ?? []),
  ]
  const process = await start(args, core, () => existsSync(ready))
  return { process, adsPort: ads, sandboxPort: sandbox, consolePort, data }
}
