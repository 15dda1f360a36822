import { workerData } from 'node:worker_threads'
import { serve } from '../../common/thread.ts'
import type { Branch } from './branches.ts'
import type { SearchChange, SearchWindow } from './search-index.ts'
import { SearchDatabase } from './sqlite-database.ts'

/** The thread that holds the index of the embedded store: no search keeps the event loop from other requests. */
export interface SearchThreadData {
  file: string | undefined
}

const database = new SearchDatabase((workerData as SearchThreadData).file)

const methods = {
  state: () => database.state(),
  apply: (changes: readonly SearchChange[]) => database.apply(changes),
  clear: () => database.clear(),
  finish: () => database.finish(),
  find: (branches: readonly Branch[], window: SearchWindow, limit: number) =>
    database.find(branches, window, limit),
  count: (branches: readonly Branch[], window: SearchWindow, bucketMs: number) =>
    database.count(branches, window, bucketMs),
  close: () => database.close(),
}

export type SearchThread = typeof methods

serve(methods)
