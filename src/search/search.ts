import { systemClock } from '../common/clock.ts'
import type { Query } from '../query-language/query.ts'
import type { Count, Found, SearchIndex, SearchWindow } from '../storage/search/search-index.ts'
import { SearchTooComplex } from '../storage/search/search-index.ts'
import type { Store } from '../storage/store.ts'
import { StoreBusy, StoreUnavailable } from '../storage/store.ts'
import { expressionOf } from './expression.ts'

/** Searches and counts of posts. Which of the found posts a caller sees is not known here. */
export interface PostSearch {
  /**
   * The newest posts of a window that a query finds, newest first.
   * @throws StoreUnavailable When the index is being built, or cannot be read.
   * @throws SearchTooComplex
   */
  find(query: Query, window: SearchWindow, limit: number): Promise<Found[]>
  /** The number of posts that a query finds, by spans of `bucketMs` of UTC that have some. Throws as `find` does. */
  count(query: Query, window: SearchWindow, bucketMs: number): Promise<Count[]>
}

/** For so long the index is taken to be as complete as it was. */
const STATE_MS = 1_000
/** A small index is built in that time; a search of a large one gets 503 with `retry-after` meanwhile. */
const WAIT_MS = 2_000
const LOOK_MS = 20

export function postSearch({ store, index }: { store: Pick<Store, 'all'>; index: SearchIndex }): PostSearch {
  let builtAt = Number.NEGATIVE_INFINITY
  const isBuilt = async () => {
    if (systemClock.now() - builtAt < STATE_MS) return true
    if ((await index.state()) === 'new') return false
    builtAt = systemClock.now()
    return true
  }
  const built = async () => {
    for (let waited = 0; !(await isBuilt()); waited += LOOK_MS) {
      if (waited >= WAIT_MS) throw new StoreUnavailable('the search index is being built')
      await systemClock.at(systemClock.now() + LOOK_MS)
    }
  }
  const ask = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      await built()
      return await work()
    } catch (error) {
      const isTold = [SearchTooComplex, StoreBusy, StoreUnavailable].some((kind) => error instanceof kind)
      if (isTold) throw error
      builtAt = Number.NEGATIVE_INFINITY
      throw new StoreUnavailable('the search index cannot be read', { cause: error })
    }
  }
  return {
    find: async (query, window, limit) => {
      const expression = await expressionOf(query, store)
      return ask(() => index.find(expression, window, limit))
    },
    count: async (query, window, bucketMs) => {
      const expression = await expressionOf(query, store)
      return ask(() => index.count(expression, window, bucketMs))
    },
  }
}
