import { CapacityError, SharedGate } from '../../platform/common/gate.ts'
import type { Indexes } from '../../platform/events/catch-up.ts'
import { type Store, StoreBusy, StoreUnavailable } from '../../platform/storage/store.ts'
import type { Query } from '../query-language/query.ts'
import { expressionOf } from './expression.ts'
import {
  type SearchCount,
  type SearchIndex,
  type SearchPage,
  SearchTooComplex,
  type SearchWindow,
} from './index/search-index.ts'
import { SEARCH_INDEX } from './indexing.ts'
import { whenBuilt } from './when-built.ts'

/** Searches and counts of posts, regardless of which posts a caller may see. */
export interface PostSearch {
  /**
   * The newest posts of a window that match a query, newest first. Ends early, with the rest of the
   * window, after too many candidates. Throws like `IndexTurns`.
   */
  find(search: SearchRequest, limit: number): Promise<SearchPage>
  /**
   * The number of posts that match a query, by UTC spans of `bucketMs`, without empty spans. Throws
   * like `find`, and also for too many candidates.
   */
  count(search: SearchRequest, bucketMs: number): Promise<SearchCount[]>
}

/** Who searches. */
export interface Searcher {
  /** Whose search it is: owners share the index. */
  readonly owner: string
  /** The user who searches, who sees the own private lists; undefined for an app. */
  readonly viewer: string | undefined
}

export interface SearchRequest extends Searcher {
  readonly query: Query
  readonly window: SearchWindow
}

/** Searches at the same time. Those in the embedded index take turns step by step. */
const MAX_SEARCHES = 8
/** Searches of one owner at the same time, so that nobody keeps others out. */
const MAX_SEARCHES_OF_ONE = 2
const MAX_WAITING = 200
const MAX_WAITING_OF_ONE = 100

/**
 * Does some work with the index once it contains everything, and it is the owner's turn.
 * @throws StoreUnavailable The index is being built, catches up with changes made before the
 *   start, or cannot be read.
 * @throws CapacityError Too many searches wait, in all or of the owner.
 * @throws SearchTooComplex
 */
export type IndexTurns = <Result>(
  owner: string,
  work: (index: SearchIndex) => Promise<Result>,
) => Promise<Result>

export function indexTurns(index: SearchIndex, indexes: Indexes): IndexTurns {
  const built = whenBuilt(() => index.state(), 'the search index is being built')
  const gate = new SharedGate(MAX_SEARCHES, {
    widthOfOne: MAX_SEARCHES_OF_ONE,
    maxWaiting: MAX_WAITING,
    maxWaitingOfOne: MAX_WAITING_OF_ONE,
  })
  return async (owner, work) => {
    try {
      await indexes.caughtUp(SEARCH_INDEX)
      await built()
      return await gate.through(owner, () => work(index))
    } catch (error) {
      const isTold = [SearchTooComplex, StoreBusy, CapacityError].some((kind) => error instanceof kind)
      if (isTold) throw error
      built.forget()
      if (error instanceof StoreUnavailable) throw error
      throw new StoreUnavailable('the search index cannot be read', { cause: error })
    }
  }
}

export const postSearch = (store: Pick<Store, 'all'>, turns: IndexTurns): PostSearch => ({
  find: async ({ query, window, owner, viewer }, limit) => {
    const expression = await expressionOf(query, { store, viewer })
    return turns(owner, (index) => index.find(expression, window, limit))
  },
  count: async ({ query, window, owner, viewer }, bucketMs) => {
    const expression = await expressionOf(query, { store, viewer })
    return turns(owner, (index) => index.count(expression, window, bucketMs))
  },
})
