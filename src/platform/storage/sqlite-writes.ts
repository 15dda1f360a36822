import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Checkpointer } from './checkpointer.ts'
import type { Listeners } from './database.ts'
import type { Flusher } from './flush.ts'
import type { CommittedWrite, GroupOutcome, QueuedWrite, WriteGroups } from './sqlite-groups.ts'
import type { SqliteStatements } from './sqlite-statements.ts'
import { StoreUnavailable, type Transaction } from './store.ts'

/** Writes that share one commit. With more, the first would wait for the last. */
const MAX_GROUP = 256
/**
 * Maximum number of writes that wait for a commit. Beyond it, the store rejects writes instead of
 * growing.
 */
const MAX_WAITING = 10_000

interface WriteQueueOptions {
  groups: WriteGroups
  statements: Pick<SqliteStatements, 'changes'>
  listeners: Listeners
  /** Absent in memory, like the checkpointer. */
  flusher?: Flusher
  checkpointer?: Checkpointer
}

/**
 * The writes of the embedded store: those that arrive together are committed, flushed and
 * acknowledged together.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  readonly #queue: QueuedWrite[] = []
  #committing: Promise<void> | undefined
  /** The transaction that is open, in memory. */
  #open: PromiseWithResolvers<void> | undefined
  /** Writes that are committed and wait for the disk. */
  #unflushed = 0

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Resolves when the write is durable. */
  async add<T>(run: (tx: Transaction) => Promise<T>): Promise<T> {
    const { flusher } = this.#options
    // The state of the disk is unknown, and a write acknowledged now might depend on lost data.
    if (flusher?.failure) throw flusher.failure
    if (this.#queue.length + this.#unflushed >= MAX_WAITING)
      throw new StoreUnavailable('too many writes wait')
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run, resolve: resolve as (value: unknown) => void, reject })
      this.#committing ??= this.#drain()
    })
  }

  /** Resolves when no write is queued or in progress. */
  async settled(): Promise<void> {
    while (this.#committing) await this.#committing
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /**
   * In memory, reads share the connection of the writes: they wait until no transaction is open.
   */
  async noneOpen(): Promise<void> {
    while (this.#open) await this.#open.promise
  }

  async #drain(): Promise<void> {
    const { checkpointer, flusher, statements } = this.#options
    // Writes of the same turn of the event loop are collected before the first of them starts.
    await nextTurn()
    while (this.#queue.length > 0) {
      if (checkpointer?.holding) await checkpointer.holding
      if (!flusher) this.#open = Promise.withResolvers()
      await this.#commit(this.#queue.splice(0, MAX_GROUP))
      checkpointer?.committed(statements.changes)
      if (!this.#open) continue
      this.#open.resolve()
      this.#open = undefined
      // For the reads that waited for it, which would otherwise wait for every write in the queue.
      await nextTurn()
    }
    this.#committing = undefined
  }

  async #commit(group: readonly QueuedWrite[]): Promise<void> {
    const { groups, checkpointer, flusher, statements } = this.#options
    let outcome: GroupOutcome
    try {
      outcome = await groups.commit(group)
    } catch (error) {
      for (const write of group) write.reject(error)
      // The disk may be full because of the log, although it contains fewer rows than trigger a
      // checkpoint.
      if (error instanceof StoreUnavailable) checkpointer?.begin(statements.changes)
      return
    }
    for (const { write, error } of outcome.failed) write.reject(error)
    if (flusher) void this.#acknowledgeFlushed(outcome.done, flusher)
    else this.#acknowledge(outcome.done)
  }

  #acknowledge(done: readonly CommittedWrite[]): void {
    for (const { write, value } of done) write.resolve(value)
    this.#options.listeners.notify(done.flatMap(({ tx }) => [...tx.notified]))
  }

  async #acknowledgeFlushed(done: readonly CommittedWrite[], flusher: Flusher): Promise<void> {
    this.#unflushed += done.length
    try {
      await flusher.flush()
      this.#acknowledge(done)
    } catch (error) {
      for (const { write } of done) write.reject(error)
    } finally {
      this.#unflushed -= done.length
    }
  }
}
