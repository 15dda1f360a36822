import type { DatabaseSync } from 'node:sqlite'
import type { TimeSource } from '../common/clock.ts'
import { storeError, whenFree } from './sqlite-errors.ts'
import type { SqliteStatements } from './sqlite-statements.ts'
import type { Transaction } from './store.ts'
import { OpenTransaction } from './transaction.ts'

/** A write that waits for its transaction. */
export interface QueuedWrite {
  run(tx: Transaction): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** A write whose transaction was committed. */
export interface CommittedWrite {
  write: QueuedWrite
  tx: OpenTransaction
  value: unknown
}

/** The outcomes of the writes of a group, before any of them is reported. */
export interface GroupOutcome {
  done: CommittedWrite[]
  failed: { write: QueuedWrite; error: unknown }[]
}

interface Options {
  clock: TimeSource
  runWritesTwice: boolean
  busyTimeoutMs: number
  beforeCommit(): void
}

/** Commits groups of writes on the writing connection, each in one transaction. */
export class WriteGroups {
  readonly #db: DatabaseSync
  readonly #statements: SqliteStatements
  readonly #control: ReturnType<typeof controlOf>
  readonly #options: Options
  #commits = 0

  constructor(db: DatabaseSync, statements: SqliteStatements, options: Options) {
    this.#db = db
    this.#statements = statements
    this.#control = controlOf(db)
    this.#options = options
  }

  /** The number of transactions that were committed. */
  get commits(): number {
    return this.#commits
  }

  /**
   * Performs the writes of a group, and commits those that succeed. Rejects when nothing was
   * committed.
   */
  async commit(group: readonly QueuedWrite[]): Promise<GroupOutcome> {
    try {
      await this.#begin()
      const outcome = (await this.#performTogether(group)) ?? (await this.#performApart(group))
      this.#options.beforeCommit()
      this.#control.commit.run()
      this.#commits++
      return outcome
    } catch (error) {
      if (this.#db.isTransaction) this.#control.rollback.run()
      throw storeError(error)
    }
  }

  /** Begins a transaction as soon as no other process writes. */
  #begin(): Promise<unknown> {
    return whenFree(() => this.#control.begin.run(), this.#options.busyTimeoutMs)
  }

  /**
   * Performs writes one after the other without savepoints. A write that fails before it has
   * changed anything has nothing to roll back. Undefined when one fails later: rolling it back
   * would affect the others.
   */
  async #performTogether(group: readonly QueuedWrite[]): Promise<GroupOutcome | undefined> {
    const outcome: GroupOutcome = { done: [], failed: [] }
    for (const write of group) {
      const before = this.#statements.changes
      try {
        outcome.done.push(await this.#perform(write))
      } catch (error) {
        // A full disk may end the whole transaction. A single write rolls all of it back anyway.
        if (group.length === 1 || !this.#db.isTransaction) throw error
        if (this.#statements.changes > before) return undefined
        outcome.failed.push({ write, error: storeError(error) })
      }
    }
    return outcome
  }

  /**
   * Performs writes again from the start, each in a savepoint, which can cost more than the write
   * itself.
   */
  async #performApart(group: readonly QueuedWrite[]): Promise<GroupOutcome> {
    this.#control.rollback.run()
    await this.#begin()
    const outcome: GroupOutcome = { done: [], failed: [] }
    for (const write of group) {
      this.#control.savepoint.run()
      try {
        outcome.done.push(await this.#perform(write))
      } catch (error) {
        if (!this.#db.isTransaction) throw error
        this.#control.undo.run()
        outcome.failed.push({ write, error: storeError(error) })
      }
      this.#control.release.run()
    }
    return outcome
  }

  async #perform(write: QueuedWrite): Promise<CommittedWrite> {
    if (this.#options.runWritesTwice) await this.#performInVain(write)
    const tx = new OpenTransaction(this.#statements, this.#options.clock)
    return { write, tx, value: await tx.perform(write.run) }
  }

  async #performInVain({ run }: QueuedWrite): Promise<void> {
    this.#control.inVain.run()
    try {
      await new OpenTransaction(this.#statements, this.#options.clock).perform(run)
    } finally {
      if (this.#db.isTransaction) {
        this.#control.undoInVain.run()
        this.#control.releaseInVain.run()
      }
    }
  }
}

/**
 * The statements around every write, prepared once: parsing them again costs as much as a small
 * write.
 */
const controlOf = (db: DatabaseSync) => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  savepoint: db.prepare('SAVEPOINT one'),
  undo: db.prepare('ROLLBACK TO one'),
  release: db.prepare('RELEASE one'),
  inVain: db.prepare('SAVEPOINT in_vain'),
  undoInVain: db.prepare('ROLLBACK TO in_vain'),
  releaseInVain: db.prepare('RELEASE in_vain'),
  commit: db.prepare('COMMIT'),
  rollback: db.prepare('ROLLBACK'),
})
