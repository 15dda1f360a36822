import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { systemClock } from '../../platform/common/clock.ts'
import { makeFolder } from '../../platform/common/make-folder.ts'
import type { Config } from '../../platform/config/config.ts'
import { beside } from './beside.ts'
import { type Flags, UsageError } from './command.ts'
import { readFacts, rejectUnwritable, runningFileOf } from './files.ts'
import { pidFileOf, runningServer, writePidFile } from './process.ts'
import { programWords } from './program.ts'
import { PROCESS } from './settings.ts'
import { stopSignal } from './signals.ts'
import { secondsOf } from './values.ts'

const DEFAULT_TIMEOUT_SECONDS = 60
/** How long an aborted start may take to exit. */
const END_MS = 5_000
/** How long `/ready` may take to reply: a little longer than a check. */
const READY_MS = 6_000

/**
 * `plaza start --detach`: starts the server as a separate process. With `--wait` it resolves once
 * the server is ready, to 0, or to the exit code of a start that failed.
 */
export async function startDetached(flags: Flags, config: Config): Promise<number> {
  if (config.memory && config.readyFile === undefined)
    throw new UsageError(
      '--detach with --memory needs --ready-file FILE: "plaza stop" finds the process by it',
    )
  const timeoutMs = secondsOf(flags, 'timeout', DEFAULT_TIMEOUT_SECONDS) * 1000
  const waits = flags.on('wait')
  if (config.readyFile !== undefined) rejectUnwritable(config.readyFile)
  const running = runningServer(config)
  if (running)
    throw new Error(
      `Plaza is already running as process ${running.pid}. Stop it first: ${stopCommand(config)}`,
    )
  const log = openLog(flags.text('log-file') ?? defaultLog(config))
  const child = spawnServer(log, waits)
  const pidFile = pidFileOf(config)
  if (pidFile !== undefined && child.pid !== undefined) writePidFile(pidFile, child.pid)
  if (!flags.on('json'))
    console.error(`Plaza is starting in the background as process ${child.pid}. Its log is ${log.path}`)
  const code = waits ? await outcome(child, log, { config, timeoutMs }) : 0
  if (code !== 0 && pidFile !== undefined) rmSync(pidFile, { force: true })
  child.unref()
  return code
}

const defaultLog = ({ memory, readyFile, data }: Config) =>
  memory ? `${readyFile}.log` : join(data, 'plaza.log')

const stopCommand = (config: Config) =>
  [programWords(), 'stop', ...(beside(config, PROCESS)?.flags ?? [])].join(' ')

interface LogFile {
  readonly path: string
  readonly descriptor: number
  /** Where the output of this start begins in the log. */
  readonly start: number
}

function openLog(file: string): LogFile {
  const path = resolve(file)
  makeFolder(dirname(path), 0o700)
  const descriptor = openSync(path, 'a', 0o600)
  return { path, descriptor, start: fstatSync(descriptor).size }
}

/**
 * While this process waits, it receives the ready message of the server. Otherwise the message goes
 * to the log.
 */
function spawnServer(log: LogFile, waits: boolean): ChildProcess {
  const [script = '', ...args] = process.argv.slice(1)
  const child = spawn(process.execPath, [...process.execArgv, script, ...args, '--detached'], {
    detached: true,
    stdio: ['ignore', waits ? 'pipe' : log.descriptor, log.descriptor],
  })
  closeSync(log.descriptor)
  return child
}

interface Limit {
  config: Config
  timeoutMs: number
}

/** Waits until the server is ready or has ended, or the timeout has passed. */
async function outcome(child: ChildProcess, log: LogFile, limit: Limit): Promise<number> {
  let printed = ''
  const over = new AbortController()
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
  const ready = new Promise<'ready'>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.endsWith('\n')) resolve('ready')
    })
  })
  const late = lateStart(limit, over.signal)
  const first = await Promise.race([ended, ready, late, stopSignal().then(() => 'stopped' as const)])
  over.abort()
  // A failed start prints its JSON error just before it exits.
  const result = first === 'ready' ? await Promise.race([ended, isServing(printed)]) : first
  if (result === 'late' || result === 'stopped') await end(child, ended)
  child.stdout?.destroy()
  process.stdout.write(printed)
  if (result === 'ready') return 0
  process.stderr.write(readFileSync(log.path).subarray(log.start))
  if (result === 'late')
    console.error(`plaza: Plaza was not ready within ${limit.timeoutMs / 1000} s and was stopped.`)
  return typeof result === 'number' && result !== 0 ? result : 1
}

/**
 * Resolves when a start has taken too long. While the server catches up with earlier changes, the
 * time begins anew with each progress: stopped in the middle, it would never be ready.
 */
async function lateStart({ config, timeoutMs }: Limit, signal: AbortSignal): Promise<'late'> {
  for (let before: string | undefined; ; ) {
    if (!(await systemClock.at(systemClock.now() + timeoutMs, signal))) return 'late'
    const now = await waitingOf(config)
    if (now === undefined || now === before) return 'late'
    before = now
  }
}

/**
 * What a server that runs is waiting for; undefined when it waits for nothing, or does not run yet.
 */
async function waitingOf({ memory, data }: Config): Promise<string | undefined> {
  try {
    const facts = memory ? undefined : readFacts(runningFileOf(data))
    if (!facts) return undefined
    const reply = await fetch(`${facts.console_url}/ready`, { signal: AbortSignal.timeout(READY_MS) })
    const text = await reply.text()
    return text.includes('"waiting"') ? text : undefined
  } catch {
    return undefined
  }
}

/** Never resolves if the line is a JSON error: then the process exits by itself. */
const isServing = (printed: string) =>
  new Promise<'ready'>((resolve) => {
    if (!printed.startsWith('{"error":')) resolve('ready')
  })

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS)
  await ended
  clearTimeout(timer)
}
