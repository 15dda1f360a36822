import { Thread } from '../../common/thread.ts'
import { StoreBusy } from '../store.ts'
import { branchesOf } from './branches.ts'
import type { SearchIndex } from './search-index.ts'
import type { SearchThread, SearchThreadData } from './sqlite-thread.ts'

/** This many searches may wait for one another. */
const MAX_WAITING = 200

/**
 * The index of the embedded store, in a thread that starts with the first call. A thread that died is replaced: what was
 * applied is in its file.
 */
export function sqliteSearchIndex(file: string | undefined): SearchIndex {
  let thread: Thread<SearchThread> | undefined
  let waiting = 0
  const alive = () => {
    if (!thread?.alive)
      thread = new Thread<SearchThread>(new URL('./sqlite-thread.ts', import.meta.url), {
        file,
      } satisfies SearchThreadData)
    return thread
  }
  /** @throws StoreBusy When too many wait already. */
  const ask = async <Result>(call: (thread: Thread<SearchThread>) => Promise<Result>): Promise<Result> => {
    if (waiting >= MAX_WAITING) throw new StoreBusy('too many searches wait for one another')
    waiting++
    try {
      return await call(alive())
    } finally {
      waiting--
    }
  }
  return {
    state: () => alive().call('state', []),
    apply: (changes) => alive().call('apply', [changes]),
    clear: () => alive().call('clear', []),
    finish: () => alive().call('finish', []),
    find: (expression, window, limit) =>
      ask((one) => one.call('find', [branchesOf(expression), window, limit])),
    count: (expression, window, bucketMs) =>
      ask((one) => one.call('count', [branchesOf(expression), window, bucketMs])),
    close: async () => thread?.close(),
  }
}
