import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { isAlive, readFacts, removeStaleFacts, runningFileOf } from './files.ts'

/** The pid file of a detached process with --memory, until its ready file exists. */
export const pidFileOf = ({ memory, readyFile }: Config) =>
  memory && readyFile !== undefined ? `${resolve(readyFile)}.pid` : undefined

/**
 * The process id of the Plaza that the settings name, by its ready file if one is given, otherwise by its data folder.
 * Removes the files of a process that has ended, and those of `endedPid`, which the system may still list for a moment.
 */
export function runningPid(config: Config, endedPid?: number): number | undefined {
  const { readyFile, data } = config
  const facts = readyFile ?? runningFileOf(data)
  const files = readyFile === undefined ? [join(resolve(data), 'plaza.pid')] : [`${resolve(readyFile)}.pid`]
  for (const pid of [readFacts(facts)?.pid, ...files.map(readPid)])
    if (pid !== undefined && pid !== endedPid && isPlaza(pid)) return pid
  removeStaleFacts(facts, endedPid)
  if (readyFile !== undefined) for (const file of files) rmSync(file, { force: true })
  return undefined
}

function readPid(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : undefined
  } catch {
    return undefined
  }
}

/** Whether a process runs and is a Plaza. The system may have reused the process id for another program. */
export function isPlaza(pid: number): boolean {
  if (!isAlive(pid) || isZombie(pid)) return false
  const command = commandOf(pid)
  return command === undefined || /plaza|main\.[jt]s/.test(command)
}

/** In a container, there may be no process that reaps ended processes. */
function isZombie(pid: number): boolean {
  try {
    return /^.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The command line of a process; undefined if the system does not report it. */
function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    const { status, stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    return status === 0 ? stdout : undefined
  }
}
