import type { Migration } from './migration.ts'

/** Searches of PostgreSQL read fewer entries of the index that are not in order yet. What is there is put in order later. */
export const searchPending: Migration = {
  name: '0029-search-pending',
  statements: (dialect) =>
    dialect === 'sqlite'
      ? []
      : ['alter index "search_documents_by_words" set (gin_pending_list_limit = 128)'],
}
