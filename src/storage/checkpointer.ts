import { Thread } from '../common/thread.ts'
import type { CheckpointMethods } from './checkpoint-thread.ts'

export interface CheckpointOptions {
  /** Rows that are changed between two checkpoints. */
  rowsBetween: number
  /** Pages from which on the log is to begin again: writes wait until the rest of it is in the database. */
  maxLogPages: number
}

/** A log of 8,000 pages has 32 MB. */
export const CHECKPOINTS: CheckpointOptions = { rowsBetween: 1_000, maxLogPages: 8_000 }

/**
 * Moves the write-ahead log into the database in a thread: a checkpoint waits for the disk twice. The log begins again
 * when all of it was moved. That does not happen by itself as long as writes continue, so that a long log holds them up for
 * the little that came during the last checkpoint.
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

  /** `onLost`: there is no thread any more, and the connection that writes has to make its own checkpoints. */
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

  /** Begins a checkpoint, unless one runs: a log that is in the database needs no more of a full disk. */
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

  /** Started with the first checkpoint: most processes that open a store never need one. */
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
      // What a full disk does not take stays in the log, and is tried again later.
      if (this.#thread?.alive) return
      // It cannot be made, or has ended, maybe between two calls.
      this.#isLost = true
      this.#onLost()
    }
  }
}
