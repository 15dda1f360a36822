import { bigint, integer, real, table, tsvector } from '../table.ts'

/** The search index of PostgreSQL, see `storage/search/`. It is derived from posts and can be built again. */
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
        // Otherwise every search reads the whole list of entries that are not in order yet, in each part of its window,
        // which takes longer than the rest of the search. A post takes a tenth more processor time to write.
        with: { fastupdate: 'off' },
      },
    },
  },
)

/** One row: the index holds everything that it is built from. */
export const searchBuilt = table(
  'search_built',
  { version: integer() },
  { key: ['version'], only: 'postgres' },
)
