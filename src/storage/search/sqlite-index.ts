import { Thread } from '../../common/thread.ts'
import { StoreBusy } from '../store.ts'
import { branchesOf } from './branches.ts'
import type { Count, SearchIndex } from './search-index.ts'
import { CANDIDATE_LIMITS, tooManyToCount } from './search-index.ts'
import type { SearchThread, SearchThreadData } from './sqlite-thread.ts'

/** Maximum number of waiting searches. */
const MAX_WAITING = 200
/** Maximum number of searches and steps of counts in the thread, so that a change of the index waits for no more. */
const MAX_IN_THREAD = 2

/**
 * The index of the embedded store, in a thread that starts with the first call. A thread that died is replaced; applied
 * changes are in its file.
 */
export function sqliteSearchIndex(file: string | undefined, limits = CANDIDATE_LIMITS): SearchIndex {
  let thread: Thread<SearchThread> | undefined
  const alive = () => {
    if (!thread?.alive)
      thread = new Thread<SearchThread>(new URL('./sqlite-thread.ts', import.meta.url), {
        file,
      } satisfies SearchThreadData)
    return thread
  }
  const ask = turns(alive)
  return {
    state: () => alive().call('state', []),
    apply: (changes) => alive().call('apply', [changes]),
    reopen: () => alive().call('reopen', []),
    clear: () => alive().call('clear', []),
    finish: () => alive().call('finish', []),
    find(expression, window, limit) {
      const asked = { branches: branchesOf(expression), window, candidates: limits.found }
      return ask((one) => one.call('find', [asked, limit]))
    },
    async count(expression, window, bucketMs) {
      const counts = new Map<number, number>()
      const branches = branchesOf(expression)
      let rest = window
      for (let left = limits.counted; left > 0; left -= limits.found) {
        const asked = { branches, window: rest, candidates: Math.min(limits.found, left) }
        const part = await ask((one) => one.call('count', [asked, bucketMs]))
        for (const { start, count } of part.counts) counts.set(start, (counts.get(start) ?? 0) + count)
        if (!part.rest) return inOrder(counts)
        rest = part.rest
      }
      throw tooManyToCount(limits.counted)
    },
    close: async () => thread?.close(),
  }
}

const inOrder = (counts: ReadonlyMap<number, number>): Count[] =>
  [...counts].map(([start, count]) => ({ start, count })).sort((one, two) => one.start - two.start)

type Ask = <Result>(call: (thread: Thread<SearchThread>) => Promise<Result>) => Promise<Result>

/** Admits few calls at a time to the thread, in the order of the calls. */
function turns(alive: () => Thread<SearchThread>): Ask {
  const waiting: (() => void)[] = []
  let inThread = 0
  /** @throws StoreBusy When too many wait already. */
  return async (call) => {
    if (inThread < MAX_IN_THREAD) inThread++
    else {
      if (waiting.length >= MAX_WAITING) throw new StoreBusy('too many searches wait for one another')
      // Passes the turn on when it ends.
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await call(alive())
    } finally {
      const next = waiting.shift()
      if (next) next()
      else inThread--
    }
  }
}
