import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { ID_EPOCH_MS, ID_TIME_SHIFT } from '../../common/ids.ts'
import { adHocQuery, postgresQuery } from '../query.ts'
import type { Store, Transaction } from '../store.ts'
import type { Branch, Lookup } from './branches.ts'
import { branchesOf, conjunctsOf } from './branches.ts'
import { filterSql } from './filter-sql.ts'
import type { Count, Found, SearchChange, SearchDocument, SearchIndex, SearchWindow } from './search-index.ts'
import { partsOf, spansIn, spansOf } from './spans.ts'

// The prefix of a lexeme names its kind: `t:` a word of the text, `u:` a part of a link, `k:` a term, `s` with a level the time
// span of the id, `a` a lexeme that every document has.

/** Version of the contents of documents: an index of another version is rebuilt. */
const VERSION = 3
/** Longer lexemes are truncated, in documents and in searches: PostgreSQL limits their length. */
const MAX_LEXEME_CHARACTERS = 500
/** Where a phrase of one link cannot continue into the next. */
const LINK_GAP = 100

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

/** Deleting the rows of many documents would take longer than a statement may. */
const clearDocuments = postgresQuery<object>('clearSearchDocuments', (db) => ({
  compile: () => sql`truncate search_documents`.compile(db),
}))
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
    async find(expression, window, limit) {
      const parts = [...partsOf(window)].map((part, place) => ({ place, ...part, spans: spansQuery(part) }))
      const query = foundQuery(branchesOf(expression))
      const rows = await store.all(query, { parts: JSON.stringify(parts), limit })
      return rows.map(({ id, ...numbers }): Found => ({ id, numbers }))
    },
    async count(expression, window, bucketMs) {
      if (BigInt(window.from) >= BigInt(window.before)) return []
      const query = countQuery(branchesOf(expression), bucketMs)
      const rows = await store.all(query, { ...window, spans: spansQuery(window) })
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

/**
 * The parts of the window are searched one after the other, the newest first, until there are enough: the rest is never
 * looked at. `parts` is a JSON list, in that order.
 */
const foundQuery = (branches: readonly Branch[]) =>
  adHocQuery<{ parts: string; limit: number }, FoundRow>('findDocuments', (db, at) => ({
    compile: () =>
      sql`select f.id::text as id, f.likes, f.replies, f.reposts
        from (select * from jsonb_to_recordset(${at.parts}::jsonb)
            as parts(place integer, "from" bigint, before bigint, spans text) order by place) part
          cross join lateral (
            select d.id, d.likes, d.replies, d.reposts from search_documents d
            where ${conditionOf(branches, { from: sql`part.from`, before: sql`part.before`, spans: sql`part.spans` })}
            order by d.id desc limit ${at.limit}) f
        limit ${at.limit}`.compile(db),
  }))

const countQuery = (branches: readonly Branch[], bucketMs: number) =>
  adHocQuery<SearchWindow & { spans: string }, { bucket: number; count: number }>(
    'countDocuments',
    (db, at) => ({
      compile: () =>
        sql`select ((d.id >> ${sql.lit(ID_TIME_SHIFT)}) + ${sql.lit(ID_EPOCH_MS)}) / ${sql.lit(bucketMs)} as bucket,
            count(*) as count
          from search_documents d
          where ${conditionOf(branches, { from: sql`${at.from}::bigint`, before: sql`${at.before}::bigint`, spans: sql`${at.spans}` })}
          group by 1 order by 1`.compile(db),
    }),
  )

type WindowSql = Readonly<Record<'from' | 'before' | 'spans', RawBuilder<unknown>>>

/**
 * Each condition on its own: of several, the index skips in the entries of each to where the others go on. In one `tsquery`
 * it reads all entries of the rarest. `id + 0` keeps the planner, which does not know the window, from reading all of its rows.
 */
function conditionOf(branches: readonly Branch[], { from, before, spans }: WindowSql) {
  const any = branches.map(({ lookup, filters }) => {
    const conjuncts = conjunctsOf(lookup)
    const excluded = conjuncts.filter(({ kind }) => kind === 'not').map(tsqueryOf)
    const within = excluded.length === 0 ? sql`` : sql` && ${excluded.join(' & ')}::tsquery`
    const words = conjuncts
      .filter(({ kind }) => kind !== 'not')
      .map((one) => sql`d.words @@ ${tsqueryOf(one)}::tsquery`)
    return sql.join(
      [
        sql`d.words @@ (${spans}::tsquery${within})`,
        ...words,
        ...filters.map((filter) => sql.raw(filterSql(filter))),
      ],
      sql` and `,
    )
  })
  return sql`d.id + 0 >= ${from} and d.id + 0 < ${before} and (${sql.join(any, sql` or `)})`
}

/** The spans of a window as a query; of one that is too long, every document. */
const spansQuery = (window: SearchWindow): string =>
  spansIn(window)
    ?.map((span) => quoted(`s${span}`))
    .join(' | ') ?? quoted(EVERY_DOCUMENT)

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
    ...spansOf(id).map((span) => quoted(`s${span}`)),
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
