import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { StoreUnavailable } from './store.ts'

/** Moves what was written to a file to the disk. Replaced in tests. */
export type Sync = (file: FileHandle) => Promise<void>

/** The data of a file and what it takes to read them again, its size among it. */
export const syncData: Sync = (file) => file.datasync()

/** Flushes one file in the thread pool: the event loop goes on meanwhile. */
export interface Flusher {
  /** What kept an earlier flush from reaching the disk. Nothing is known of the file since, so it is for good. */
  readonly failure: StoreUnavailable | undefined
  /**
   * Resolves when everything that the file holds now is on the disk. Calls that come while a flush runs share the next.
   * @throws StoreUnavailable When the disk does not take it, now or earlier.
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
      // The system may report an error once and then forget the pages that it concerns.
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
