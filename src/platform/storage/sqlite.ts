import { DatabaseSync } from 'node:sqlite'
import { CHECKPOINTS, Checkpointer, type CheckpointOptions } from './checkpointer.ts'
import { type Database, Listeners, storeOn } from './database.ts'
import { Flusher, type Sync, syncData } from './flush.ts'
import { makePrivate } from './private-file.ts'
import type { Query } from './query.ts'
import { prepareSchema, type SchemaTarget } from './schema/schema.ts'
import { copiedIntoMemory, isInMemory, vacuumInto } from './sqlite-copy.ts'
import { readAgain } from './sqlite-errors.ts'
import { WriteGroups } from './sqlite-groups.ts'
import { SqliteStatements } from './sqlite-statements.ts'
import { WriteQueue } from './sqlite-writes.ts'
import type { Store, StoreOptions, Transaction } from './store.ts'

/** How long an operation waits for another process that has locked the database. */
const BUSY_TIMEOUT_MS = 5_000
const AUTOCHECKPOINT_PAGES = 1_000
/**
 * Memory for the page cache of the writing connection. Without it, most writes would read these
 * pages again.
 */
const CACHE_KILOBYTES = 8_192

interface SqliteOptions extends Pick<StoreOptions, 'clock' | 'runWritesTwice'> {
  sync?: Sync
  busyTimeoutMs?: number
  checkpoints?: CheckpointOptions
  cacheKilobytes?: number
  /** In memory: the database to begin with. */
  copyOf?: string | undefined
}

/** What a database in a file has beside the connection that writes. */
interface FileParts {
  flusher: Flusher
  checkpointer: Checkpointer
  /** The connection that reads. */
  reader: DatabaseSync
}

/**
 * The embedded store. One connection writes, another reads committed data. Writes that arrive
 * together share one transaction, and so one flush to disk; a failed one does not affect the
 * others. The flush runs in the thread pool while the next writes are made, and checkpoints run in
 * a thread (ADR 0003).
 */
export async function openSqlite(file: string | ':memory:', options: SqliteOptions): Promise<Store> {
  const { sync = syncData, checkpoints = CHECKPOINTS, cacheKilobytes = CACHE_KILOBYTES } = options
  const writer = options.copyOf === undefined ? connect(file) : copiedIntoMemory(options.copyOf, connect).db
  writer.exec(`PRAGMA cache_size = -${cacheKilobytes}`)
  await prepareSchema(schemaTarget(writer))
  const listeners = new Listeners()
  if (file === ':memory:') return storeOn(new SqliteDatabase(writer, listeners, options), listeners)
  const flusher = await Flusher.open(`${file}-wal`, sync)
  await flusher.flush()
  writer.exec('PRAGMA wal_autocheckpoint = 0')
  const checkpointer = new Checkpointer(file, checkpoints, () => checkpointItself(writer))
  const parts = { flusher, checkpointer, reader: connect(file) }
  return storeOn(new SqliteDatabase(writer, listeners, options, parts), listeners)
}

class SqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly #writer: DatabaseSync
  /**
   * Undefined in memory, where one connection reads and writes: another would not see its database.
   */
  readonly #file: FileParts | undefined
  readonly #snapshot: SharedSnapshot | undefined
  readonly #statements: SqliteStatements
  readonly #groups: WriteGroups
  readonly #writes: WriteQueue
  readonly #busyTimeoutMs: number

  constructor(writer: DatabaseSync, listeners: Listeners, options: SqliteOptions, file?: FileParts) {
    const { clock, runWritesTwice = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = options
    // SQLite would wait for another process on this thread, which serves every request.
    for (const connection of [writer, file?.reader]) connection?.exec('PRAGMA busy_timeout = 0')
    const statements = new SqliteStatements(writer)
    this.#writer = writer
    this.#file = file
    this.#snapshot = file && new SharedSnapshot(file.reader)
    this.#statements = file ? new SqliteStatements(file.reader) : statements
    const beforeCommit = () => this.#snapshot?.end()
    this.#groups = new WriteGroups(writer, statements, { clock, runWritesTwice, busyTimeoutMs, beforeCommit })
    this.#writes = new WriteQueue({ groups: this.#groups, statements, listeners, ...file })
    this.#busyTimeoutMs = busyTimeoutMs
  }

  all<Args extends object, Row>(query: Query<Args, Row>, args: Args): Row[] | Promise<Row[]> {
    return this.#read(() => this.#statements.all(query, args))
  }

  first<Args extends object, Row>(
    query: Query<Args, Row>,
    args: Args,
  ): Row | undefined | Promise<Row | undefined> {
    return this.#read(() => this.#statements.first(query, args))
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#writes.add(work)
  }

  snapshotVersion(): number | undefined {
    try {
      // An in-memory database has no other writers, so only our own commits count.
      return this.#snapshot?.begin() ?? this.#groups.commits
    } catch {
      // A read waits, and says what is wrong.
      return undefined
    }
  }

  /** Covers what other processes wrote to the log too. */
  async durable(): Promise<void> {
    await this.#file?.flusher.flush()
  }

  async copyInto(target: string): Promise<void> {
    while (this.#writes.isOpen) await this.#writes.noneOpen()
    this.#snapshot?.end()
    vacuumInto(this.#file?.reader ?? this.#writer, target)
  }

  async close(): Promise<void> {
    await this.#writes.settled()
    if (this.#file) {
      const { checkpointer, flusher, reader } = this.#file
      await checkpointer.close()
      await flusher.close()
      this.#snapshot?.end()
      reader.close()
      checkpoint(this.#writer)
    }
    this.#writer.close()
  }

  #read<T>(work: () => T): T | Promise<T> {
    return this.#writes.isOpen ? this.#writes.noneOpen().then(() => this.#readNow(work)) : this.#readNow(work)
  }

  #readNow<T>(work: () => T): T | Promise<T> {
    const read = () => {
      this.#snapshot?.begin()
      return work()
    }
    try {
      return read()
    } catch (error) {
      return readAgain(error, read, this.#busyTimeoutMs)
    }
  }
}

/**
 * Makes the connection move its log into the database itself, whenever a commit finds this many
 * pages.
 */
function checkpointItself(db: DatabaseSync): void {
  db.exec(`PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES}`)
}

/** Data that cannot be checkpointed because the disk is full stays in the write-ahead log. */
function checkpoint(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next start reads it.
  }
}

function connect(file: string): DatabaseSync {
  if (file !== ':memory:' && !isInMemory(file)) makePrivate(file)
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  db.exec('PRAGMA journal_mode = WAL')
  // A commit does not wait for the disk: the log is flushed before the commit is acknowledged.
  // Checkpoints do wait.
  db.exec('PRAGMA synchronous = NORMAL')
  return db
}

/**
 * Shares one read transaction between the reads of one turn of the event loop: opening one for each
 * read costs more than most reads do. It ends with the turn, because another process (the command
 * line) may change the file too, and just before one of our own commits, because a checkpoint
 * cannot pass a snapshot in use.
 */
class SharedSnapshot {
  readonly #begin
  readonly #commit
  /** Changes whenever another connection, of this process or another, has committed something. */
  readonly #dataVersion
  #isOpen = false
  #version = 0

  constructor(reader: DatabaseSync) {
    this.#begin = reader.prepare('BEGIN')
    this.#commit = reader.prepare('COMMIT')
    this.#dataVersion = reader.prepare('PRAGMA data_version')
    this.#dataVersion.setReturnArrays(true)
  }

  /** The number of the state that the shared snapshot has. */
  begin(): number {
    if (this.#isOpen) return this.#version
    this.#begin.run()
    this.#isOpen = true
    try {
      const [version] = this.#dataVersion.get() as unknown as [number]
      this.#version = version
    } catch (error) {
      this.end()
      throw error
    }
    setImmediate(() => this.end())
    return this.#version
  }

  end(): void {
    if (!this.#isOpen) return
    this.#commit.run()
    this.#isOpen = false
  }
}

function schemaTarget(db: DatabaseSync): SchemaTarget {
  return {
    dialect: 'sqlite',
    async begin() {
      db.exec('BEGIN IMMEDIATE')
      return Number(db.prepare('PRAGMA user_version').get()?.user_version)
    },
    async execute(statements) {
      db.exec(statements)
    },
    async finish(version) {
      db.exec(`PRAGMA user_version = ${version}`)
      db.exec('COMMIT')
    },
    async abandon() {
      if (db.isTransaction) db.exec('ROLLBACK')
    },
  }
}
