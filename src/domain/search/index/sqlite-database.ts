import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { compareIds, ID_EPOCH_MS, ID_TIME_SHIFT } from '../../../platform/common/ids.ts'
import { makePrivate } from '../../../platform/storage/private-file.ts'
import { copiedIntoMemory, vacuumInto } from '../../../platform/storage/sqlite-copy.ts'
import {
  type BranchLookup,
  isAnchored,
  phraseWordsOf,
  type SearchBranch,
  shareOf,
  withoutPhrases,
} from './branches.ts'
import { filterSql } from './filter-sql.ts'
import {
  MAX_PLACES,
  type SearchChange,
  type SearchDocument,
  type SearchHit,
  type SearchPage,
  type SearchState,
  type SearchWindow,
} from './search-index.ts'

/**
 * The version of the tables below and of the contents of documents. A file of another version is
 * rebuilt.
 */
const VERSION = 5
/** A term that every document has. */
const EVERY_DOCUMENT = 'every_document'
/** ASCII characters that do not separate terms. Characters beyond ASCII never do. */
const TERM_CHARACTERS = '_:.%-'
const CACHE_KILOBYTES = 16_384
const BUSY_TIMEOUT_MS = 5_000
/** Of the first part of a window that is searched for a phrase. */
const FIRST_CANDIDATES = 500
/** Limits the cache, because searches may have arbitrarily many forms. */
const MAX_STATEMENTS = 200

/**
 * `progress` has one row; `finished` is 1 when everything is in the index. The row is missing after
 * the database was damaged, until `clear`.
 */
const SCHEMA = `
  create table documents (
    id integer primary key,
    likes integer not null,
    replies integer not null,
    reposts integer not null,
    west real,
    south real,
    east real,
    north real);
  create virtual table words using fts5(
    text, links, terms,
    content='', contentless_delete=1, tokenize="ascii tokenchars '${TERM_CHARACTERS}'");
  create table progress (id integer primary key, finished integer not null);
  insert into progress values (1, 0);
  pragma user_version = ${VERSION}`
const TABLES = ['documents', 'words', 'progress']

/** The code of an error that means that the index was damaged, and is empty now. */
export const DAMAGED = 'SEARCH_INDEX_DAMAGED'

/** The index was damaged. It was replaced by an empty one. */
class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged'
  readonly code = DAMAGED
}

/** A request: the branches of an expression, the window, and the maximum number of candidates. */
export interface BranchesRequest {
  branches: readonly SearchBranch[]
  window: SearchWindow
  candidates: number
}

/** The limits of one branch. */
interface BranchRequest {
  window: SearchWindow
  limit: number
  candidates: number
}

/** Spans of time in which documents are counted, one after another from `originMs` on. */
export interface Buckets {
  bucketMs: number
  originMs: number
}

/** Counts of the newest part of a window, and the rest of it. */
export interface CountedPart {
  /** Pairs of a time and a count, oldest first: there may be many, and numbers are copied fast. */
  counts: Float64Array
  rest: SearchWindow | undefined
}

/** The index in a separate database: FTS5 for words and terms, a table for what filters compare. */
export class SearchDatabase {
  readonly #file: string | undefined
  #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Damage that was found when the file was opened. The first call reports it. */
  #found: IndexDamaged | undefined

  /**
   * In memory if no file is given; then it begins with the content of `copyOf`. A file of another
   * version is emptied, and a damaged one is replaced.
   */
  constructor(file: string | undefined, copyOf?: string) {
    this.#file = file
    this.#database = new DatabaseSync(':memory:')
    try {
      this.#open(copyOf)
      if (versionOf(this.#database) !== VERSION) this.#create()
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#found = this.#replaced(error)
    }
  }

  state(): SearchState {
    return this.#guarded(() => {
      const row = this.#statement('select finished from progress').get()
      return row?.finished === 1 ? 'built' : 'new'
    })
  }

  reopen(): void {
    this.#guarded(() => this.#database.exec('update progress set finished = 0'))
  }

  clear(): void {
    this.#guarded(() => this.#create())
  }

  /** @throws IndexDamaged It was replaced since it was cleared, so that something is missing. */
  finish(): void {
    this.#guarded(() => {
      const { changes } = this.#database.prepare('update progress set finished = 1').run()
      if (Number(changes) === 0) throw new IndexDamaged('the index was replaced while it was built')
    })
  }

  apply(changes: readonly SearchChange[]): void {
    this.#guarded(() =>
      this.#transaction(() => {
        for (const change of changes) this.#change(change)
      }),
    )
  }

  find(request: BranchesRequest, limit: number): SearchPage {
    return this.#guarded(() => this.#findAll(request, limit))
  }

  count(request: BranchesRequest, buckets: Buckets): CountedPart {
    return this.#guarded(() => this.#count(request, buckets))
  }

  /** Copies the index into a file, or a database in memory, that is missing or empty. */
  copyInto(target: string): void {
    this.#guarded(() => vacuumInto(this.#database, target))
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  /**
   * Runs `work`. If it fails because the database is damaged, an empty one takes its place.
   * @throws IndexDamaged
   */
  #guarded<Result>(work: () => Result): Result {
    const found = this.#found
    this.#found = undefined
    if (found) throw found
    try {
      return work()
    } catch (error) {
      if (!isDamage(error) && !(isSqlError(error) && !this.#isWhole())) throw error
      throw this.#replaced(error)
    }
  }

  /** Whether every table can be read. */
  #isWhole(): boolean {
    try {
      for (const table of TABLES) this.#database.prepare(`select 1 from ${table} limit 1`).get()
      return true
    } catch {
      return false
    }
  }

  #replaced(cause: unknown): IndexDamaged {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
    this.#removeFile()
    this.#open()
    this.#create()
    // Whoever builds the index at this time must begin again.
    this.#database.exec('delete from progress')
    return new IndexDamaged('the search index is damaged', { cause })
  }

  /** Removes every table and creates them again. */
  #create(): void {
    this.#statements.clear()
    this.#transaction(() => {
      for (const table of TABLES) this.#database.exec(`drop table if exists ${table}`)
      this.#database.exec(SCHEMA)
    })
  }

  #findAll({ branches, window, candidates }: BranchesRequest, limit: number): SearchPage {
    const found = new Map<string, SearchHit>()
    let from = BigInt(window.from)
    for (const branch of branches) {
      const part = this.#find(branch, {
        window,
        limit,
        candidates: shareOf(branch, { candidates, branches }),
      })
      if (part.from > from) from = part.from
      for (const hit of part.found) found.set(hit.id, hit)
    }
    // Before the id where the first branch stopped, other branches may have omitted something.
    const all = [...found.values()].filter(({ id }) => BigInt(id) >= from)
    all.sort((a, b) => compareIds(b.id, a.id))
    const rest = all.length < limit ? restOf(window, from) : undefined
    return { found: all.slice(0, limit), ...(rest && { rest }) }
  }

  #count({ branches, window, candidates }: BranchesRequest, buckets: Buckets): CountedPart {
    const [only] = branches
    if (!only) return { counts: new Float64Array(), rest: undefined }
    if (branches.length === 1 && only.filters.length === 0 && !hasPhrase(only))
      return this.#countNewest(only, { window, candidates }, buckets)
    let from = BigInt(window.from)
    for (const branch of branches) {
      const most = shareOf(branch, { candidates, branches })
      const reached = this.#reach(withoutPhrases(branch.lookup), window, most)
      if (reached > from) from = reached
    }
    const part = { from: String(from), before: window.before }
    // Two branches may match the same document.
    const ids = branches.map((branch) => `select words.rowid as id from ${matched(branch)}`).join(' union ')
    const rows = this.#statement(
      `select ${BUCKET} as bucket, count(*) as count from (${ids}) group by 1 order by 1`,
    ).all(...numbersOf(buckets), ...branches.flatMap(({ lookup }) => boundsOf(lookup, part)))
    return { counts: pairsOf(rows, buckets), rest: restOf(window, from) }
  }

  /** Counts what the inverted index answers alone; each candidate is read once. */
  #countNewest(
    branch: SearchBranch,
    { window, candidates }: { window: SearchWindow; candidates: number },
    buckets: Buckets,
  ): CountedPart {
    const newest = `select words.rowid as id from words where ${IN_WINDOW} order by words.rowid desc limit ?`
    const rows = this.#statement(
      `select ${BUCKET} as bucket, count(*) as count, cast(min(id) as text) as oldest from (${newest}) group by 1 order by 1`,
    ).all(...numbersOf(buckets), ...boundsOf(branch.lookup, window), candidates)
    const read = rows.reduce((sum, { count }) => sum + Number(count), 0)
    const oldest = rows[0]?.oldest
    return {
      counts: pairsOf(rows, buckets),
      rest: read < candidates ? undefined : restOf(window, BigInt(String(oldest))),
    }
  }

  /** The results of a branch, and the id from which on they are complete. */
  #find(branch: SearchBranch, request: BranchRequest): { found: SearchHit[]; from: bigint } {
    if (hasPhrase(branch)) return this.#findPhrases(branch, request)
    const { window, limit, candidates } = request
    if (branch.filters.length === 0) {
      const rows = this.#statement(
        `select ${FOUND} from words join documents d on d.id = words.rowid where ${IN_WINDOW} order by words.rowid desc limit ?`,
      ).all(...boundsOf(branch.lookup, window), limit)
      return { found: rows.map(foundOf), from: BigInt(window.from) }
    }
    // Begins at the newest candidate, and only reads as far as the page requires.
    const newest = `select words.rowid as id from words where ${IN_WINDOW} order by words.rowid desc limit ?`
    const reached = isAnchored(branch.lookup) ? undefined : this.#reach(branch.lookup, window, candidates)
    const part = reached === undefined ? window : { from: String(reached), before: window.before }
    const rows = this.#statement(
      `select ${FOUND} from (${newest}) c cross join documents d on d.id = c.id where ${filtersOf(branch)} limit ?`,
    ).all(...boundsOf(branch.lookup, part), candidates, limit)
    const isFull = rows.length >= limit
    const from = reached ?? (isFull ? BigInt(window.from) : this.#reach(branch.lookup, window, candidates))
    return { found: rows.map(foundOf), from }
  }

  /**
   * The words of a phrase lead to candidates, in which their places are compared. The first part of
   * the window has few of them, because a frequent phrase is found there.
   */
  #findPhrases(
    branch: SearchBranch,
    { window, limit, candidates }: BranchRequest,
  ): { found: SearchHit[]; from: bigint } {
    const words = withoutPhrases(branch.lookup)
    const filters = branch.filters.length === 0 ? '' : ` and ${filtersOf(branch)}`
    const statement = this.#statement(
      `select ${FOUND} from words cross join documents d on d.id = words.rowid where ${IN_WINDOW}${filters} order by words.rowid desc limit ?`,
    )
    const found: SearchHit[] = []
    let { from, before } = { from: BigInt(window.before), before: window.before }
    for (let left = candidates, step = FIRST_CANDIDATES; left > 0 && from > BigInt(window.from); step *= 4) {
      const size = Math.min(step, left)
      from = this.#reach(words, { from: window.from, before }, size)
      const part = { from: String(from), before }
      found.push(...statement.all(...boundsOf(branch.lookup, part), limit - found.length).map(foundOf))
      if (found.length >= limit) return { found, from: BigInt(window.from) }
      left -= size
      before = part.from
    }
    return { found, from }
  }

  /** The id of the n-th newest candidate of a lookup; the start of the window without one. */
  #reach(lookup: BranchLookup, window: SearchWindow, candidates: number): bigint {
    const [match, from, before] = boundsOf(lookup, window)
    const last = isAnchored(lookup)
      ? this.#statement(
          `select cast(words.rowid as text) as id from words where ${IN_WINDOW} order by words.rowid desc limit 1 offset ?`,
        ).get(match, from, before, candidates - 1)
      : this.#statement(
          'select cast(id as text) as id from documents where id >= ? and id < ? order by documents.id desc limit 1 offset ?',
        ).get(from, before, candidates - 1)
    return last ? BigInt(String(last.id)) : from
  }

  #transaction(work: () => void): void {
    this.#database.exec('begin immediate')
    try {
      work()
      this.#database.exec('commit')
    } catch (error) {
      // A full disk may have ended the transaction. If it stayed open, every later one would fail.
      if (this.#database.isTransaction) this.#database.exec('rollback')
      throw error
    }
  }

  #change(change: SearchChange): void {
    if (change.kind === 'count') {
      const { likes, replies, reposts } = change.numbers
      this.#statement('update documents set likes = ?, replies = ?, reposts = ? where id = ?').run(
        likes,
        replies,
        reposts,
        BigInt(change.id),
      )
      return
    }
    const id = BigInt(change.kind === 'put' ? change.document.id : change.id)
    // Only for existing documents, because each deletion adds a marker to the index.
    const { changes } = this.#statement('delete from documents where id = ?').run(id)
    if (Number(changes) > 0) this.#statement('delete from words where rowid = ?').run(id)
    if (change.kind === 'put') this.#put(id, change.document)
  }

  #put(id: bigint, { words, links, terms, numbers, area }: SearchDocument): void {
    const { likes, replies, reposts } = numbers
    this.#statement('insert into documents values (?, ?, ?, ?, ?, ?, ?, ?)').run(
      id,
      likes,
      replies,
      reposts,
      ...(area ? [area.west, area.south, area.east, area.north] : [null, null, null, null]),
    )
    this.#statement('insert into words (rowid, text, links, terms) values (?, ?, ?, ?)').run(
      id,
      textOf(words),
      textOf(links.flatMap((link) => [...link, BETWEEN_LINKS])),
      [EVERY_DOCUMENT, ...terms.map(encoded)].join(' '),
    )
  }

  #open(copyOf?: string): void {
    if (this.#file !== undefined) {
      makePrivate(this.#file)
      if (this.#database.isOpen) this.#database.close()
      this.#database = new DatabaseSync(this.#file, { timeout: BUSY_TIMEOUT_MS })
    } else if (copyOf !== undefined) {
      this.#database.close()
      this.#database = copiedIntoMemory(copyOf).db
    } else if (!this.#database.isOpen) this.#database = new DatabaseSync(':memory:')
    this.#database.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -${CACHE_KILOBYTES}`,
    )
  }

  #removeFile(): void {
    if (this.#file === undefined) return
    for (const end of ['', '-wal', '-shm']) rmSync(`${this.#file}${end}`, { force: true })
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear()
    const made = this.#database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}

const versionOf = (database: DatabaseSync) =>
  Number(database.prepare('pragma user_version').get()?.user_version)

const SQLITE_ERROR = 1
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
/** A page beyond the end of the file. */
const SQLITE_IOERR_SHORT_READ = 522

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0

function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff) || code === SQLITE_IOERR_SHORT_READ
}

/** An error of a statement: of the query itself, or because a table cannot be read. */
const isSqlError = (error: unknown) => codeOf(error) === SQLITE_ERROR

/** A word between two links, so that no phrase continues from one to the next. */
const BETWEEN_LINKS = '_:_'
/** Stands for a word beyond the places that the index knows. */
const OMITTED = '_:o'

/**
 * Words as a text. A word is omitted beyond the places that the index knows, and what follows keeps
 * its place.
 */
function textOf(words: readonly string[]): string {
  if (words.length <= MAX_PLACES) return words.join(' ')
  const counts = new Map<string, number>()
  return words
    .map((word) => {
      const count = (counts.get(word) ?? 0) + 1
      counts.set(word, count)
      return count > MAX_PLACES && word !== BETWEEN_LINKS ? OMITTED : word
    })
    .join(' ')
}

/** A term as one token: other ASCII characters become percent codes. */
const encoded = (term: string) =>
  term.replace(/[^\p{L}\p{M}\p{N}_:.-]/gu, (character) =>
    character.charCodeAt(0) > 0x7f ? character : `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const FOUND = 'cast(d.id as text) as id, d.likes, d.replies, d.reposts'
/** FTS5 scans from newest to oldest if the order requests it. */
const IN_WINDOW = 'words match ? and words.rowid >= ? and words.rowid < ?'

const filtersOf = ({ filters }: SearchBranch): string => filters.map(filterSql).join(' and ')

const hasPhrase = ({ lookup }: SearchBranch) => phraseWordsOf(lookup) > 0

/** The rows of a branch. */
const matched = (branch: SearchBranch): string =>
  branch.filters.length === 0
    ? `words where ${IN_WINDOW}`
    : `words join documents d on d.id = words.rowid where ${IN_WINDOW} and ${filtersOf(branch)}`

const boundsOf = (lookup: BranchLookup, { from, before }: SearchWindow): [string, bigint, bigint] => [
  matchOf(lookup),
  BigInt(from),
  BigInt(before),
]

type SqlRow = Record<string, unknown>

const foundOf = ({ id, likes, replies, reposts }: SqlRow): SearchHit => ({
  id: String(id),
  numbers: { likes: Number(likes), replies: Number(replies), reposts: Number(reposts) },
})

/** The number of the bucket of an id. */
const BUCKET = `((id >> ${ID_TIME_SHIFT}) + ${ID_EPOCH_MS} - ?) / ?`
const numbersOf = ({ bucketMs, originMs }: Buckets) => [BigInt(originMs), BigInt(bucketMs)]

const pairsOf = (rows: readonly SqlRow[], { bucketMs, originMs }: Buckets) =>
  Float64Array.from(
    rows.flatMap(({ bucket, count }) => [originMs + Number(bucket) * bucketMs, Number(count)]),
  )

const restOf = ({ from }: SearchWindow, reached: bigint): SearchWindow | undefined =>
  reached > BigInt(from) ? { from, before: String(reached) } : undefined

/** A lookup in the language of FTS5, which supports NOT only between two operands. */
function matchOf(lookup: BranchLookup): string {
  switch (lookup.kind) {
    case 'term':
      return `terms : ${quoted(encoded(lookup.term))}`
    case 'words':
      return `${lookup.of} : ${quoted(lookup.words.join(' '))}`
    case 'any':
      if (lookup.of.length === 0) return `(${EVERYTHING_MATCH} NOT ${EVERYTHING_MATCH})`
      return `(${lookup.of.map(matchOf).join(' OR ')})`
    case 'not':
      return `(${EVERYTHING_MATCH} NOT ${matchOf(lookup.not)})`
    case 'all': {
      const required = lookup.of.filter(({ kind }) => kind !== 'not').map(matchOf)
      const positive = required.length === 0 ? EVERYTHING_MATCH : required.join(' AND ')
      const unwanted = lookup.of.flatMap((operand) => (operand.kind === 'not' ? [matchOf(operand.not)] : []))
      return unwanted.length === 0 ? `(${positive})` : `((${positive}) NOT (${unwanted.join(' OR ')}))`
    }
  }
}

const EVERYTHING_MATCH = `terms : "${EVERY_DOCUMENT}"`
