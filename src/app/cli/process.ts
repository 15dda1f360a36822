import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { processStart } from '../../platform/common/process-start.ts'
import type { Config } from '../../platform/config/config.ts'
import { isRunning, type RunningFile, readFacts, removeStaleFacts, runningFileOf } from './files.ts'

/** A process of Plaza. */
export type PlazaProcess = Pick<RunningFile, 'pid' | 'pid_started'>

/** The pid file of a detached process with --memory, until its ready file exists. */
export const pidFileOf = ({ memory, readyFile }: Config) =>
  memory && readyFile !== undefined ? `${resolve(readyFile)}.pid` : undefined

/** Writes the file of a process that was just started. */
export const writePidFile = (path: string, pid: number) =>
  writeFileSync(path, `${pid}\n${processStart(pid) ?? ''}\n`, { mode: 0o600 })

/**
 * The running server that the settings name, by its ready file if one is given, otherwise by its
 * data folder. Removes the files of a process that has ended, and those of `endedPid`, which the
 * system may still list for a moment.
 */
export function runningServer(config: Config, endedPid?: number): PlazaProcess | undefined {
  const { readyFile, data } = config
  const facts = readyFile ?? runningFileOf(data)
  const files = readyFile === undefined ? [join(resolve(data), 'plaza.pid')] : [`${resolve(readyFile)}.pid`]
  for (const one of [readFacts(facts), ...files.map(readPidFile)])
    if (one !== undefined && one.pid !== endedPid && isRunning(one)) return one
  removeStaleFacts(facts, endedPid)
  if (readyFile !== undefined) for (const file of files) rmSync(file, { force: true })
  return undefined
}

/** Undefined for the file of a command, which does not say when its process started. */
function readPidFile(file: string): PlazaProcess | undefined {
  try {
    const [pid = '', started = ''] = readFileSync(file, 'utf8').trim().split('\n')
    if (!/^[1-9][0-9]{0,9}$/.test(pid) || started === '') return undefined
    return { pid: Number(pid), pid_started: started }
  } catch {
    return undefined
  }
}
