import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'
import { serve } from '../common/thread.ts'

// Moves the write-ahead log of a database into the database, concurrently with readers and writers.

let db: DatabaseSync | undefined
let statement: StatementSync | undefined

function prepared(): StatementSync {
  if (statement) return statement
  // Never creates a file: an empty database would take the log for that of another database and
  // remove it.
  const place = pathToFileURL(String(workerData))
  place.searchParams.set('mode', 'rw')
  db = new DatabaseSync(place)
  // The log is flushed before the database is written, and the database before the log may restart.
  db.exec('PRAGMA synchronous = NORMAL')
  // Waits for no one: pages that others still read stay in the log.
  statement = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  return statement
}

const methods = {
  /** Resolves to the number of pages in the log, and how many of them are in the database now. */
  checkpoint() {
    const { log, checkpointed } = prepared().get() ?? {}
    return { pages: Number(log), moved: Number(checkpointed) }
  },
  close() {
    db?.close()
  },
}

export type CheckpointMethods = typeof methods

serve(methods)
