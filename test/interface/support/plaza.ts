import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

interface ReadyUser {
  id: string
  screen_name: string
  password: string
  access_token: string
  access_token_secret: string
}

/** The members of the ready file that the suite uses. */
export interface Ready {
  core_url: string
  ads_url: string
  ads_sandbox_url: string
  core_port: number
  ads_port: number
  ca_file: string | null
  app: {
    id: string
    consumer_key: string
    consumer_secret: string
    client_id: string
    client_secret: string
  }
  user: ReadyUser
  advertiser: ReadyUser
  accounts: { id: string; environment: string; name: string; funding_instrument_ids: string[] }[]
}

/** The Plaza under test. */
export interface Server {
  ready: Ready
  /**
   * Another Plaza, with the suite as its proxy; only if a row needs it and the suite started this
   * one.
   */
  proxied: Promise<Server> | undefined
  /**
   * Another Plaza with the seed of the suite and low usage caps; only if a row needs it and the
   * suite started this one.
   */
  capped: Promise<Server> | undefined
  /** Runs a command for a Plaza that the suite started, and resolves to its output. */
  command: ((...args: string[]) => Promise<string>) | undefined
  close(): Promise<unknown>
}

const PROGRAM = fileURLToPath(new URL('../../../bin/plaza.mjs', import.meta.url))
/**
 * The users and apps that literals name, in addition to those of the ready file: pass it to your
 * own Plaza with `--seed`.
 */
export const SEED_FILE = fileURLToPath(new URL('../seed.json', import.meta.url))
const LOOK_MS = 10

/**
 * The Plaza that `PLAZA_READY_FILE` names, or one that the suite starts, with those of the `others`
 * that are needed.
 */
export async function openServer(others: { proxied: boolean; capped: boolean }): Promise<Server> {
  const file = process.env.PLAZA_READY_FILE
  if (file !== undefined)
    return {
      ready: read(file),
      command: undefined,
      proxied: undefined,
      capped: undefined,
      close: async () => undefined,
    }
  const proxied = others.proxied ? startServer(PROXIED) : undefined
  const capped = others.capped ? startServer(CAPPED, writeCappedSeed) : undefined
  // Long enough to cancel a job.
  const server = await startServer([`--seed=${SEED_FILE}`, '--stats-job-seconds=1'])
  const close = () => Promise.all([server, proxied, capped].map(async (one) => (await one)?.close()))
  return { ...server, proxied, capped, close }
}

/**
 * Of the seed, the users whom the Plaza that shows few posts needs: hashing the passwords of all
 * takes seconds.
 */
const CAPPED_USERS = ['demo', 'advertiser']

interface Seed {
  users: { screen_name: string }[]
  apps: { grants?: { user: string }[] }[]
}

/** Writes the seed with these users alone, and resolves to its path. */
async function writeCappedSeed(folder: string): Promise<string> {
  const isKept = (name: string) => CAPPED_USERS.includes(name)
  const seed = JSON.parse(readFileSync(SEED_FILE, 'utf8')) as Seed & { $schema?: string }
  const users = seed.users.filter(({ screen_name }) => isKept(screen_name))
  const apps = seed.apps.map(({ grants = [], ...app }) => ({
    ...app,
    grants: grants.filter(({ user }) => isKept(user)),
  }))
  const path = join(folder, 'seed.json')
  await writeFile(path, JSON.stringify({ ...seed, $schema: undefined, users, apps }))
  return path
}

/** A call returns all of its posts or none: their number decides which cap it exceeds. */
const CAPPED = [
  '--seed-population=0',
  '--memory',
  '--usage-daily-per-app=1',
  '--usage-daily-per-project=2',
  '--usage-monthly-per-app=3',
  '--usage-monthly-per-project=4',
  '--registration-url=https://developer.example.com/enroll',
  `--rate-limits=${fileURLToPath(new URL('../rate-limits.json', import.meta.url))}`,
]

/**
 * The smallest memory for request bodies that Plaza accepts: 9 MiB for unauthenticated callers of
 * one address.
 */
const SMALL = '--body-megabytes=144'
export const UNKNOWN_CALLERS_BYTES = 9 * 1024 * 1024

/** Only callers whom it does not know use it. */
const PROXIED = ['--behind-proxy', '--core-url=https://api.example.com', SMALL, '--memory', '--seed=none']

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Ready

/** Starts a Plaza on free ports with an empty folder; ends it and removes the folder afterwards. */
async function startServer(
  more: readonly string[],
  writeSeed?: (folder: string) => Promise<string>,
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'plaza-interface-'))
  const data = join(folder, 'data')
  const readyFile = join(folder, 'ready.json')
  const ports = ['core', 'ads', 'ads-sandbox', 'console'].map((name) => `--${name}-port=0`)
  const seed = writeSeed ? [`--seed=${await writeSeed(folder)}`] : []
  const settings = [`--data=${data}`, `--ready-file=${readyFile}`, ...ports, ...more, ...seed]
  const plaza = run(['start', ...settings, '--log-level=error'])
  plaza.stdout.resume()
  // A run that ends early leaves nothing behind.
  const stop = () => plaza.kill()
  process.once('exit', stop)
  const ended = once(plaza, 'exit')
  const close = async () => {
    process.off('exit', stop)
    stop()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  while (!existsSync(readyFile)) {
    if (plaza.exitCode !== null) throw new Error(`plaza start ended with code ${plaza.exitCode}`)
    await sleep(LOOK_MS)
  }
  const command = async (...args: string[]) => {
    const program = run([...args, `--data=${data}`])
    const [printed, [code]] = await Promise.all([text(program.stdout), once(program, 'exit')])
    if (code !== 0) throw new Error(`plaza ${args.join(' ')} ended with code ${code}`)
    return printed
  }
  return { ready: read(readyFile), command, proxied: undefined, capped: undefined, close }
}

function run(args: readonly string[]) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLAZA|NODE|npm)_/.test(name))
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: Object.fromEntries(inherited),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
