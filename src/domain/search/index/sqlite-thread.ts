import { workerData } from 'node:worker_threads'
import { serve } from '../../../platform/common/thread.ts'
import type { SearchChange } from './search-index.ts'
import { type BranchesRequest, type Buckets, SearchDatabase } from './sqlite-database.ts'

/** The thread of the embedded store's index, so that searches do not block the event loop. */
export interface SearchThreadData {
  file: string | undefined
  /** In memory: the name of the database to begin with. */
  copyOf?: string | undefined
}

const { file, copyOf } = workerData as SearchThreadData
const database = new SearchDatabase(file, copyOf)

const methods = {
  state: () => database.state(),
  apply: (changes: readonly SearchChange[]) => database.apply(changes),
  reopen: () => database.reopen(),
  clear: () => database.clear(),
  finish: () => database.finish(),
  find: (request: BranchesRequest, limit: number) => database.find(request, limit),
  count: (request: BranchesRequest, buckets: Buckets) => database.count(request, buckets),
  copyInto: (target: string) => database.copyInto(target),
  close: () => database.close(),
}

export type SearchThread = typeof methods

serve(methods)
