import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { Flusher, Sync } from './flush.ts'
import { openFlusher, syncData } from './flush.ts'
import type { Migratable } from './migrations/migrate.ts'
import { migrate } from './migrations/migrate.ts'
import { makePrivate } from './private-file.ts'
import type { Query } from './query.ts'
import { bind } from './query.ts'
import type { Store, StoreOptions, Transaction } from './store.ts'
import { StoreBusy, StoreUnavailable, UniqueViolation } from './store.ts'
import { assertOutsideWrite, Listeners, OpenTransaction } from './transaction.ts'

const BUSY_TIMEOUT_MS = 5_000
/** Writes that share one commit. More would make the first of them wait for the last. */
const MAX_GROUP = 256
/** Writes that may wait for a commit; beyond it the store rejects writes instead of growing. */
const MAX_WAITING = 10_000
/** Statements kept prepared of queries that come and go. */
const MAX_AD_HOC = 256
const UNIQUE_CODES = new Set([1555, 2067])
/** Primary codes of a database that cannot be used now: no memory, read-only, input and output, full, cannot be opened. */
const UNAVAILABLE_CODES = new Set([7, 8, 10, 13, 14])
/** Another process writes: busy, locked. */
const BUSY_CODES = new Set([5, 6])

interface Waiting {
  run(tx: Transaction): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** A write whose transaction ended well. */
interface Done {
  waiting: Waiting
  tx: OpenTransaction
  value: unknown
}

/**
 * The embedded store. One connection writes, another reads what is committed. Writes that arrive
 * together share one transaction and so one flush to disk; each has a savepoint of its own, so one
 * that fails takes nothing with it. The flush runs in the thread pool while the next writes are made
 * (ADR 0034).
 */
export async function openSqlite(
  file: string | ':memory:',
  { clock, sync = syncData }: Pick<StoreOptions, 'clock'> & { sync?: Sync },
): Promise<Store> {
  const inMemory = file === ':memory:'
  const writer = connect(file)
  await migrate(migratable(writer))
  const flusher = inMemory ? undefined : await openFlusher(`${file}-wal`, sync)
  await flusher?.flush()
  // A second connection cannot see a private in-memory database.
  const reader = inMemory ? writer : connect(file)
  const writes = statements(writer)
  const control = controlOf(writer)
  const reads = inMemory ? writes : statements(reader)
  const snapshot = inMemory ? undefined : createSnapshot(reader)
  const listeners = new Listeners()
  const queue: Waiting[] = []
  let committing: Promise<void> | undefined
  let closed = false
  let commits = 0
  /** Writes that are committed and wait for the disk. */
  let unflushed = 0

  async function drain(): Promise<void> {
    // Writes of the same turn of the event loop gather here before the first of them starts.
    await new Promise((resolve) => setImmediate(resolve))
    while (queue.length > 0) await commitGroup(queue.splice(0, MAX_GROUP))
    committing = undefined
  }

  async function commitGroup(group: Waiting[]): Promise<void> {
    const done: Done[] = []
    try {
      control.begin.run()
      // One that is alone takes the whole transaction back with it.
      const isAlone = group.length === 1
      for (const waiting of group) {
        if (!isAlone) control.savepoint.run()
        try {
          const tx = new OpenTransaction(writes, clock)
          done.push({ waiting, tx, value: await tx.perform(waiting.run) })
        } catch (error) {
          // A disk that is full may end the whole transaction.
          if (isAlone || !writer.isTransaction) throw error
          control.undo.run()
          waiting.reject(translate(error))
        }
        if (!isAlone) control.release.run()
      }
      snapshot?.end()
      control.commit.run()
      commits++
    } catch (error) {
      if (writer.isTransaction) control.rollback.run()
      const failure = translate(error)
      for (const waiting of group) waiting.reject(failure)
      return
    }
    if (flusher) void acknowledgeFlushed(done, flusher)
    else acknowledge(done)
  }

  function acknowledge(done: readonly Done[]): void {
    for (const { waiting, value } of done) waiting.resolve(value)
    listeners.tell(done.flatMap(({ tx }) => [...tx.notified]))
  }

  async function acknowledgeFlushed(done: readonly Done[], { flush }: Flusher): Promise<void> {
    unflushed += done.length
    try {
      await flush()
      acknowledge(done)
    } catch (error) {
      for (const { waiting } of done) waiting.reject(error)
    } finally {
      unflushed -= done.length
    }
  }

  /** In memory, reads share the writer's connection: they wait until nothing uncommitted is in sight. */
  async function settled(): Promise<void> {
    while (committing) await committing
  }

  return {
    dialect: 'sqlite',
    async all(query, args) {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      if (snapshot) snapshot.begin()
      else if (committing) await settled()
      return reading(() => reads.all(query, args))
    },
    async first(query, args) {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      if (snapshot) snapshot.begin()
      else if (committing) await settled()
      return reading(() => reads.first(query, args))
    },
    async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      // Nobody knows what is on the disk, and a write that is acknowledged now might rest on what is not.
      if (flusher?.failure) throw flusher.failure
      if (queue.length + unflushed >= MAX_WAITING) throw new StoreUnavailable('too many writes wait')
      return new Promise<T>((resolve, reject) => {
        queue.push({ run: work, resolve: resolve as (value: unknown) => void, reject })
        committing ??= drain()
      })
    },
    // In memory nobody else writes, so only our own commits count.
    snapshotVersion: () => (closed ? undefined : (snapshot?.begin() ?? commits)),
    listen: (channel, wake) => listeners.listen(channel, wake),
    async close() {
      closed = true
      await settled()
      await flusher?.close()
      if (!inMemory) {
        snapshot?.end()
        reader.close()
        checkpoint(writer)
      }
      writer.close()
    },
  }
}

/** The statements around every write, prepared once: parsing them anew costs as much as a small write. */
const controlOf = (db: DatabaseSync) => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  savepoint: db.prepare('SAVEPOINT one'),
  undo: db.prepare('ROLLBACK TO one'),
  release: db.prepare('RELEASE one'),
  commit: db.prepare('COMMIT'),
  rollback: db.prepare('ROLLBACK'),
})

/** What cannot be moved into the database, because the disk is full, stays in its write-ahead log. */
function checkpoint(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next start reads it.
  }
}

function connect(file: string): DatabaseSync {
  if (file !== ':memory:') makePrivate(file)
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  db.exec('PRAGMA journal_mode = WAL')
  // A commit waits for no disk: who acknowledges it flushes the log first. Checkpoints still do.
  db.exec('PRAGMA synchronous = NORMAL')
  return db
}

/**
 * Lets the reads of one turn of the event loop share one read transaction: opening one for each read costs more
 * than most reads do. It ends with the turn, because another process (the command line) may change the file too,
 * and just before a commit of our own, because a checkpoint cannot pass a snapshot that is still in use.
 */
function createSnapshot(reader: DatabaseSync) {
  const begin = reader.prepare('BEGIN')
  const commit = reader.prepare('COMMIT')
  let open = false
  let opened = 0
  function end() {
    if (!open) return
    commit.run()
    open = false
  }
  return {
    /** The number of the snapshot that reads share now. */
    begin(): number {
      if (open) return opened
      begin.run()
      open = true
      setImmediate(end)
      return ++opened
    },
    end,
  }
}

/** Runs queries on one connection, each prepared once. */
function statements(db: DatabaseSync) {
  type Prepared = { statement: StatementSync; compiled: ReturnType<Query<never, unknown>['compile']> }
  const prepared: Prepared[] = []
  const adHoc = new LRUCache<number, Prepared>({ max: MAX_AD_HOC })
  function prepare(query: Query<never, unknown>) {
    const known = query.prepared ? prepared[query.index] : adHoc.get(query.index)
    if (known) return known
    const compiled = query.compile('sqlite')
    const entry = { statement: db.prepare(compiled.sql), compiled }
    if (query.cells) entry.statement.setReturnArrays(true)
    if (query.prepared) prepared[query.index] = entry
    else adHoc.set(query.index, entry)
    return entry
  }
  return {
    dialect: 'sqlite' as const,
    all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Row[] {
      const { statement, compiled } = prepare(query as Query<never, unknown>)
      const values = bind(compiled, args) as SQLInputValue[]
      try {
        return statement.all(...values) as Row[]
      } catch (error) {
        return exactly(statement, compiled, error, () => statement.all(...values).map(narrowed)) as Row[]
      }
    },
    first<Args extends object, Row>(query: Query<Args, Row>, args: Args): Row | undefined {
      const { statement, compiled } = prepare(query as Query<never, unknown>)
      const values = bind(compiled, args) as SQLInputValue[]
      try {
        return statement.get(...values) as Row | undefined
      } catch (error) {
        return exactly(statement, compiled, error, () => narrowed(statement.get(...values) ?? {})) as Row
      }
    },
    run<Args extends object>(query: Query<Args, unknown>, args: Args): number {
      const { statement, compiled } = prepare(query as Query<never, unknown>)
      return Number(statement.run(...(bind(compiled, args) as SQLInputValue[])).changes)
    },
  }
}

const IS_READ = /^\s*select\b/i

/**
 * Reads rows again that node:sqlite cannot return because they hold an integer too large for a number: as bigints. What
 * writes must not run twice, so that its error stays.
 */
function exactly<Read>(
  statement: StatementSync,
  { sql }: { sql: string },
  error: unknown,
  read: () => Read,
): Read {
  const isTooLarge = (error as { code?: string }).code === 'ERR_OUT_OF_RANGE'
  if (!isTooLarge || !IS_READ.test(sql)) throw error
  statement.setReadBigInts(true)
  try {
    return read()
  } finally {
    statement.setReadBigInts(false)
  }
}

/** A row, or its cells, whose bigints became numbers where a number can hold them. */
function narrowed(row: object): object {
  const cells = row as Record<string, unknown>
  for (const name of Object.keys(row)) {
    const value = Number(cells[name])
    if (typeof cells[name] === 'bigint' && Number.isSafeInteger(value)) cells[name] = value
  }
  return row
}

function translate(error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error
  const code = Number(error.errcode)
  if (UNIQUE_CODES.has(code)) return new UniqueViolation(error.message)
  // The low byte is the primary code, the rest only refines it.
  if (UNAVAILABLE_CODES.has(code & 0xff)) return new StoreUnavailable(error.message, { cause: error })
  return BUSY_CODES.has(code & 0xff) ? new StoreBusy(error.message) : error
}

/** Runs a read, and tells a database that cannot be used from a query that fails. */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw translate(error)
  }
}

function migratable(db: DatabaseSync): Migratable {
  return {
    dialect: 'sqlite',
    async begin() {
      db.exec('BEGIN IMMEDIATE')
      return Number(db.prepare('PRAGMA user_version').get()?.user_version)
    },
    async execute(statement) {
      db.exec(statement)
    },
    async finish(done) {
      db.exec(`PRAGMA user_version = ${done}`)
      db.exec('COMMIT')
    },
    async abandon() {
      if (db.isTransaction) db.exec('ROLLBACK')
    },
  }
}
