import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Call } from './command.ts'
import { isPlaza, runningPid } from './process.ts'
import { secondsOf } from './values.ts'

const DEFAULT_TIMEOUT_SECONDS = 30
const LOOK_EVERY_MS = 50
/** A killed process ends at once, unless it waits in a system call. */
const KILL_MS = 5_000

/** `plaza stop`: stops a running Plaza in an orderly way and waits for it. */
export async function run({ flags, config }: Call): Promise<number> {
  const timeoutMs = secondsOf(flags, 'timeout', DEFAULT_TIMEOUT_SECONDS) * 1000
  const pid = runningPid(config)
  if (pid === undefined) throw new Error(`No Plaza is running ${whereOf(config)}.`)
  process.kill(pid, 'SIGTERM')
  const ended = (await hasEnded(pid, timeoutMs)) || (flags.on('force') && (await kill(pid)))
  if (!ended)
    throw new Error(
      `Plaza is still running as process ${pid} after ${timeoutMs / 1000} s. Wait longer with --timeout, or kill it with --force.`,
    )
  // Removes the files of a killed process.
  runningPid(config, pid)
  console.log(flags.on('json') ? JSON.stringify({ pid }) : `Plaza has stopped (process ${pid}).`)
  return 0
}

const whereOf = ({ readyFile, data }: Config) =>
  readyFile === undefined ? `with the data folder ${resolve(data)}` : `with the ready file ${readyFile}`

function kill(pid: number): Promise<boolean> {
  process.kill(pid, 'SIGKILL')
  return hasEnded(pid, KILL_MS)
}

async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (isPlaza(pid)) {
    if (performance.now() >= deadline) return false
    await sleep(LOOK_EVERY_MS)
  }
  return true
}
