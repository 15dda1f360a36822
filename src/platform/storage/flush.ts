import { type FileHandle, open } from 'node:fs/promises'
import { SharedRun } from '../common/shared-run.ts'
import { StoreUnavailable } from './store.ts'

/** Flushes a file to the disk. Replaced in tests. */
export type Sync = (file: FileHandle) => Promise<void>

/** The data of a file and the metadata that is required to read it, such as its size. */
export const syncData: Sync = (file) => file.datasync()

/** Flushes one file in the thread pool, without blocking the event loop. */
export class Flusher {
  readonly #file: FileHandle
  readonly #sync: Sync
  /**
   * Calls during a flush share the next one: the one that runs may have begun before the last
   * write.
   */
  readonly #runs = new SharedRun(() => this.#run())
  #failure: StoreUnavailable | undefined

  private constructor(file: FileHandle, sync: Sync) {
    this.#file = file
    this.#sync = sync
  }

  static async open(path: string, sync: Sync): Promise<Flusher> {
    return new Flusher(await open(path, 'r+'), sync)
  }

  /**
   * The error of an earlier flush. It is permanent, because the state of the file has been unknown
   * since then.
   */
  get failure(): StoreUnavailable | undefined {
    return this.#failure
  }

  /**
   * Resolves when the current contents of the file are on the disk.
   * @throws StoreUnavailable When this or an earlier flush fails.
   */
  flush(): Promise<void> {
    return this.#runs.run()
  }

  async #run(): Promise<void> {
    if (this.#failure) throw this.#failure
    try {
      await this.#sync(this.#file)
    } catch (cause) {
      // The operating system may report an error only once and then discard the affected pages.
      this.#failure = new StoreUnavailable(`the disk does not take what was written: ${String(cause)}`, {
        cause,
      })
      throw this.#failure
    }
  }

  async close(): Promise<void> {
    await this.#runs.settled()
    await this.#file.close()
  }
}
