import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { StoreUnavailable } from './store.ts'

/** Flushes a file to the disk. Replaced in tests. */
export type Sync = (file: FileHandle) => Promise<void>

/** The data of a file and the metadata that is required to read it, such as its size. */
export const syncData: Sync = (file) => file.datasync()

/** Flushes one file in the thread pool, without blocking the event loop. */
export interface Flusher {
  /** The error of an earlier flush. It is permanent, because the state of the file has been unknown since then. */
  readonly failure: StoreUnavailable | undefined
  /**
   * Resolves when the current contents of the file are on the disk. Calls during a flush share the next one.
   * @throws StoreUnavailable When this or an earlier flush fails.
   */
  flush(): Promise<void>
  close(): Promise<void>
}

export async function openFlusher(path: string, sync: Sync): Promise<Flusher> {
  const handle = await open(path, 'r+')
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let failure: StoreUnavailable | undefined

  async function run(): Promise<void> {
    try {
      if (failure) throw failure
      await sync(handle)
    } catch (error) {
      // The operating system may report an error only once and then discard the affected pages.
      failure ??= new StoreUnavailable(`the disk does not take what was written: ${String(error)}`, {
        cause: error,
      })
      throw failure
    } finally {
      running = undefined
    }
  }

  const start = () => {
    running = run()
    return running
  }

  return {
    get failure() {
      return failure
    },
    flush() {
      if (next) return next
      if (!running) return start()
      // The one that runs may have begun before the last write.
      next = running
        .catch(() => undefined)
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    async close() {
      await (next ?? running)?.catch(() => undefined)
      await handle.close()
    },
  }
}
