import { media } from '../../../domain/media/tables.ts'
import { bigint, bytewise, flag, id64, type RowOf, table, text } from '../../../platform/storage/table.ts'
import { accounts } from '../accounts/tables.ts'

/** A medium in the library of an account. */
export const mediaLibrary = table(
  'media_library',
  {
    account_id: bytewise({ belongsTo: accounts }),
    media_id: id64({ belongsTo: media }),
    /** Grows with the time at which it was added. */
    entry_id: id64(),
    media_type: text(),
    name: text({ null: true }),
    file_name: text({ null: true }),
    title: text({ null: true }),
    description: text({ null: true }),
    poster_media_key: text({ null: true }),
    created_at: bigint(),
    updated_at: bigint(),
    deleted: flag(),
  },
  {
    key: ['account_id', 'media_id'],
    indexes: {
      media_library_by_age: ['account_id', 'deleted', 'entry_id'],
      media_library_by_type: ['account_id', 'deleted', 'media_type', 'entry_id'],
      media_library_by_medium: ['media_id', 'deleted'],
    },
  },
)

/** A search word of a medium in a library. */
export const mediaLibraryTerms = table(
  'media_library_terms',
  {
    account_id: bytewise(),
    term: bytewise(),
    entry_id: id64(),
    media_id: id64(),
    media_type: text(),
  },
  {
    key: ['account_id', 'term', 'entry_id'],
    indexes: {
      media_library_terms_by_medium: ['account_id', 'media_id'],
    },
    belongsTo: {
      media_library_terms_entry: { columns: ['account_id', 'media_id'], table: mediaLibrary },
    },
  },
)

export type MediaLibraryRow = RowOf<typeof mediaLibrary>

export type MediaLibraryTermRow = RowOf<typeof mediaLibraryTerms>
