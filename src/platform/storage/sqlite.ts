import { DatabaseSync } from 'node:sqlite'
import type { CheckpointOptions } from './checkpointer.ts'
import { CHECKPOINTS, Checkpointer } from './checkpointer.ts'
import type { Flusher, Sync } from './flush.ts'
import { openFlusher, syncData } from './flush.ts'
import { makePrivate } from './private-file.ts'
import { RepeatedReads } from './repeated-reads.ts'
import type { SchemaTarget } from './schema/schema.ts'
import { prepareSchema } from './schema/schema.ts'
import { readAgain } from './sqlite-errors.ts'
import { WriteGroups } from './sqlite-groups.ts'
import { SqliteStatements } from './sqlite-statements.ts'
import { WriteQueue } from './sqlite-writes.ts'
import type { Store, StoreOptions } from './store.ts'
import { StoreUnavailable } from './store.ts'
import { assertOutsideWrite, Listeners } from './transaction.ts'

/** How long an operation waits for another process that has locked the database. */
const BUSY_TIMEOUT_MS = 5_000
const AUTOCHECKPOINT_PAGES = 1_000
/** Memory for the page cache of the writing connection. Without it, most writes would read these pages again. */
const CACHE_KILOBYTES = 8_192

interface SqliteOptions extends Pick<StoreOptions, 'clock' | 'runWritesTwice'> {
  sync?: Sync
  busyTimeoutMs?: number
  checkpoints?: CheckpointOptions
  cacheKilobytes?: number
}

/** What a database in a file has beside the connection that writes. */
interface FileParts {
  flusher: Flusher
  checkpointer: Checkpointer
  /** The connection that reads. */
  reader: DatabaseSync
}

/**
 * The embedded store. One connection writes, another reads committed data. Writes that arrive together share one
 * transaction, and so one flush to disk; a failed one does not affect the others. The flush runs in the thread pool
 * while the next writes are made, and checkpoints run in a thread (ADR 0003).
 */
export async function openSqlite(file: string | ':memory:', options: SqliteOptions): Promise<Store> {
  const { sync = syncData, checkpoints = CHECKPOINTS, cacheKilobytes = CACHE_KILOBYTES } = options
  const writer = connect(file)
  writer.exec(`PRAGMA cache_size = -${cacheKilobytes}`)
  await prepareSchema(schemaTarget(writer))
  if (file === ':memory:') return storeOn(writer, undefined, options)
  const flusher = await openFlusher(`${file}-wal`, sync)
  await flusher.flush()
  writer.exec('PRAGMA wal_autocheckpoint = 0')
  const checkpointer = new Checkpointer(file, checkpoints, () => checkpointItself(writer))
  return storeOn(writer, { flusher, checkpointer, reader: connect(file) }, options)
}

/** In memory, where `file` is undefined, one connection reads and writes: another would not see its database. */
function storeOn(writer: DatabaseSync, file: FileParts | undefined, options: SqliteOptions): Store {
  const { clock, runWritesTwice = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = options
  const { flusher, checkpointer, reader } = file ?? {}
  // SQLite would wait for another process on this thread, which serves every request.
  for (const connection of [writer, reader]) connection?.exec('PRAGMA busy_timeout = 0')
  const statements = new SqliteStatements(writer)
  const reads = reader ? new SqliteStatements(reader) : statements
  const snapshot = reader && new SharedSnapshot(reader)
  const repeated = new RepeatedReads(reads)
  const listeners = new Listeners()
  const beforeCommit = () => snapshot?.end()
  const groups = new WriteGroups(writer, statements, { clock, runWritesTwice, busyTimeoutMs, beforeCommit })
  const writes = new WriteQueue({ groups, statements, listeners, flusher, checkpointer })
  let closed = false

  function assertUsable(): void {
    assertOutsideWrite()
    if (closed) throw new StoreUnavailable('the store is closed')
  }

  /** An in-memory database has no other writers, so only our own commits count. */
  const version = () => snapshot?.begin() ?? groups.commits

  async function read<T>(work: (version: number) => T): Promise<T> {
    assertUsable()
    if (writes.isOpen) await writes.noneOpen()
    const readNow = () => work(version())
    try {
      return readNow()
    } catch (error) {
      return readAgain(error, readNow, busyTimeoutMs)
    }
  }

  return {
    dialect: 'sqlite',
    all: (query, args) => read(() => reads.all(query, args)),
    first: (query, args) =>
      read((at) => (query.repeated ? repeated.first(query, args, at) : reads.first(query, args))),
    async write(work) {
      assertUsable()
      return writes.add(work)
    },
    snapshotVersion() {
      if (closed) return undefined
      try {
        return version()
      } catch {
        // A read waits, and says what is wrong.
        return undefined
      }
    },
    // Covers what other processes wrote to the log too.
    async durable() {
      if (closed) throw new StoreUnavailable('the store is closed')
      await flusher?.flush()
    },
    listen: (channel, wake) => listeners.listen(channel, wake),
    wakeAll: () => listeners.notifyAll(),
    async close() {
      closed = true
      await writes.settled()
      await checkpointer?.close()
      await flusher?.close()
      if (reader) {
        snapshot?.end()
        reader.close()
        checkpoint(writer)
      }
      writer.close()
    },
  }
}

/** Makes the connection move its log into the database itself, whenever a commit finds this many pages. */
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
  if (file !== ':memory:') makePrivate(file)
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  db.exec('PRAGMA journal_mode = WAL')
  // A commit does not wait for the disk: the log is flushed before the commit is acknowledged. Checkpoints do wait.
  db.exec('PRAGMA synchronous = NORMAL')
  return db
}

/**
 * Shares one read transaction between the reads of one turn of the event loop: opening one for each read costs more
 * than most reads do. It ends with the turn, because another process (the command line) may change the file too,
 * and just before one of our own commits, because a checkpoint cannot pass a snapshot in use.
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
