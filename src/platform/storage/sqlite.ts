import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterError } from '../common/after-error.ts'
import type { CheckpointOptions } from './checkpointer.ts'
import { CHECKPOINTS, Checkpointer } from './checkpointer.ts'
import type { Flusher, Sync } from './flush.ts'
import { openFlusher, syncData } from './flush.ts'
import { makePrivate } from './private-file.ts'
import { RepeatedReads } from './repeated-reads.ts'
import type { SchemaTarget } from './schema/schema.ts'
import { prepareSchema } from './schema/schema.ts'
import { statements } from './sqlite-statements.ts'
import type { Store, StoreOptions, Transaction } from './store.ts'
import { StoreBusy, StoreUnavailable, UniqueViolation } from './store.ts'
import { assertOutsideWrite, Listeners, OpenTransaction } from './transaction.ts'

/** How long an operation waits for another process that has locked the database. */
const BUSY_TIMEOUT_MS = 5_000
/** Pauses between two attempts to lock the database: SQLite does not tell when it is free. */
const BUSY_PAUSES = { firstMs: 1, longestMs: 25 }
/** Writes that share one commit. With more, the first would wait for the last. */
const MAX_GROUP = 256
/** Maximum number of writes that wait for a commit. Beyond it, the store rejects writes instead of growing. */
const MAX_WAITING = 10_000
const AUTOCHECKPOINT_PAGES = 1_000
/** Memory for the page cache of the writing connection. Without it, most writes would read these pages again. */
const CACHE_KILOBYTES = 8_192
const UNIQUE_CODES = new Set([1555, 2067])
/** Primary codes of an unusable database: out of memory, read-only, I/O error, full, cannot be opened. */
const UNAVAILABLE_CODES = new Set([7, 8, 10, 13, 14])
/** Another process is writing: busy, locked. */
const BUSY_CODES = new Set([5, 6])

interface QueuedWrite {
  run(tx: Transaction): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** A write whose transaction was committed. */
interface CommittedWrite {
  waiting: QueuedWrite
  tx: OpenTransaction
  value: unknown
}

/** The outcomes of the writes of a group, before any of them is reported. */
interface GroupOutcome {
  done: CommittedWrite[]
  failed: { waiting: QueuedWrite; error: unknown }[]
}

interface SqliteOptions extends Pick<StoreOptions, 'clock' | 'runWritesTwice'> {
  sync?: Sync
  busyTimeoutMs?: number
  checkpoints?: CheckpointOptions
  cacheKilobytes?: number
}

/**
 * The embedded store. One connection writes, another reads committed data. Writes that arrive together share one
 * transaction, and so one flush to disk; a failed one does not affect the others. The flush runs in the thread pool
 * while the next writes are made, and checkpoints run in a thread (ADR 0003).
 */
export async function openSqlite(
  file: string | ':memory:',
  {
    clock,
    runWritesTwice = false,
    sync = syncData,
    busyTimeoutMs = BUSY_TIMEOUT_MS,
    checkpoints = CHECKPOINTS,
    cacheKilobytes = CACHE_KILOBYTES,
  }: SqliteOptions,
): Promise<Store> {
  const inMemory = file === ':memory:'
  const writer = connect(file)
  writer.exec(`PRAGMA cache_size = -${cacheKilobytes}`)
  await prepareSchema(schemaTarget(writer))
  const flusher = inMemory ? undefined : await openFlusher(`${file}-wal`, sync)
  await flusher?.flush()
  if (!inMemory) writer.exec('PRAGMA wal_autocheckpoint = 0')
  const checkpointer = inMemory
    ? undefined
    : new Checkpointer(file, checkpoints, () => checkpointItself(writer))
  // A second connection cannot see a private in-memory database.
  const reader = inMemory ? writer : connect(file)
  // SQLite would wait for another process on this thread, which serves every request.
  for (const connection of [writer, reader]) connection.exec('PRAGMA busy_timeout = 0')
  const writes = statements(writer)
  const control = controlOf(writer)
  const reads = inMemory ? writes : statements(reader)
  const snapshot = inMemory ? undefined : createSnapshot(reader)
  const repeated = new RepeatedReads(reads)
  const listeners = new Listeners()
  const queue: QueuedWrite[] = []
  let committing: Promise<void> | undefined
  /** The transaction that is open, in memory. */
  let open: PromiseWithResolvers<void> | undefined
  let closed = false
  let commits = 0
  /** Writes that are committed and wait for the disk. */
  let unflushed = 0

  async function drain(): Promise<void> {
    // Writes of the same turn of the event loop are collected before the first of them starts.
    await nextTurn()
    while (queue.length > 0) {
      if (checkpointer?.holding) await checkpointer.holding
      if (inMemory) open = Promise.withResolvers()
      await commitGroup(queue.splice(0, MAX_GROUP))
      checkpointer?.committed(writes.changes)
      if (!open) continue
      open.resolve()
      open = undefined
      // For the reads that waited for it, which would otherwise wait for every write in the queue.
      await nextTurn()
    }
    committing = undefined
  }

  /** Begins a transaction as soon as no other process writes. */
  const begin = () => whenFree(() => control.begin.run(), busyTimeoutMs)

  async function commitGroup(group: QueuedWrite[]): Promise<void> {
    let performed: GroupOutcome
    try {
      await begin()
      performed = (await performTogether(group)) ?? (await performApart(group))
      snapshot?.end()
      control.commit.run()
      commits++
    } catch (error) {
      if (writer.isTransaction) control.rollback.run()
      const failure = translate(error)
      for (const waiting of group) waiting.reject(failure)
      // The disk may be full because of the log, although it contains fewer rows than trigger a checkpoint.
      if (failure instanceof StoreUnavailable) checkpointer?.begin(writes.changes)
      return
    }
    for (const { waiting, error } of performed.failed) waiting.reject(translate(error))
    if (flusher) void acknowledgeFlushed(performed.done, flusher)
    else acknowledge(performed.done)
  }

  /**
   * Performs writes one after the other without savepoints. A write that fails before it has changed anything has
   * nothing to roll back. Undefined when one fails later: rolling it back would affect the others.
   */
  async function performTogether(group: readonly QueuedWrite[]): Promise<GroupOutcome | undefined> {
    const performed: GroupOutcome = { done: [], failed: [] }
    for (const waiting of group) {
      const before = writes.changes
      try {
        performed.done.push(await performOne(waiting))
      } catch (error) {
        // A full disk may end the whole transaction. A single write rolls all of it back anyway.
        if (group.length === 1 || !writer.isTransaction) throw error
        if (writes.changes > before) return undefined
        performed.failed.push({ waiting, error })
      }
    }
    return performed
  }

  /** Performs writes again from the start, each in a savepoint, which can cost more than the write itself. */
  async function performApart(group: readonly QueuedWrite[]): Promise<GroupOutcome> {
    control.rollback.run()
    await begin()
    const performed: GroupOutcome = { done: [], failed: [] }
    for (const waiting of group) {
      control.savepoint.run()
      try {
        performed.done.push(await performOne(waiting))
      } catch (error) {
        if (!writer.isTransaction) throw error
        control.undo.run()
        performed.failed.push({ waiting, error })
      }
      control.release.run()
    }
    return performed
  }

  async function performOne(waiting: QueuedWrite): Promise<CommittedWrite> {
    if (runWritesTwice) await performInVain(waiting)
    const tx = new OpenTransaction(writes, clock)
    return { waiting, tx, value: await tx.perform(waiting.run) }
  }

  async function performInVain({ run }: QueuedWrite): Promise<void> {
    control.inVain.run()
    try {
      await new OpenTransaction(writes, clock).perform(run)
    } finally {
      if (writer.isTransaction) {
        control.undoInVain.run()
        control.releaseInVain.run()
      }
    }
  }

  function acknowledge(done: readonly CommittedWrite[]): void {
    for (const { waiting, value } of done) waiting.resolve(value)
    listeners.notify(done.flatMap(({ tx }) => [...tx.notified]))
  }

  async function acknowledgeFlushed(done: readonly CommittedWrite[], { flush }: Flusher): Promise<void> {
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

  /** Resolves when no write is queued or in progress. */
  async function settled(): Promise<void> {
    while (committing) await committing
  }

  /** In memory, reads share the writer's connection: they wait until no transaction is open. */
  async function noneOpen(): Promise<void> {
    while (open) await open.promise
  }

  return {
    dialect: 'sqlite',
    async all(query, args) {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      if (open) await noneOpen()
      const read = () => {
        snapshot?.begin()
        return reads.all(query, args)
      }
      try {
        return read()
      } catch (error) {
        return readAgain(error, read, busyTimeoutMs)
      }
    },
    async first(query, args) {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      if (open) await noneOpen()
      const read = () => {
        const version = snapshot?.begin() ?? commits
        return query.repeated ? repeated.first(query, args, version) : reads.first(query, args)
      }
      try {
        return read()
      } catch (error) {
        return readAgain(error, read, busyTimeoutMs)
      }
    },
    async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      assertOutsideWrite()
      if (closed) throw new StoreUnavailable('the store is closed')
      // The state of the disk is unknown, and a write acknowledged now might depend on lost data.
      if (flusher?.failure) throw flusher.failure
      if (queue.length + unflushed >= MAX_WAITING) throw new StoreUnavailable('too many writes wait')
      return new Promise<T>((resolve, reject) => {
        queue.push({ run: work, resolve: resolve as (value: unknown) => void, reject })
        committing ??= drain()
      })
    },
    // An in-memory database has no other writers, so only our own commits count.
    snapshotVersion() {
      if (closed) return undefined
      try {
        return snapshot?.begin() ?? commits
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
      await settled()
      await checkpointer?.close()
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

/** The statements around every write, prepared once: parsing them again costs as much as a small write. */
const controlOf = (db: DatabaseSync) => ({
  begin: db.prepare('BEGIN IMMEDIATE'),
  savepoint: db.prepare('SAVEPOINT one'),
  undo: db.prepare('ROLLBACK TO one'),
  release: db.prepare('RELEASE one'),
  inVain: db.prepare('SAVEPOINT in_vain'),
  undoInVain: db.prepare('ROLLBACK TO in_vain'),
  releaseInVain: db.prepare('RELEASE in_vain'),
  commit: db.prepare('COMMIT'),
  rollback: db.prepare('ROLLBACK'),
})

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
function createSnapshot(reader: DatabaseSync) {
  const begin = reader.prepare('BEGIN')
  const commit = reader.prepare('COMMIT')
  // Changes whenever another connection, of this process or another, has committed something.
  const dataVersion = reader.prepare('PRAGMA data_version')
  dataVersion.setReturnArrays(true)
  let open = false
  let version = 0
  function end() {
    if (!open) return
    commit.run()
    open = false
  }
  return {
    /** The number of the state that the shared snapshot has. */
    begin(): number {
      if (open) return version
      begin.run()
      open = true
      try {
        const [current] = dataVersion.get() as unknown as [number]
        version = current
      } catch (error) {
        end()
        throw error
      }
      setImmediate(end)
      return version
    },
    end,
  }
}

/** Runs `work`, and repeats it while another process has locked the database, without blocking this thread. */
async function whenFree<T>(work: () => T, timeoutMs: number): Promise<T> {
  const endsAt = performance.now() + timeoutMs
  for (let failures = 0; ; failures++) {
    try {
      return work()
    } catch (error) {
      const isBusy = BUSY_CODES.has(primaryCodeOf(error) ?? 0)
      if (!isBusy || performance.now() >= endsAt) throw error
      await afterError(failures, undefined, BUSY_PAUSES)
    }
  }
}

/**
 * Repeats a read that failed because another process had locked the database, for example while it recovers the log of
 * a killed one. Distinguishes an unusable database from a query that fails.
 */
async function readAgain<T>(error: unknown, read: () => T, timeoutMs: number): Promise<T> {
  if (!BUSY_CODES.has(primaryCodeOf(error) ?? 0)) throw translate(error)
  return whenFree(read, timeoutMs).catch((last) => {
    throw translate(last)
  })
}

/** The primary code of an error of SQLite: the low byte; the rest only refines it. */
const primaryCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined

function translate(error: unknown): unknown {
  if (!(error instanceof Error && 'errcode' in error)) return error
  const code = Number(error.errcode)
  if (UNIQUE_CODES.has(code)) return new UniqueViolation(error.message)
  if (UNAVAILABLE_CODES.has(code & 0xff)) return new StoreUnavailable(error.message, { cause: error })
  return BUSY_CODES.has(code & 0xff) ? new StoreBusy(error.message) : error
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
