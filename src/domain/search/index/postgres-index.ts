import { type RawBuilder, sql } from 'kysely'
import { beginningOf } from '../../../platform/common/cut-text.ts'
import { compareIds, ID_EPOCH_MS, ID_TIME_SHIFT } from '../../../platform/common/ids.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { adHocQuery, postgresQuery } from '../../tables.ts'
import {
  type BranchLookup,
  branchesOf,
  conjunctsOf,
  isAnchored,
  phraseWordsOf,
  type SearchBranch,
  withoutPhrases,
} from './branches.ts'
import { filterSql } from './filter-sql.ts'
import {
  CANDIDATE_LIMITS,
  type SearchChange,
  type SearchCount,
  type SearchDocument,
  type SearchHit,
  type SearchIndex,
  type SearchPage,
  type SearchWindow,
  tooManyToCount,
} from './search-index.ts'
import { growingPart, partsOf, spansIn, spansOf } from './spans.ts'

// The prefix of a lexeme says what it is: `t:` a word of the text, `u:` a part of a link, `k:` a
// term, `s` and a level the time span of the id, `a` a lexeme that every document has.

/** The version of the contents of documents. An index of another version is rebuilt. */
const VERSION = 5
/** Longer lexemes are truncated, in documents and in searches: PostgreSQL limits their length. */
const MAX_LEXEME_CHARACTERS = 500
/** A gap, so that a phrase cannot continue from one link to the next. */
const LINK_GAP = 100

/** `documents` is a JSON list of rows with distinct ids. */
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

/** Deleting the rows of many documents at once would exceed the statement timeout. */
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

/** The index in the database of the store: a GIN index of words and terms. All nodes share it. */
export function postgresSearchIndex(
  store: Pick<Store, 'all' | 'first' | 'write'>,
  limits = CANDIDATE_LIMITS,
): SearchIndex {
  return {
    state: async () => ((await store.first(built, { version: VERSION })) ? 'built' : 'new'),
    apply: (changes) =>
      store.write(async (tx) => {
        for (const run of runsOf(changes)) await apply(tx, run)
      }),
    reopen: () => store.write(async (tx) => void (await tx.run(clearBuilt, {}))),
    clear: () =>
      store.write(async (tx) => {
        await tx.run(clearBuilt, {})
        await tx.run(clearDocuments, {})
      }),
    finish: () => store.write(async (tx) => void (await tx.run(setBuilt, { version: VERSION }))),
    async find(expression, window, limit) {
      const branches = branchesOf(expression)
      if (branches.length === 0 || compareIds(window.from, window.before) >= 0) return { found: [] }
      const request: BranchesRequest = {
        store,
        branches,
        window,
        limit,
        candidates: candidatesOf(limits.found, branches),
      }
      const isLookup = (branch: SearchBranch) => branch.filters.length === 0 && !hasPhrase(branch)
      if (branches.every(isLookup)) return { found: await findAll(request) }
      return areAnchored(branches) ? findByParts(request) : findAmongAll(request)
    },
    async count(expression, window, bucketMs, originMs = 0) {
      const branches = branchesOf(expression)
      if (branches.length === 0 || compareIds(window.from, window.before) >= 0) return []
      const query = countQuery(branches)
      const most = candidatesOf(limits.counted, branches)
      const rows = await store.all(query, {
        ...{ ...window, spans: spansQuery(window), limit: most + 1 },
        ...{ bucketMs, originMs },
      })
      if (rows.reduce((sum, { candidates }) => sum + candidates, 0) > most) throw tooManyToCount(most)
      return rows.flatMap(({ bucket, count }): SearchCount[] =>
        count === 0 ? [] : [{ start: originMs + bucket * bucketMs, count }],
      )
    },
    close: async () => undefined,
  }
}

const hasPhrase = ({ lookup }: SearchBranch) => phraseWordsOf(lookup) > 0
const areAnchored = (branches: readonly SearchBranch[]) =>
  branches.every(({ lookup }) => isAnchored(withoutPhrases(lookup)))

/** How many candidates may be read. Each counts once for each word of the phrases of a branch. */
const candidatesOf = (limit: number, branches: readonly SearchBranch[]) =>
  Math.max(1, Math.floor(limit / Math.max(1, ...branches.map(({ lookup }) => phraseWordsOf(lookup)))))

/** Consecutive puts are applied together, and each other change by itself. */
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

interface BranchesRequest {
  readonly store: Pick<Store, 'all' | 'first'>
  readonly branches: readonly SearchBranch[]
  readonly window: SearchWindow
  readonly limit: number
  readonly candidates: number
}

interface HitRow {
  id: string
  likes: number
  replies: number
  reposts: number
}

const foundOf = ({ id, ...numbers }: HitRow): SearchHit => ({ id, numbers })

/** Counts what the inverted index answers alone. */
async function findAll({ store, branches, window, limit }: BranchesRequest): Promise<SearchHit[]> {
  const parts = [...partsOf(window)].map((part, place) => ({ place, ...part, spans: spansQuery(part) }))
  const rows = await store.all(foundQuery(branches), { parts: JSON.stringify(parts), limit })
  return rows.map(foundOf)
}

/**
 * Candidates found by words and terms are compared part by part of the window, newest first. Each
 * part is longer than the previous one, unless it would have more candidates than are left.
 */
async function findByParts({
  store,
  branches,
  window,
  limit,
  candidates,
}: BranchesRequest): Promise<SearchPage> {
  const query = partQuery(branches)
  const found: SearchHit[] = []
  let left = candidates
  for (let part = growingPart(window, 1); part; ) {
    const args = { ...part, spans: spansQuery(part), candidates: left, limit: limit - found.length }
    const [row] = await store.all(query, args)
    if (!row) throw new Error('a summary without a row')
    found.push(...(JSON.parse(row.found) as HitRow[]).map(foundOf))
    if (found.length >= limit) break
    left -= row.candidates
    if (left <= 0) return { found, rest: { from: window.from, before: row.last as string } }
    part = growingPart({ from: window.from, before: part.from }, left / (row.candidates + 1), part)
  }
  return { found }
}

/** Without words or terms, reads the documents themselves, newest first. */
async function findAmongAll({
  store,
  branches,
  window,
  limit,
  candidates,
}: BranchesRequest): Promise<SearchPage> {
  const rows = await store.all(amongQuery(branches), { ...window, candidates, limit })
  const found = rows.map(foundOf)
  if (found.length >= limit) return { found }
  const last = await store.first(lastCandidate, { ...window, skipped: candidates - 1 })
  if (!last || compareIds(last.id, window.from) <= 0) return { found }
  return { found, rest: { from: window.from, before: last.id } }
}

/**
 * Searches the parts of the window one after another, newest first, until there are enough results;
 * the rest is never read. `parts` is a JSON list, in that order.
 */
const foundQuery = (branches: readonly SearchBranch[]) =>
  adHocQuery<{ parts: string; limit: number }, HitRow>('findDocuments', (db, at) => ({
    compile: () =>
      sql`select f.id::text as id, f.likes, f.replies, f.reposts
        from (select * from jsonb_to_recordset(${at.parts}::jsonb)
            as parts(place integer, "from" bigint, before bigint, spans text) order by place) part
          cross join lateral (
            select d.id, d.likes, d.replies, d.reposts from search_documents d
            where ${candidateSql(branches, { from: sql`part.from`, before: sql`part.before`, spans: sql`part.spans` })}
            order by d.id desc limit ${at.limit}) f
        limit ${at.limit}`.compile(db),
  }))

/** `found` is a JSON list; `last` is the oldest candidate. */
const partQuery = (branches: readonly SearchBranch[]) =>
  adHocQuery<
    SearchWindow & { spans: string; candidates: number; limit: number },
    { candidates: number; last: string | null; found: string }
  >('findDocumentsOfPart', (db, at) => ({
    compile: () =>
      sql`with candidates as materialized (
          select d.id, d.likes, d.replies, d.reposts, (${filtersOf(branches)}) as holds from search_documents d
          where ${candidateSql(branches, windowSql(at))}
          order by d.id desc limit ${at.candidates})
        select (select count(*) from candidates) as candidates, (select min(id)::text from candidates) as last,
          (select coalesce(json_agg(f order by f.id::bigint desc), '[]')::text from (
            select id::text, likes, replies, reposts from candidates where holds order by candidates.id desc
            limit ${at.limit}) f) as found`.compile(db),
  }))

const amongQuery = (branches: readonly SearchBranch[]) =>
  adHocQuery<SearchWindow & { candidates: number; limit: number }, HitRow>(
    'findAmongDocuments',
    (db, at) => ({
      compile: () =>
        sql`select d.id::text as id, d.likes, d.replies, d.reposts from (
            select * from search_documents
            where id >= ${at.from}::bigint and id < ${at.before}::bigint
            order by id desc limit ${at.candidates}) d
          where ${filtersOf(branches)}
          order by d.id desc limit ${at.limit}`.compile(db),
    }),
  )

const lastCandidate = postgresQuery<SearchWindow & { skipped: number }, { id: string }>(
  'lastSearchCandidate',
  (db, at) => ({
    compile: () =>
      sql`select id::text as id from search_documents
        where id >= ${at.from}::bigint and id < ${at.before}::bigint
        order by search_documents.id desc limit 1 offset ${at.skipped}`.compile(db),
  }),
)

/** At most `limit` candidates are read. */
const countQuery = (branches: readonly SearchBranch[]) =>
  adHocQuery<
    SearchWindow & { spans: string; limit: number; bucketMs: number; originMs: number },
    { bucket: number; count: number; candidates: number }
  >('countDocuments', (db, at) => ({
    compile: () =>
      sql`select ((d.id >> ${sql.lit(ID_TIME_SHIFT)}) + ${sql.lit(ID_EPOCH_MS)} - ${at.originMs}::bigint) / ${at.bucketMs}::bigint as bucket,
          count(*) filter (where d.holds) as count, count(*) as candidates
        from (select d.id, (${filtersOf(branches)}) as holds from search_documents d
          where ${candidateSql(branches, windowSql(at))} limit ${at.limit}) d
        group by 1 order by 1`.compile(db),
  }))

type WindowSql = Readonly<Record<'from' | 'before' | 'spans', RawBuilder<unknown>>>

const windowSql = ({ from, before, spans }: SearchWindow & { spans: string }): WindowSql => ({
  from: sql`${from}::bigint`,
  before: sql`${before}::bigint`,
  spans: sql`${spans}`,
})

/**
 * The conditions of branches that the inverted index answers, each separately: with several
 * conditions, the index skips entries that the others exclude, whereas with one `tsquery` it reads
 * all entries of the rarest lexeme. `id + 0` keeps the planner, which does not know the window,
 * from reading all rows of the window.
 */
function candidateSql(branches: readonly SearchBranch[], { from, before, spans }: WindowSql) {
  const any = branches.map(({ lookup }) => {
    const { required, excluded } = wordsOf(withoutPhrases(lookup))
    const within = excluded === undefined ? sql`` : sql` && ${excluded}::tsquery`
    return sql.join([sql`d.words @@ (${spans}::tsquery${within})`, ...required], sql` and `)
  })
  return sql`d.id + 0 >= ${from} and d.id + 0 < ${before} and (${sql.join(any, sql` or `)})`
}

/** Whether a candidate matches one of the branches. */
function filtersOf(branches: readonly SearchBranch[]) {
  const isOnlyFilters = branches.length === 1 && areAnchored(branches) && !branches.some(hasPhrase)
  const any = branches.map(({ lookup, filters }) => {
    const { required, excluded } = wordsOf(lookup)
    const words = isOnlyFilters
      ? []
      : [...required, ...(excluded === undefined ? [] : [sql`d.words @@ ${excluded}::tsquery`])]
    const all = [...words, ...filters.map((filter) => sql`coalesce(${sql.raw(filterSql(filter))}, false)`)]
    return all.length === 0 ? sql`true` : sql`(${sql.join(all, sql` and `)})`
  })
  return sql.join(any, sql` or `)
}

/** The conditions of a lookup, each separate, and a `tsquery` of what it excludes. */
function wordsOf(lookup: BranchLookup) {
  const conjuncts = conjunctsOf(lookup)
  const excluded = conjuncts.filter(({ kind }) => kind === 'not').map(tsqueryOf)
  return {
    required: conjuncts
      .filter(({ kind }) => kind !== 'not')
      .map((phrase) => sql`d.words @@ ${tsqueryOf(phrase)}::tsquery`),
    excluded: excluded.length === 0 ? undefined : excluded.join(' & '),
  }
}

/** The spans of a window as a query; for a window that is too long, every document. */
const spansQuery = (window: SearchWindow): string =>
  spansIn(window)
    ?.map((span) => quoted(`s${span}`))
    .join(' | ') ?? quoted(EVERY_DOCUMENT)

const lexeme = (kind: string, text: string) => `${kind}:${beginningOf(text, MAX_LEXEME_CHARACTERS)}`
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
function tsqueryOf(lookup: BranchLookup): string {
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
