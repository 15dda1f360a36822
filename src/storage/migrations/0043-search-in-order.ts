import type { Migration } from './migration.ts'

/**
 * Entries of the search index of PostgreSQL are put in order when they are written: a search reads those that are not in
 * order one by one, in each part of its window. What is not in order yet is put in order here. The index is built again by its version.
 */
export const searchInOrder: Migration = {
  name: '0043-search-in-order',
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : [
          'alter index "search_documents_by_words" reset (gin_pending_list_limit)',
          'alter index "search_documents_by_words" set (fastupdate = off)',
          `select gin_clean_pending_list('"search_documents_by_words"')`,
        ],
}
