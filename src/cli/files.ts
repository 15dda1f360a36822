import { accessSync, constants, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../common/make-folder.ts'
import { systemRandom } from '../common/random.ts'
import { errorCode, writeAtomically } from '../storage/atomic-file.ts'
import type { Identities } from './identities.ts'

/** Where a running Plaza is, for the commands beside it. Holds no secret. */
export interface RunningFile {
  core_url: string
  ads_url: string
  ads_sandbox_url: string
  console_url: string
  /** Where the listeners listen, whatever the public URLs are. */
  core_port: number
  ads_port: number
  ads_sandbox_port: number
  console_port: number
  /** Null when the certificate was given. */
  ca_file: string | null
  pid: number
}

/** What `--ready-file` holds: everything that a program needs to begin. */
export interface ReadyFile extends RunningFile, Identities {}

/** The file in the data folder with the URLs of its running Plaza. */
export const runningFileOf = (data: string) => join(resolve(data), 'plaza.json')

/** Throws if a file cannot be written: its folder is missing and cannot be made, or is read-only. */
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

/** Writes one JSON object that only its owner may read, all of it at once. */
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

/** Reads such a file; undefined when there is none. */
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
    // A file of another process is kept.
  }
}

/** Removes what a process left that did not end by itself: a script that waits must not read it. */
export function removeStaleFacts(path: string, endedPid?: number): void {
  try {
    const pid = readFacts(path)?.pid
    if (pid !== undefined && (pid === endedPid || !isAlive(pid))) rmSync(path, { force: true })
  } catch {
    // An error is reported when the file is replaced.
  }
}

/** Whether a process of this number runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}
