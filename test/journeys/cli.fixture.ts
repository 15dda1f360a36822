import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ReadyFile } from '../../src/app/cli/files.ts'
import { smallSeed } from '../support/small-seed.ts'
import { NEVER_MS } from '../support/until.ts'

export const PROGRAM = fileURLToPath(new URL('../../bin/plaza.mjs', import.meta.url))
/** The Node of the package `node`. */
export const PINNED_NODE = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
export const FREE_PORTS = ['--core-port=0', '--ads-port=0', '--ads-sandbox-port=0', '--console-port=0']

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  /** Standard output, unchanged. */
  bytes: Buffer
  stderr: string
}

export interface Running {
  child: ChildProcess
  ended: Promise<Ended>
  stop(signal: NodeJS.Signals): void
  stdout(): string
  stderr(): string
}

export interface RunOptions {
  node?: string
  env?: Record<string, string>
  cwd?: string
}

const cleanups = new WeakMap<TestContext, (() => unknown)[]>()

/** Cleanups after a test, in this order: hooks of a test run in the order of registration. */
function cleanupOf(t: TestContext): (() => unknown)[] {
  const known = cleanups.get(t)
  if (known) return known
  const steps: (() => unknown)[] = []
  cleanups.set(t, steps)
  t.after(async () => {
    for (const step of steps) await step()
  })
  return steps
}

/** Starts `plaza` in a separate process, which ends with the test. */
export const spawnPlaza = (t: TestContext, args: readonly string[], options: RunOptions = {}): Running =>
  spawnProcess(t, [options.node ?? process.execPath, PROGRAM, ...args], options)

/** Starts a command line in a shell with its own process group, which gets every signal. */
export const spawnShell = (t: TestContext, line: string, options: RunOptions = {}): Running =>
  spawnProcess(t, ['/bin/sh', '-c', line], options, true)

/** Sends a signal to a process or, like a terminal, to its group if it has one. */
const kill = (child: ChildProcess, signal: NodeJS.Signals, isGroup: boolean) => {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // It has ended.
  }
}

function spawnProcess(
  t: TestContext,
  [program = '', ...args]: readonly string[],
  options: RunOptions,
  isGroup = false,
): Running {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLAZA|NODE|npm)_/.test(name))
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(inherited), ...options.env },
    cwd: options.cwd ?? tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  })
  let stdout = ''
  const chunks: Buffer[] = []
  const decoder = new StringDecoder()
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    stdout += decoder.write(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout, bytes: Buffer.concat(chunks), stderr }),
    )
  })
  cleanupOf(t).unshift(async () => {
    if (isGroup || (child.exitCode === null && child.signalCode === null)) kill(child, 'SIGKILL', isGroup)
    await ended
  })
  const stop = (signal: NodeJS.Signals) => kill(child, signal, isGroup)
  return { child, ended, stop, stdout: () => stdout, stderr: () => stderr }
}

/** Runs `plaza` to its end. */
export const runPlaza = (t: TestContext, args: readonly string[], options?: RunOptions) =>
  spawnPlaza(t, args, options).ended

/** A folder that is removed after the test, once its processes have ended. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-cli-'))
  cleanupOf(t).push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Waits for a condition. Fails with the output of the process if it is never met. */
export async function until<T>(running: Running, what: string, look: () => T | undefined): Promise<T> {
  const deadline = performance.now() + NEVER_MS
  for (;;) {
    const seen = look()
    if (seen !== undefined && seen !== false) return seen
    const { exitCode } = running.child
    if (exitCode !== null || performance.now() > deadline)
      throw new Error(`${what} never came (exit code ${exitCode}): ${running.stdout()}${running.stderr()}`)
    await sleep(10)
  }
}

export interface Started extends Running {
  data: string
  readyPath: string
  ready: ReadyFile
}

/** `plaza start` on free ports, once its ready file is there. */
export async function startCli(
  t: TestContext,
  {
    folder = temporaryFolder(t),
    args = [],
    ...options
  }: RunOptions & { folder?: string; args?: string[] } = {},
): Promise<Started> {
  const data = join(folder, 'data')
  const readyPath = join(folder, 'ready.json')
  const all = ['start', `--data=${data}`, `--ready-file=${readyPath}`, ...FREE_PORTS, ...args]
  const running = spawnPlaza(t, all, options)
  const ready = await until(running, 'the ready file', () =>
    existsSync(readyPath) ? (JSON.parse(readFileSync(readyPath, 'utf8')) as ReadyFile) : undefined,
  )
  await until(running, 'the message', () => running.stdout().endsWith('\n') || undefined)
  return { ...running, data, readyPath, ready }
}

/** The flag for a seed without content, so that a test sees only what it adds. */
export function smallSeedFlag(t: TestContext): string {
  const file = join(temporaryFolder(t), 'seed.json')
  writeFileSync(file, JSON.stringify(smallSeed))
  return `--seed=${file}`
}

/** Stops a process, and resolves to how it ended. */
export function stopCli(running: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
  running.stop(signal)
  return running.ended
}

/** A Node of this machine that is too old to run TypeScript; undefined when it has none. */
export function oldNode(): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    if (!existsSync(node)) continue
    const major = Number(/^v([0-9]+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout)?.[1])
    if (major >= 20 && major < 24) return node
  }
  return undefined
}
