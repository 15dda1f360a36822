import { workerData } from 'node:worker_threads'
import { monotonicTime } from '../../common/clock.ts'
import { serve } from '../../common/thread.ts'
import type { SearchChange } from './search-index.ts'
import { SearchDatabase } from './sqlite-database.ts'
import type { SearchStep } from './sqlite-steps.ts'

/** The thread of the embedded store's index, so that searches do not block the event loop. */
export interface SearchThreadData {
  file: string | undefined
}

const database = new SearchDatabase((workerData as SearchThreadData).file)

/** With the time that it took, in milliseconds. */
function timed<Result extends object>(work: () => Result): Result & { ms: number } {
  const before = monotonicTime.now()
  return { ...work(), ms: monotonicTime.now() - before }
}

const methods = {
  state: () => database.state(),
  apply: (changes: readonly SearchChange[]) => database.apply(changes),
  reopen: () => database.reopen(),
  clear: () => database.clear(),
  finish: () => database.finish(),
  find: (step: SearchStep, limit: number) => timed(() => database.find(step, limit)),
  count: (step: SearchStep, bucketMs: number) => timed(() => database.count(step, bucketMs)),
  close: () => database.close(),
}

export type SearchThread = typeof methods

serve(methods)
