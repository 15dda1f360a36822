import { Thread } from '../common/thread.ts'
import type { CheckpointMethods } from './checkpoint-thread.ts'

export interface CheckpointOptions {
  /** Rows that are changed between two checkpoints. */
  rowsBetween: number
  /**
   * Pages from which on the log must restart: writes wait until the rest of it is in the database.
   */
  maxLogPages: number
}

/** A log of 8,000 pages has 32 MB. */
export const CHECKPOINTS: CheckpointOptions = { rowsBetween: 1_000, maxLogPages: 8_000 }

/**
 * Moves the write-ahead log into the database in a thread, because a checkpoint waits for the disk
 * twice. The log restarts once all of it has been moved. While writes continue, that does not
 * happen by itself. So if the log is long, writes wait while the few pages that were added during
 * the last checkpoint are moved.
 */
export class Checkpointer {
  readonly #file: string
  readonly #options: CheckpointOptions
  readonly #onLost: () => void
  #thread: Thread<CheckpointMethods> | undefined
  #running: Promise<void> | undefined
  #holding: Promise<unknown> | undefined
  #isLost = false
  /** Rows that had been changed when the last checkpoint began. */
  #seen = 0

  /** `onLost`: the thread is gone, and the writing connection must make its own checkpoints. */
  constructor(file: string, options: CheckpointOptions, onLost: () => void) {
    this.#file = file
    this.#options = options
    this.#onLost = onLost
  }

  /** Set while writes have to wait. It does not reject. */
  get holding(): Promise<unknown> | undefined {
    return this.#holding
  }

  /** Called after a commit with the number of rows that were changed so far. */
  committed(rows: number): void {
    if (rows - this.#seen < this.#options.rowsBetween) return
    this.begin(rows)
  }

  /**
   * Begins a checkpoint, unless one is running. Once the log is in the database, it needs no more
   * space on a full disk.
   */
  begin(rows: number): void {
    if (this.#running || this.#isLost) return
    this.#seen = rows
    this.#running = this.#checkpoint().finally(() => {
      this.#running = undefined
      this.#holding = undefined
    })
  }

  async close(): Promise<void> {
    await this.#running
    await this.#thread?.close()
  }

  /** Started at the first checkpoint: most processes that open a store never need one. */
  #started(): Thread<CheckpointMethods> {
    this.#thread ??= new Thread(new URL('./checkpoint-thread.ts', import.meta.url), this.#file)
    return this.#thread
  }

  async #checkpoint(): Promise<void> {
    try {
      const thread = this.#started()
      const { pages } = await thread.call('checkpoint', [])
      if (pages < this.#options.maxLogPages) return
      this.#holding = thread.call('checkpoint', []).catch(() => undefined)
      await this.#holding
    } catch {
      // Pages that do not fit on a full disk stay in the log, and are retried later.
      if (this.#thread?.alive) return
      // The thread could not be started, or has ended, possibly between two calls.
      this.#isLost = true
      this.#onLost()
    }
  }
}
