import type { Consumer } from '../events/follower.ts'
import type { SearchIndex } from '../storage/search/search-index.ts'
import type { Store } from '../storage/store.ts'
import { derivedFromPosts } from './derived.ts'
import { searchChangesOf } from './document.ts'

interface Parts {
  store: Pick<Store, 'all'>
  index: SearchIndex
  /** Called when the index holds everything that the store held. */
  built?: (posts: number) => void
}

/** Keeps the search index. */
export const searchIndexing = ({ index, ...parts }: Parts): Consumer =>
  derivedFromPosts({
    ...parts,
    name: 'search index',
    data: {
      state: () => index.state(),
      apply: async (changes) => index.apply(await searchChangesOf(changes)),
      clear: () => index.clear(),
      finish: () => index.finish(),
    },
  })
