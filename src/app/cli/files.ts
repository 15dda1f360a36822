import { accessSync, constants, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../../platform/common/make-folder.ts'
import { processStart } from '../../platform/common/process-start.ts'
import { systemRandom } from '../../platform/common/random.ts'
import type { Config } from '../../platform/config/config.ts'
import { errorCode, writeAtomically } from '../../platform/storage/atomic-file.ts'
import type { Identities } from './identities.ts'

/** Where a Plaza runs, for commands on the same machine. Contains no secret. */
export interface RunningFile {
  core_url: string
  ads_url: string
  ads_sandbox_url: string
  console_url: string
  /** The ports of the listeners, whatever the public URLs are. */
  core_port: number
  ads_port: number
  ads_sandbox_port: number
  console_port: number
  /** Null when the operator provided the certificate. */
  ca_file: string | null
  /** Whether commands can use the admin API. */
  admin_api: boolean
  /** Its PostgreSQL database, without a user or a password; null for the embedded one. */
  database: string | null
  pid: number
  /** Tells the process from a later one with its id. */
  pid_started: string
}

/** Names the PostgreSQL database of a configuration, without secrets; null for the embedded one. */
export function databaseOf({ databaseUrl, databaseSchema }: Config): string | null {
  if (databaseUrl === undefined) return null
  const { hostname = '', port = '', pathname = '' } = URL.parse(databaseUrl) ?? {}
  return `${hostname}:${port || '5432'}${pathname} ${databaseSchema}`
}

/** The content of `--ready-file`: everything that a program needs to begin. */
export interface ReadyFile extends RunningFile, Identities {}

/** The file in the data folder with the URLs of its running Plaza. */
export const runningFileOf = (data: string) => join(resolve(data), 'plaza.json')

/** Throws if a file cannot be written, because its folder cannot be created or is read-only. */
export function rejectUnwritable(path: string): void {
  try {
    makeFolder(dirname(path))
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw unwritable(path, error)
  }
}

const unwritable = (path: string, cause: unknown) =>
  new Error(`Cannot write ${path} (${errorCode(cause) ?? cause}).`, { cause })

/** Writes a JSON object to a file atomically. Only its owner can read the file. */
export function writeFacts(path: string, facts: RunningFile): void {
  try {
    makeFolder(dirname(path))
    writeAtomically(resolve(path), `${JSON.stringify(facts)}\n`, {
      mode: 0o600,
      keepExisting: false,
      random: systemRandom,
    })
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Reads such a file; undefined if it does not exist. */
export function readFacts<Facts extends RunningFile>(path: string): Facts | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new Error(`Cannot read ${path} (${errorCode(error) ?? error}).`, { cause: error })
  }
  try {
    const facts = JSON.parse(text) as Facts
    if (typeof facts.core_url === 'string') return facts
  } catch {
    // Reported below.
  }
  throw new Error(`${path} is not a file that a running Plaza wrote.`)
}

/** Removes such a file, unless another process has written it since. */
export function removeFacts(path: string): void {
  try {
    if (readFacts(path)?.pid === process.pid) rmSync(path, { force: true })
  } catch {
    // The file belongs to another process.
  }
}

/** Whether the process that wrote such a file is running. */
export const isRunning = (one: Pick<RunningFile, 'pid' | 'pid_started'>): boolean =>
  processStart(one.pid) === one.pid_started

/** Removes the file of a process that was killed, so that a waiting script does not read it. */
export function removeStaleFacts(path: string, endedPid?: number): void {
  try {
    const facts = readFacts(path)
    if (facts && (facts.pid === endedPid || !isRunning(facts))) rmSync(path, { force: true })
  } catch {
    // The error is reported when the file is replaced.
  }
}
