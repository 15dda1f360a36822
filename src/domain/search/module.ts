import type { Logger } from 'pino'
import type { Config } from '../../platform/config/config.ts'
import type { Module } from '../../platform/module.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { SearchIndex } from './index/search-index.ts'
import { SEARCH_INDEX, searchIndexing } from './indexing.ts'

interface SearchModuleOptions {
  store: Store
  searchIndex: SearchIndex
  config: Config
  log: Logger
}

/** Maintains the search index. */
export const search: Module<SearchModuleOptions> = {
  consumers: ({ store, searchIndex, config, log }) => [
    searchIndexing({
      store,
      config,
      index: searchIndex,
      skipped: (error) => log.error({ err: error, consumer: SEARCH_INDEX }, 'an item was left out'),
      lost: (error) =>
        log.error({ err: error }, 'the search index was damaged: it is built again from the posts'),
      built: (posts) => log.info({ posts }, 'the search index was built'),
    }),
  ],
}
