import type { Query } from '../query-language/query.ts'
import type { Count, FoundDocuments, SearchIndex, SearchWindow } from '../storage/search/search-index.ts'
import { SearchTooComplex } from '../storage/search/search-index.ts'
import type { Store } from '../storage/store.ts'
import { StoreBusy, StoreUnavailable } from '../storage/store.ts'
import { expressionOf } from './expression.ts'
import { whenBuilt } from './when-built.ts'

/** Searches and counts of posts, regardless of which posts a caller may see. */
export interface PostSearch {
  /**
   * The newest posts of a window that match a query, newest first. Ends early, with the rest of the window, after too
   * many candidates.
   * @throws StoreUnavailable The index is being built, or cannot be read.
   * @throws SearchTooComplex
   */
  find(query: Query, window: SearchWindow, limit: number): Promise<FoundDocuments>
  /**
   * The number of posts that match a query, by UTC spans of `bucketMs`, without empty spans. Throws like `find`, and
   * also for too many candidates.
   */
  count(query: Query, window: SearchWindow, bucketMs: number): Promise<Count[]>
}

export function postSearch({ store, index }: { store: Pick<Store, 'all'>; index: SearchIndex }): PostSearch {
  const built = whenBuilt(() => index.state(), 'the search index is being built')
  const ask = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      await built()
      return await work()
    } catch (error) {
      const isTold = [SearchTooComplex, StoreBusy, StoreUnavailable].some((kind) => error instanceof kind)
      if (isTold) throw error
      built.forget()
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
