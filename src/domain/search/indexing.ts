import type { Consumer } from '../../platform/events/follower.ts'
import type { DerivedOptions } from './derived.ts'
import { derivedFromPosts } from './derived.ts'
import { searchChangesOf } from './document.ts'
import type { SearchIndex } from './index/search-index.ts'

interface SearchIndexingOptions
  extends Pick<DerivedOptions, 'store' | 'built' | 'skipped' | 'lost' | 'pauses'> {
  index: SearchIndex
}

/** The name of the consumer. */
export const SEARCH_INDEX = 'search index'

/** Maintains the search index. */
export const searchIndexing = ({ index, ...parts }: SearchIndexingOptions): Consumer =>
  derivedFromPosts({
    ...parts,
    name: SEARCH_INDEX,
    data: {
      state: () => index.state(),
      apply: async (changes) => index.apply(await searchChangesOf(changes)),
      reopen: () => index.reopen(),
      clear: () => index.clear(),
      finish: () => index.finish(),
    },
  })
