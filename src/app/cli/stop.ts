import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../platform/config/config.ts'
import type { Call } from './command.ts'
import { isRunning } from './files.ts'
import { type PlazaProcess, runningServer } from './process.ts'
import { secondsOf } from './values.ts'

const DEFAULT_TIMEOUT_SECONDS = 30
const LOOK_EVERY_MS = 50
/** A killed process ends at once, unless it waits in a system call. */
const KILL_MS = 5_000

/** `plaza stop`: stops a running Plaza in an orderly way and waits for it. */
export async function run({ flags, config }: Call): Promise<number> {
  const timeoutMs = secondsOf(flags, 'timeout', DEFAULT_TIMEOUT_SECONDS) * 1000
  const server = runningServer(config)
  if (!server) throw new Error(`No Plaza is running ${whereOf(config)}.`)
  const { pid } = server
  process.kill(pid, 'SIGTERM')
  const ended = (await hasEnded(server, timeoutMs)) || (flags.on('force') && (await kill(server)))
  if (!ended)
    throw new Error(
      `Plaza is still running as process ${pid} after ${timeoutMs / 1000} s. Wait longer with --timeout, or kill it with --force.`,
    )
  // Removes the files of a killed process.
  runningServer(config, pid)
  console.log(flags.on('json') ? JSON.stringify({ pid }) : `Plaza has stopped (process ${pid}).`)
  return 0
}

const whereOf = ({ readyFile, data }: Config) =>
  readyFile === undefined ? `with the data folder ${resolve(data)}` : `with the ready file ${readyFile}`

function kill(server: PlazaProcess): Promise<boolean> {
  process.kill(server.pid, 'SIGKILL')
  return hasEnded(server, KILL_MS)
}

async function hasEnded(server: PlazaProcess, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (isRunning(server)) {
    if (performance.now() >= deadline) return false
    await sleep(LOOK_EVERY_MS)
  }
  return true
}
