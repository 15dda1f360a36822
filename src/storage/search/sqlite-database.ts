import { rmSync } from 'node:fs'
import type { StatementSync } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import { makePrivate } from '../private-file.ts'
import type { SearchChange, SearchDocument, SearchState } from './search-index.ts'
import { MAX_PLACES } from './search-index.ts'
import { SHORTEST_SHIFT } from './spans.ts'
import { BETWEEN_LINKS, EVERY_DOCUMENT, encoded, OMITTED, TERM_CHARACTERS } from './sqlite-match.ts'
import type { CountedStep, FoundStep, SearchStep } from './sqlite-steps.ts'
import { SearchSteps } from './sqlite-steps.ts'

/** The version of the tables below and of the contents of documents. A file of another version is rebuilt. */
const VERSION = 4
const CACHE_KILOBYTES = 16_384
const BUSY_TIMEOUT_MS = 5_000
/** Limits the cache, because searches may have arbitrarily many forms. */
const MAX_STATEMENTS = 200

/**
 * `spans` counts the documents of each span of time, so that a search can be divided into steps. `progress` has one row;
 * `finished` is 1 when everything is in the index. The row is missing after the database was damaged, until `clear`.
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
  create table spans (span integer primary key, documents integer not null);
  create table progress (id integer primary key, finished integer not null);
  insert into progress values (1, 0);
  pragma user_version = ${VERSION}`
const TABLES = ['documents', 'words', 'spans', 'progress']

/** The code of an error that means that the index was damaged, and is empty now. */
export const DAMAGED = 'SEARCH_INDEX_DAMAGED'

/** The index was damaged. It was replaced by an empty one. */
class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged'
  readonly code = DAMAGED
}

/** The index in a separate database: FTS5 for words and terms, a table for what filters compare. */
export class SearchDatabase {
  readonly #file: string | undefined
  #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #steps = new SearchSteps((sql) => this.#statement(sql))
  /** Damage that was found when the file was opened. The first call reports it. */
  #found: IndexDamaged | undefined
  /** How many documents the changes of a transaction add to each span. */
  #added = new Map<bigint, number>()

  /** In memory if no file is given. A file of another version is emptied, and a damaged one is replaced. */
  constructor(file: string | undefined) {
    this.#file = file
    this.#database = new DatabaseSync(':memory:')
    try {
      this.#open()
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
    this.#guarded(() => this.#transaction(() => this.#apply(changes)))
  }

  find(step: SearchStep, limit: number): FoundStep {
    return this.#guarded(() => this.#steps.find(step, limit))
  }

  count(step: SearchStep, bucketMs: number): CountedStep {
    return this.#guarded(() => this.#steps.count(step, bucketMs))
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
      for (const table of TABLES) this.#database.prepare(`select * from ${table} limit 1`).get()
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

  #apply(changes: readonly SearchChange[]): void {
    this.#added = new Map()
    for (const change of changes) this.#change(change)
    const add = this.#statement(
      'insert into spans values (?, ?) on conflict (span) do update set documents = documents + excluded.documents',
    )
    for (const [span, documents] of this.#added) if (documents !== 0) add.run(span, documents)
  }

  #add(id: bigint, documents: number): void {
    const span = id >> SHORTEST_SHIFT
    this.#added.set(span, (this.#added.get(span) ?? 0) + documents)
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
    if (Number(changes) > 0) {
      this.#statement('delete from words where rowid = ?').run(id)
      this.#add(id, -1)
    }
    if (change.kind === 'put') this.#put(id, change.document)
  }

  #put(id: bigint, { words, links, terms, numbers, area }: SearchDocument): void {
    this.#add(id, 1)
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
      textOf(links.flatMap((one) => [...one, BETWEEN_LINKS])),
      [EVERY_DOCUMENT, ...terms.map(encoded)].join(' '),
    )
  }

  #open(): void {
    if (this.#file !== undefined) {
      makePrivate(this.#file)
      if (this.#database.isOpen) this.#database.close()
      this.#database = new DatabaseSync(this.#file, { timeout: BUSY_TIMEOUT_MS })
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

/** Words as a text. A word is omitted beyond the places that the index knows, and what follows keeps its place. */
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
