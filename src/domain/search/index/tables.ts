import { bigint, integer, real, table, tsvector } from '../../../platform/storage/table.ts'

/**
 * The search index of PostgreSQL, see `domain/search/index/`. It is derived from posts and can be
 * rebuilt.
 */
export const searchDocuments = table(
  'search_documents',
  {
    /** The id of the post as a number. */
    id: bigint(),
    words: tsvector(),
    likes: bigint(),
    replies: bigint(),
    reposts: bigint(),
    west: real({ null: true }),
    south: real({ null: true }),
    east: real({ null: true }),
    north: real({ null: true }),
  },
  {
    key: ['id'],
    only: 'postgres',
    indexes: {
      search_documents_by_words: {
        on: ['words'],
        using: 'gin',
        // Without this, each search reads the whole pending list, in each part of its window, which
        // takes longer than the rest of the search. Writing a post takes a tenth more processor
        // time.
        with: { fastupdate: 'off' },
      },
    },
  },
)

/** A row that exists if the index is complete. */
export const searchBuilt = table(
  'search_built',
  { version: integer() },
  { key: ['version'], only: 'postgres' },
)
