import { sql } from 'kysely'
import { ID_EPOCH_MS, ID_TIME_SHIFT, timeOfId } from '../../common/ids.ts'
import { adHocQuery, postgresQuery } from '../query.ts'
import type { Store, Transaction } from '../store.ts'
import type { Branch, Lookup } from './branches.ts'
import { branchesOf } from './branches.ts'
import { filterSql } from './filter-sql.ts'
import type {
  Count,
  Found,
  SearchChange,
  SearchDocument,
  SearchExpression,
  SearchIndex,
  SearchWindow,
} from './search-index.ts'

// A lexeme says what it is of: `t:` the text, `u:` links, `k:` terms, `d:` the day of the id, `a` every document.

/** Of what documents hold: an index of another version is built again. */
const VERSION = 2
const DAY_MS = 86_400_000
/** PostgreSQL has none that is longer; longer ones are cut, in documents and searches. */
const MAX_LEXEME_CHARACTERS = 500
/** Where a phrase of one link cannot continue into the next. */
const LINK_GAP = 100
/** The first part of a window that is looked at, and how much longer each next one is. */
const FIRST_PART_MS = DAY_MS
const PART_GROWTH = 4
/** Days that are named in a search: of a longer part, the bounds of its ids do. */
const MAX_DAYS = 8

/** `documents` is a JSON list of rows, each of another id. */
const putDocuments = postgresQuery<{ documents: string }>('putSearchDocuments', (db, at) => ({
  compile: () =>
    sql`insert into search_documents (id, words, likes, replies, reposts, west, south, east, north)
        select id, words::tsvector, likes, replies, reposts, west, south, east, north
        from jsonb_to_recordset(${at.documents}::jsonb) as put(id bigint, words text, likes bigint, replies bigint,
          reposts bigint, west double precision, south double precision, east double precision, north double precision)
        on conflict (id) do update set words = excluded.words, likes = excluded.likes, replies = excluded.replies,
          reposts = excluded.reposts, west = excluded.west, south = excluded.south, east = excluded.east,
          north = excluded.north`.compile(db),
}))

const removeDocument = postgresQuery<{ id: string }>('removeSearchDocument', (db, at) => ({
  compile: () => sql`delete from search_documents where id = ${at.id}::bigint`.compile(db),
}))

const countDocument = postgresQuery<{ id: string; likes: number; replies: number; reposts: number }>(
  'countSearchDocument',
  (db, at) => ({
    compile: () =>
      sql`update search_documents set likes = ${at.likes}, replies = ${at.replies}, reposts = ${at.reposts}
        where id = ${at.id}::bigint`.compile(db),
  }),
)

const clearDocuments = postgresQuery<object>('clearSearchDocuments', (db) =>
  db.deleteFrom('search_documents'),
)
const clearBuilt = postgresQuery<object>('clearSearchBuilt', (db) => db.deleteFrom('search_built'))
const setBuilt = postgresQuery<{ version: number }>('setSearchBuilt', (db, at) =>
  db
    .insertInto('search_built')
    .values({ version: at.version })
    .onConflict((on) => on.doNothing()),
)
const built = postgresQuery<{ version: number }, { version: number }>('searchBuilt', (db, at) =>
  db.selectFrom('search_built').select('version').where('version', '=', at.version),
)

/** The index in the database of the store: a GIN index over words and terms. Every node uses the same. */
export function postgresSearchIndex(store: Store): SearchIndex {
  const find = async (expression: SearchExpression, window: SearchWindow, limit: number) => {
    const branches = branchesOf(expression)
    const found: Found[] = []
    // The newest come first, so the newest part of the window is asked first: it answers for frequent words.
    for (const part of partsOf(window)) {
      found.push(
        ...(await store.all(foundQuery(branches, part), { limit: limit - found.length })).map(foundOf),
      )
      if (found.length >= limit) break
    }
    return found
  }
  return {
    state: async () => ((await store.first(built, { version: VERSION })) ? 'built' : 'new'),
    apply: (changes) =>
      store.write(async (tx) => {
        for (const run of runsOf(changes)) await apply(tx, run)
      }),
    clear: () =>
      store.write(async (tx) => {
        await tx.run(clearBuilt, {})
        await tx.run(clearDocuments, {})
      }),
    finish: () => store.write(async (tx) => void (await tx.run(setBuilt, { version: VERSION }))),
    find,
    async count(expression, window, bucketMs) {
      const rows = await store.all(countQuery(branchesOf(expression), window, bucketMs), {})
      return rows.map(({ bucket, count }): Count => ({ start: bucket * bucketMs, count }))
    },
    close: async () => undefined,
  }
}

/** Documents that are put one after the other, and each other change. */
function* runsOf(changes: readonly SearchChange[]): Generator<SearchDocument[] | SearchChange> {
  let documents = new Map<string, SearchDocument>()
  for (const change of changes) {
    if (change.kind === 'put') documents.set(change.document.id, change.document)
    else {
      if (documents.size > 0) yield [...documents.values()]
      documents = new Map()
      yield change
    }
  }
  if (documents.size > 0) yield [...documents.values()]
}

async function apply(tx: Transaction, run: SearchDocument[] | SearchChange): Promise<void> {
  if (Array.isArray(run)) await tx.run(putDocuments, { documents: JSON.stringify(run.map(rowOf)) })
  else if (run.kind === 'remove') await tx.run(removeDocument, { id: run.id })
  else if (run.kind === 'count') await tx.run(countDocument, { id: run.id, ...run.numbers })
}

const rowOf = (document: SearchDocument) => ({
  id: document.id,
  words: vectorOf(document),
  ...document.numbers,
  ...document.area,
})

interface FoundRow {
  id: string
  likes: number
  replies: number
  reposts: number
}

const foundOf = ({ id, ...numbers }: FoundRow): Found => ({ id, numbers })

const foundQuery = (branches: readonly Branch[], window: SearchWindow) =>
  adHocQuery<{ limit: number }, FoundRow>('findDocuments', (db, at) => ({
    compile: () =>
      sql`select d.id::text as id, d.likes, d.replies, d.reposts from search_documents d
        where ${conditionOf(branches, window)} order by d.id desc limit ${at.limit}`.compile(db),
  }))

const countQuery = (branches: readonly Branch[], window: SearchWindow, bucketMs: number) =>
  adHocQuery<object, { bucket: number; count: number }>('countDocuments', (db) => ({
    compile: () =>
      sql`select ((d.id >> ${sql.lit(ID_TIME_SHIFT)}) + ${sql.lit(ID_EPOCH_MS)}) / ${sql.lit(bucketMs)} as bucket,
          count(*) as count
        from search_documents d where ${conditionOf(branches, window)} group by 1 order by 1`.compile(db),
  }))

function conditionOf(branches: readonly Branch[], window: SearchWindow) {
  const days = daysOf(window)
  const any = branches.map(({ lookup, filters }) => {
    const words = sql`d.words @@ ${days === undefined ? tsqueryOf(lookup) : `(${tsqueryOf(lookup)}) & (${days})`}::tsquery`
    return sql.join([words, ...filters.map((filter) => sql.raw(filterSql(filter)))], sql` and `)
  })
  return sql`d.id >= ${window.from}::bigint and d.id < ${window.before}::bigint and (${sql.join(any, sql` or `)})`
}

const dayOf = (timeMs: number) => Math.floor(timeMs / DAY_MS)

/** The days of a short window as a query, so that the index reads no others. */
function daysOf({ from, before }: SearchWindow): string | undefined {
  const [first, last] = [dayOf(timeOfId(from)), dayOf(timeOfId(before))]
  if (last - first >= MAX_DAYS) return undefined
  return Array.from({ length: last - first + 1 }, (_, index) => `d:${first + index}`)
    .map(quoted)
    .join(' | ')
}

/** A window in parts, the newest first. */
function* partsOf({ from, before }: SearchWindow): Generator<SearchWindow> {
  let end = BigInt(before)
  const start = BigInt(from)
  for (let length = FIRST_PART_MS; end > start; length *= PART_GROWTH) {
    const next = end - (BigInt(length) << BigInt(ID_TIME_SHIFT))
    const cut = next > start ? next : start
    yield { from: String(cut), before: String(end) }
    end = cut
  }
}

const lexeme = (kind: string, text: string) => `${kind}:${text.slice(0, MAX_LEXEME_CHARACTERS)}`
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** A document in the syntax of `tsvector`. */
function vectorOf({ id, words, links, terms }: SearchDocument): string {
  const places = new Map<string, number[]>()
  const place = (text: string, at: number) => {
    const known = places.get(text)
    if (known) known.push(at)
    else places.set(text, [at])
  }
  words.forEach((word, index) => {
    place(lexeme('t', word), index + 1)
  })
  let at = 1
  for (const link of links) {
    for (const word of link) place(lexeme('u', word), at++)
    at += LINK_GAP
  }
  return [
    ...[...places].map(([text, positions]) => `${quoted(text)}:${positions.join(',')}`),
    ...terms.map((term) => quoted(lexeme('k', term))),
    quoted(`d:${dayOf(timeOfId(id))}`),
    quoted(EVERY_DOCUMENT),
  ].join(' ')
}

const EVERY_DOCUMENT = 'a'

/** A lookup in the syntax of `tsquery`. */
function tsqueryOf(lookup: Lookup): string {
  switch (lookup.kind) {
    case 'term':
      return quoted(lexeme('k', lookup.term))
    case 'words':
      return `(${lookup.words.map((word) => quoted(lexeme(lookup.of === 'text' ? 't' : 'u', word))).join(' <-> ')})`
    case 'not':
      return `!(${tsqueryOf(lookup.not)})`
    case 'all':
      return lookup.of.length === 0 ? quoted(EVERY_DOCUMENT) : `(${lookup.of.map(tsqueryOf).join(' & ')})`
    case 'any':
      return lookup.of.length === 0
        ? `(${quoted(EVERY_DOCUMENT)} & !${quoted(EVERY_DOCUMENT)})`
        : `(${lookup.of.map(tsqueryOf).join(' | ')})`
  }
}
