import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programOf } from './programs.ts'
import { NEVER_MS } from './until.ts'

// Database servers that only one test uses, and that it may stop, restart and empty.

/** The programs of the newest PostgreSQL on this machine; undefined if there is none. */
const postgresPrograms =
  process.env.PLAZA_TEST_POSTGRES_BIN ??
  globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .sort((a, b) => Number(b.split('/')[4]) - Number(a.split('/')[4]))[0]

const redisProgram = process.env.PLAZA_TEST_REDIS_SERVER ?? 'redis-server'

/** PostgreSQL does not run as root, so the user `postgres` of the machine runs it. */
const unprivileged = process.geteuid?.() === 0 ? idsOf('postgres') : undefined

function idsOf(user: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/**
 * Why a test that needs a PostgreSQL server of its own cannot run here, in the form of node:test's
 * `skip`.
 */
export const noOwnPostgres: string | false =
  postgresPrograms === undefined || !existsSync(join(postgresPrograms, 'initdb'))
    ? 'initdb is not installed: name the folder of the PostgreSQL programs in PLAZA_TEST_POSTGRES_BIN'
    : process.geteuid?.() === 0 && !unprivileged
      ? 'PostgreSQL does not run as root: add a user "postgres", or run the tests as another user'
      : false

/**
 * Why a test that needs a Redis server of its own cannot run here, in the form of node:test's
 * `skip`.
 */
export const noOwnRedis: string | false =
  spawnSync(redisProgram, ['--version']).status === 0
    ? false
    : 'redis-server is not installed: name the program in PLAZA_TEST_REDIS_SERVER'

/** A server that the test may do anything to. */
export interface OwnServer {
  readonly url: string
  readonly port: number
  start(): Promise<void>
  /** Ends every connection and the process. What is on disk stays. */
  stop(): Promise<void>
  /** Stops it and removes what it stored. */
  remove(): Promise<void>
}

/**
 * A PostgreSQL server with an empty database `test` and the user `postgres`. It is stopped in its
 * `fast` mode.
 */
export async function ownPostgres({ password }: { password?: string } = {}): Promise<OwnServer> {
  const folder = ownFolder()
  const data = join(folder, 'data')
  const programs = postgresPrograms as string
  const options = { ...unprivileged, cwd: folder, stdio: 'ignore' } as const
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    options,
  )
  if (password !== undefined) await requirePassword(programs, data, password)
  const server = await ownServer(folder, 'SIGINT', (port) =>
    spawn(
      join(programs, 'postgres'),
      ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-c', 'fsync=off'],
      options,
    ),
  )
  await server.start()
  const login = password === undefined ? 'postgres' : `postgres:${password}`
  const url = `postgres://${login}@127.0.0.1:${server.port}`
  await inDatabase(`${url}/postgres`, 'CREATE DATABASE test')
  return { ...server, url: `${url}/test` }
}

async function requirePassword(programs: string, data: string, password: string): Promise<void> {
  const options = { ...unprivileged, cwd: data } as const
  execFileSync(join(programs, 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...options,
    input: `ALTER USER postgres PASSWORD '${password}'\n`,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const rules = 'host all all 127.0.0.1/32 scram-sha-256\nlocal all all scram-sha-256\n'
  writeFileSync(join(data, 'pg_hba.conf'), rules)
}

/** Runs one statement on a separate connection. Retries until the server accepts connections. */
export async function inDatabase(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const pg = (await import('pg')).default
  const deadline = Date.now() + NEVER_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url, application_name: 'test' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query(sql)).rows
    } catch (error) {
      // The server is starting up.
      if ((error as { code?: string }).code !== '57P03' || Date.now() > deadline) throw error
      await sleep(20)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** A Redis server without persistence: a restart empties it. */
export async function ownRedis({ args = [] }: { args?: string[] } = {}): Promise<OwnServer> {
  const folder = ownFolder()
  const server = await ownServer(folder, 'SIGTERM', (port) =>
    spawn(
      redisProgram,
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...args],
      { ...unprivileged, cwd: folder, stdio: 'ignore' },
    ),
  )
  await server.start()
  return { ...server, url: `redis://127.0.0.1:${server.port}` }
}

const pgBouncerProgram = process.env.PLAZA_TEST_PGBOUNCER ?? programOf('pgbouncer') ?? '/usr/sbin/pgbouncer'

/** Why a test that needs PgBouncer cannot run here, in the form of node:test's `skip`. */
export const noPgBouncer: string | false = existsSync(pgBouncerProgram)
  ? false
  : 'pgbouncer is not installed: name the program in PLAZA_TEST_PGBOUNCER'

/** PgBouncer in front of a PostgreSQL server, to which it passes on no settings of connections. */
export async function ownPgBouncer(
  server: OwnServer,
  { poolMode, ignored }: { poolMode: 'session' | 'transaction'; ignored: string },
): Promise<OwnServer> {
  const folder = ownFolder()
  const settings = join(folder, 'pgbouncer.ini')
  const bouncer = await ownServer(folder, 'SIGTERM', (port) => {
    const lines = [
      '[databases]',
      `test = host=127.0.0.1 port=${server.port} user=postgres`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${poolMode}`,
      `ignore_startup_parameters = ${ignored}`,
    ]
    writeFileSync(settings, lines.join('\n'))
    return spawn(pgBouncerProgram, [settings], { ...unprivileged, cwd: folder, stdio: 'ignore' })
  })
  await bouncer.start()
  return { ...bouncer, url: `postgres://postgres@127.0.0.1:${bouncer.port}/test` }
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-own-'))
  if (unprivileged) chownSync(folder, unprivileged.uid, unprivileged.gid)
  return folder
}

/** None of them outlives the tests, however these end. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function ownServer(
  folder: string,
  stopSignal: NodeJS.Signals,
  launch: (port: number) => ChildProcess,
): Promise<Omit<OwnServer, 'url'>> {
  const port = await freePort()
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()
  async function stop() {
    if (!child) return
    child.kill(stopSignal)
    await ended
    child = undefined
  }
  return {
    port,
    async start() {
      const started = launch(port)
      child = started
      running.add(started)
      ended = new Promise((resolve) => started.once('exit', resolve)).then(() => running.delete(started))
      const deadline = Date.now() + NEVER_MS
      while (!(await accepts(port))) {
        if (started.exitCode !== null || Date.now() > deadline)
          throw new Error(`a server of the test did not start on port ${port}`)
        await sleep(10)
      }
    },
    stop,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
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
