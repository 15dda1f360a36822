import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MediaRow } from '../../../domain/media/tables.ts'
import { anyIdIn, anyIn, locked, postgres } from '../../../platform/storage/query.ts'
import { type ApiTables, query } from '../../tables.ts'
import type { MediaLibraryRow, MediaLibraryTermRow } from './tables.ts'

/** A medium, as stored in a library. */
export type LibraryMedium = MediaLibraryRow &
  Pick<
    MediaRow,
    | 'media_key'
    | 'category'
    | 'state'
    | 'hash'
    | 'content_type'
    | 'width'
    | 'height'
    | 'duration_ms'
    | 'poster_hash'
    | 'poster_type'
    | 'posted'
    | 'owner_id'
    | 'bytes'
  >

const held = (db: Kysely<ApiTables>) =>
  db
    .selectFrom('media_library')
    .innerJoin('media', 'media.id', 'media_library.media_id')
    .selectAll('media_library')
    .select([
      'media.media_key',
      'media.category',
      'media.state',
      'media.hash',
      'media.content_type',
      'media.width',
      'media.height',
      'media.duration_ms',
      'media.poster_hash',
      'media.poster_type',
      'media.posted',
      'media.owner_id',
      'media.bytes',
    ])

interface LibraryPageArgs {
  account: string
  /** Only media that were added later. */
  after: string
  limit: number
}

/** A page of a library, oldest first. */
export const pageOfLibrary = query<LibraryPageArgs, LibraryMedium>('pageOfLibrary', (db, at) =>
  held(db)
    .where('media_library.account_id', '=', at.account)
    .where('media_library.deleted', '=', 0)
    .where('media_library.entry_id', '>', at.after)
    .orderBy('media_library.entry_id')
    .limit(at.limit),
)

export const pageOfLibraryType = query<LibraryPageArgs & { type: string }, LibraryMedium>(
  'pageOfLibraryType',
  (db, at) =>
    held(db)
      .where('media_library.account_id', '=', at.account)
      .where('media_library.deleted', '=', 0)
      .where('media_library.media_type', '=', at.type)
      .where('media_library.entry_id', '>', at.after)
      .orderBy('media_library.entry_id')
      .limit(at.limit),
)

/** The texts of a JSON list, as a table `listed` with a column `value`. */
const listed = (db: Kysely<ApiTables>, list: string): RawBuilder<unknown> =>
  postgres(db)
    ? sql`(select jsonb_array_elements_text(${list}::jsonb) as value) as listed`
    : sql`json_each(${list}) as listed`

/**
 * Media that have every term, oldest first. Scans the first term for at most `walk` steps, and
 * looks the others up (a JSON list). `type` is a JSON list of the wanted types.
 */
export const idsByTerms = query<
  LibraryPageArgs & { first: string; others: string; types: string; walk: number },
  Pick<MediaLibraryTermRow, 'media_id' | 'entry_id'>
>('idsByTerms', (db, at) => ({
  compile: () =>
    sql`select media_id, entry_id from (
        select account_id, media_id, entry_id, media_type from media_library_terms
        where account_id = ${at.account} and term = ${at.first} and entry_id > ${at.after}
        order by entry_id limit ${at.walk}
      ) as found
      where ${anyIn(postgres(db), sql.ref('media_type'), at.types)}
        and not exists (select 1 from ${listed(db, at.others)} where not exists (
          select 1 from media_library_terms as other where other.account_id = found.account_id
            and other.term = listed.value and other.entry_id = found.entry_id))
      order by entry_id limit ${at.limit}`.compile(db),
}))

/** The position after this many steps of a scan of a term; none if the term has fewer. */
export const endOfWalk = query<
  { account: string; first: string; after: string; steps: number },
  Pick<MediaLibraryTermRow, 'entry_id'>
>('endOfWalk', (db, at) =>
  db
    .selectFrom('media_library_terms')
    .select('entry_id')
    .where('account_id', '=', at.account)
    .where('term', '=', at.first)
    .where('entry_id', '>', at.after)
    .orderBy('entry_id')
    .limit(1)
    .offset(at.steps),
)

/** Media of a library by their ids, which are a JSON list. */
export const libraryMedia = query<{ account: string; ids: string }, LibraryMedium>('libraryMedia', (db, at) =>
  held(db)
    .where('media_library.account_id', '=', at.account)
    .where(anyIdIn(postgres(db), sql.ref('media_library.media_id'), at.ids))
    .where('media_library.deleted', '=', 0),
)

/** An entry, deleted or not, for a change. */
export const lockEntry = query<{ account: string; mediaId: string }, MediaLibraryRow>('lockEntry', (db, at) =>
  locked(
    db,
    db
      .selectFrom('media_library')
      .selectAll()
      .where('account_id', '=', at.account)
      .where('media_id', '=', at.mediaId),
  ),
)

export const putEntry = query<MediaLibraryRow>('putEntry', (db, at) => {
  const changing = {
    entry_id: at.entry_id,
    name: at.name,
    file_name: at.file_name,
    title: at.title,
    description: at.description,
    poster_media_key: at.poster_media_key,
    created_at: at.created_at,
    updated_at: at.updated_at,
    deleted: at.deleted,
  }
  return db
    .insertInto('media_library')
    .values({ account_id: at.account_id, media_id: at.media_id, media_type: at.media_type, ...changing })
    .onConflict((c) => c.columns(['account_id', 'media_id']).doUpdateSet(changing))
})

export const removeTerms = query<{ account: string; mediaId: string }>('removeTerms', (db, at) =>
  db
    .deleteFrom('media_library_terms')
    .where('account_id', '=', at.account)
    .where('media_id', '=', at.mediaId),
)

/** `terms` is a JSON list. */
export const addTerms = query<Omit<MediaLibraryTermRow, 'term'> & { terms: string }>(
  'addTerms',
  (db, at) => ({
    compile: () =>
      sql`insert into media_library_terms (account_id, term, entry_id, media_id, media_type)
      select ${at.account_id}, value, ${at.entry_id}, ${at.media_id}, ${at.media_type}
      from ${listed(db, at.terms)}`.compile(db),
  }),
)
