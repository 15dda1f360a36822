import { workerData } from 'node:worker_threads'
import { serve } from '../../common/thread.ts'
import type { SearchChange } from './search-index.ts'
import type { Asked } from './sqlite-database.ts'
import { SearchDatabase } from './sqlite-database.ts'

/** The thread that holds the index of the embedded store: no search keeps the event loop from other requests. */
export interface SearchThreadData {
  file: string | undefined
}

const database = new SearchDatabase((workerData as SearchThreadData).file)

const methods = {
  state: () => database.state(),
  apply: (changes: readonly SearchChange[]) => database.apply(changes),
  reopen: () => database.reopen(),
  clear: () => database.clear(),
  finish: () => database.finish(),
  find: (asked: Asked, limit: number) => database.find(asked, limit),
  count: (asked: Asked, bucketMs: number) => database.count(asked, bucketMs),
  close: () => database.close(),
}

export type SearchThread = typeof methods

serve(methods)
