import type { Config } from '../../platform/config/config.ts'
import type { Consumer } from '../../platform/events/follower.ts'
import { type DerivedOptions, derivedFromPosts } from './derived.ts'
import { searchChangesOf } from './document.ts'
import type { SearchIndex } from './index/search-index.ts'

interface SearchIndexingOptions
  extends Pick<DerivedOptions, 'store' | 'built' | 'skipped' | 'lost' | 'pauses'> {
  index: SearchIndex
  config: Pick<Config, 'defaultCountry'>
}

/** The name of the consumer. */
export const SEARCH_INDEX = 'search index'

/** Maintains the search index. */
export const searchIndexing = ({ index, config, ...parts }: SearchIndexingOptions): Consumer =>
  derivedFromPosts({
    ...parts,
    name: SEARCH_INDEX,
    data: {
      state: () => index.state(),
      apply: async (changes) => index.apply(await searchChangesOf(changes, config.defaultCountry)),
      reopen: () => index.reopen(),
      clear: () => index.clear(),
      finish: () => index.finish(),
    },
  })
