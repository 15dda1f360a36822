import { sql } from 'kysely'
import { segmentsOf } from '../../api/ads/audiences/flexible.ts'
import { addFlexiblePart, removeFlexibleParts } from '../../api/ads/audiences/queries.ts'
import { changeCatalog, lockCatalog } from '../../api/ads/catalogs/queries.ts'
import { termsOfEntry } from '../../api/ads/media/library.ts'
import { addTerms, lockEntry, removeTerms } from '../../api/ads/media/queries.ts'
import type { MediaLibraryRow } from '../../api/ads/media/tables.ts'
import { audiencesIn } from '../../domain/audience-members/segments.ts'
import { FIRST_ID } from '../../platform/common/ids.ts'
import { locked } from '../../platform/storage/query.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { query } from '../tables.ts'
import { type Comparison, differencesIn, differingRows, inPages } from './comparison.ts'

// Product catalogs.

interface CatalogCountsRow {
  id: string
  sets: number
  filtered_sets: number
  expected_sets: number
  expected_filtered: number
}

const catalogs = sql`select id, sets, filtered_sets,
  (select count(*) from product_sets where catalog_id = product_catalogs.id) as expected_sets,
  (select count(*) from product_sets where catalog_id = product_catalogs.id and type = 'FILTERED') as expected_filtered
  from product_catalogs`

const pageOfCatalogs = query<{ after: string; limit: number }, CatalogCountsRow>(
  'checkedCatalogs',
  (db, at) => ({
    compile: () => sql`${catalogs} where id > ${at.after} order by id limit ${at.limit}`.compile(db),
  }),
)
const countedCatalog = query<{ id: string }, CatalogCountsRow>('checkedCatalog', (db, at) => ({
  compile: () => sql`${catalogs} where id = ${at.id}`.compile(db),
}))

const SETS = ['sets', 'filtered_sets'] as const

const setsDiffer = (row: CatalogCountsRow) =>
  differencesIn(`catalog ${row.id}`, SETS, row, {
    sets: row.expected_sets,
    filtered_sets: row.expected_filtered,
  })

/** The counted sets of product catalogs. */
export const setsOfCatalogs: Comparison = {
  name: 'sets of catalogs',
  pages: differingRows((store, page) => store.all(pageOfCatalogs, page), setsDiffer),
  async compare(tx, id) {
    await tx.first(lockCatalog, { id })
    return (await tx.all(countedCatalog, { id })).flatMap(setsDiffer)
  },
  async repair(tx, id) {
    const catalog = await tx.first(lockCatalog, { id })
    const counts = await tx.first(countedCatalog, { id })
    if (!catalog || !counts) return
    const sets = { sets: Number(counts.expected_sets), filtered_sets: Number(counts.expected_filtered) }
    await tx.run(changeCatalog, { ...catalog, ...sets })
  },
}

// Audiences that combine others.

interface Combination {
  id: string
  segments: string | null
}

const pageOfCombinations = query<{ after: string; limit: number }, Combination>(
  'checkedCombinations',
  (db, at) => ({
    compile: () =>
      sql`select flexible.audience_id as id, custom_audiences.segments from flexible_audiences as flexible
        inner join custom_audiences on custom_audiences.id = flexible.audience_id
        where flexible.audience_id > ${at.after} order by flexible.audience_id limit ${at.limit}`.compile(db),
  }),
)
const lockCombination = query<{ id: string }, Combination>('lockCombination', (db, at) =>
  locked(
    db,
    db
      .selectFrom('custom_audiences')
      .select(['id', 'segments'])
      .where('id', '=', at.id)
      .where('deleted', '=', 0),
  ),
)
const partsOfCombination = query<{ id: string }, { part_id: string }>('checkedParts', (db, at) =>
  db.selectFrom('flexible_audience_parts').select('part_id').where('audience_id', '=', at.id),
)

const namedIn = (segments: string | null) =>
  segments === null ? [] : audiencesIn(segmentsOf(segments)).toSorted()

async function partsDiffer(tx: Pick<Transaction, 'all'>, { id, segments }: Combination) {
  const rows = await tx.all(partsOfCombination, { id })
  const parts = rows.map(({ part_id }) => part_id).toSorted()
  return differencesIn(
    `audience ${id}`,
    ['parts'],
    { parts: parts.join(' ') },
    { parts: namedIn(segments).join(' ') },
  )
}

/** The audiences whose uploads have combinations counted again. */
export const partsOfCombinations: Comparison = {
  name: 'parts of combined audiences',
  pages: differingRows(
    (store, page) => store.all(pageOfCombinations, page),
    (row, store) => partsDiffer(store, row),
    '',
  ),
  async compare(tx, id) {
    const row = await tx.first(lockCombination, { id })
    return row ? partsDiffer(tx, row) : []
  },
  async repair(tx, id) {
    const row = await tx.first(lockCombination, { id })
    if (!row) return
    await tx.run(removeFlexibleParts, { audience: id })
    for (const part of namedIn(row.segments)) await tx.run(addFlexiblePart, { audience: id, part })
  },
}

// Media libraries.

const pageOfEntries = query<{ account: string; medium: string; limit: number }, MediaLibraryRow>(
  'checkedLibraries',
  (db, at) =>
    db
      .selectFrom('media_library')
      .selectAll()
      .where(sql<boolean>`(account_id, media_id) > (${at.account}, ${at.medium})`)
      .orderBy('account_id')
      .orderBy('media_id')
      .limit(at.limit),
)
const termsOfMedium = query<{ account: string; medium: string }, { term: string }>('checkedTerms', (db, at) =>
  db
    .selectFrom('media_library_terms')
    .select('term')
    .where('account_id', '=', at.account)
    .where('media_id', '=', at.medium),
)

type EntryKey = { account: string; mediaId: string }
const keyOf = ({ account_id, media_id }: MediaLibraryRow) => `${account_id} ${media_id}`

function entryOf(key: string): EntryKey {
  const [account = '', mediaId = FIRST_ID] = key.split(' ')
  return { account, mediaId }
}

const expectedTerms = (entry: MediaLibraryRow) => (entry.deleted === 1 ? [] : termsOfEntry(entry))

async function termsDiffer(tx: Pick<Transaction, 'all'>, entry: MediaLibraryRow) {
  const rows = await tx.all(termsOfMedium, { account: entry.account_id, medium: entry.media_id })
  const inOrder = (terms: readonly string[]) => terms.toSorted().join(' ')
  return differencesIn(
    `medium ${entry.media_id} of account ${entry.account_id}`,
    ['terms'],
    { terms: inOrder(rows.map(({ term }) => term)) },
    { terms: inOrder(expectedTerms(entry)) },
  )
}

/** The words by which searches find media in libraries. */
export const termsOfLibraries: Comparison = {
  name: 'words of media libraries',
  async *pages(store) {
    const read = ({ after, limit }: { after: string; limit: number }) => {
      const { account, mediaId } = entryOf(after)
      return store.all(pageOfEntries, { account, medium: mediaId, limit })
    }
    for await (const rows of inPages(read, keyOf, `${FIRST_ID} ${FIRST_ID}`)) {
      const suspects: string[] = []
      for (const row of rows) if ((await termsDiffer(store, row)).length > 0) suspects.push(keyOf(row))
      yield { compared: rows.length, suspects }
    }
  },
  async compare(tx, key) {
    const entry = await tx.first(lockEntry, entryOf(key))
    return entry ? termsDiffer(tx, entry) : []
  },
  async repair(tx, key) {
    const entry = await tx.first(lockEntry, entryOf(key))
    if (!entry) return
    await tx.run(removeTerms, entryOf(key))
    const { account_id, entry_id, media_id, media_type } = entry
    const terms = JSON.stringify(expectedTerms(entry))
    await tx.run(addTerms, { account_id, entry_id, media_id, media_type, terms })
  },
}
