import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Thread, transferable } from '../../../platform/common/thread.ts'
import { StoreUnavailable } from '../../../platform/storage/store.ts'
import type { Words } from '../check.ts'
import type { Accepted, MemberCopies, MemberStore, MembershipState, Step, Upload } from '../membership.ts'
import { maintenanceIsDue, mergeIsDue, readStates } from '../reads.ts'
import type { Tally, TallyRequest } from '../tally.ts'
import { copyFile, copyTogether } from './copy.ts'
import { type MemberFiles, openReader } from './database.ts'
import type { Intake, IntakeData } from './intake.ts'
import type { Merger, MergerData } from './merger.ts'
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts'

export interface SqliteMembersOptions {
  /** Undefined: the files are temporary, and removed at the end. */
  folder: string | undefined
  /** Of temporary files: what to begin with. */
  copyOf?: MemberCopies | undefined
  words: Words
  maxWaitingBytes: number
  /** Rows per step of maintenance, for tests. */
  stepRows?: number
}

const LOG_FILE = 'membership-log.db'
const MEMBERS_FILE = 'membership.db'
const NOTHING: Step = { keys: 0, more: false }
/**
 * What statements return becomes garbage soon. The earlier it is collected, the less memory it
 * takes.
 */
const MERGER_LIMITS = { maxYoungGenerationSizeMb: 2 }
/**
 * The lower the limit, the earlier V8 collects. A parsed body of 5 MB takes at most a third of it.
 */
const INTAKE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 }

/**
 * Members in two files next to the store: a log to which uploads are appended, and the members
 * themselves. One thread checks and appends, another merges; the main thread only reads. The files
 * are opened with the first upload.
 */
export class SqliteMembers implements MemberStore {
  readonly #options: SqliteMembersOptions
  #temporary: TemporaryFolder | undefined
  #isReady = false
  #reader: ReturnType<typeof openReader> | undefined
  #intake: Thread<Intake> | undefined
  #merger: Thread<Merger> | undefined

  constructor(options: SqliteMembersOptions) {
    this.#options = options
  }

  async take(upload: Upload, now: number): Promise<Accepted | 'full'> {
    const body = transferable(upload.body)
    return this.#ask((intake) =>
      intake.call('take', [{ ...upload, body }, now], [body.buffer as ArrayBuffer]),
    )
  }

  async forget(audience: string, now: number): Promise<void> {
    if (this.#exists()) await this.#ask((intake) => intake.call('forget', [audience, now]))
  }

  async states(audiences: readonly string[], now: number): Promise<Map<string, MembershipState>> {
    const reader = await this.#opened()
    if (reader) return readStates(reader, audiences, now)
    return new Map(audiences.map((id) => [id, { processing: true, size: 0 }]))
  }

  async tally(request: TallyRequest): Promise<Tally> {
    if (!(await this.#opened())) return { people: 0, waits: false, now: request.now }
    return this.#mergingThread().call('tally', [request])
  }

  async merge(until: number, now: number): Promise<Step> {
    const reader = await this.#opened()
    // A process without uploads needs no thread.
    if (!reader || (!this.#merger && !(await mergeIsDue(reader, { until, now })))) return NOTHING
    return this.#mergingThread().call('merge', [until, now])
  }

  async maintain(now: number): Promise<Step> {
    const reader = await this.#opened()
    if (!reader || (!this.#merger && !(await maintenanceIsDue(reader, now)))) return NOTHING
    return this.#mergingThread().call('maintain', [now])
  }

  async copyInto(copies: MemberCopies): Promise<boolean> {
    if (!(await this.#opened())) return false
    await copyTogether(this.#files, copies)
    return true
  }

  async close(): Promise<void> {
    await Promise.all([this.#intake?.close(), this.#merger?.close()])
    this.#reader?.close()
    this.#temporary?.remove()
  }

  /** Whether the files exist. Without audiences, nothing is opened. */
  #exists(): boolean {
    const { folder, copyOf } = this.#options
    if (this.#intake !== undefined || copyOf !== undefined) return true
    return folder !== undefined && existsSync(join(folder, MEMBERS_FILE))
  }

  /** The files, opened for reading; undefined while they do not exist. */
  async #opened() {
    if (this.#reader || !this.#exists()) return this.#reader
    // A thread opens them first: recovery after a killed process may take long.
    return this.#ask(() => (this.#reader ??= openReader(this.#files)))
  }

  #path(name: string): string {
    if (this.#options.folder !== undefined) return join(this.#options.folder, name)
    this.#temporary ??= this.#filledFolder()
    return join(this.#temporary.path, name)
  }

  #filledFolder(): TemporaryFolder {
    const made = makeTemporaryFolder()
    const { copyOf } = this.#options
    if (copyOf) {
      copyFile(copyOf.log, join(made.path, LOG_FILE))
      copyFile(copyOf.members, join(made.path, MEMBERS_FILE))
    }
    return made
  }

  get #files(): MemberFiles {
    return {
      log: this.#path(LOG_FILE),
      members: this.#path(MEMBERS_FILE),
      durability: this.#options.folder === undefined ? 'OFF' : 'FULL',
    }
  }

  /**
   * Sends a request to the intake thread. Rejects with StoreUnavailable if the disk is full or
   * fails.
   */
  async #ask<Answer>(work: (intake: Thread<Intake>) => Promise<Answer> | Answer): Promise<Answer> {
    try {
      return await work(await this.#taker())
    } catch (error) {
      throw isOfDisk(error) ? new StoreUnavailable(error.message, { cause: error }) : error
    }
  }

  /** The intake thread, once it has created the files. */
  async #taker(): Promise<Thread<Intake>> {
    if (!this.#intake?.alive) {
      const { words, maxWaitingBytes } = this.#options
      const data: IntakeData = { words, maxWaitingBytes, ...this.#files }
      this.#intake = new Thread<Intake>(new URL('./intake.ts', import.meta.url), data, INTAKE_LIMITS)
    }
    const intake = this.#intake
    if (!this.#isReady) {
      await intake.call('ready', [])
      this.#isReady = true
    }
    return intake
  }

  #mergingThread(): Thread<Merger> {
    if (!this.#merger?.alive) {
      const { stepRows: rows } = this.#options
      const data: MergerData = { ...this.#files, ...(rows !== undefined && { limits: { rows } }) }
      this.#merger = new Thread<Merger>(new URL('./merger.ts', import.meta.url), data, MERGER_LIMITS)
    }
    return this.#merger
  }
}

/**
 * Whether an error comes from SQLite or from a system call. SQLite errors are the disk's, because
 * the statements are fixed.
 */
const isOfDisk = (error: unknown): error is Error =>
  error instanceof Error && ((error as { code?: string }).code === 'ERR_SQLITE_ERROR' || 'syscall' in error)
