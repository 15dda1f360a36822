import type { StatementSync } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'
import { serve } from '../common/thread.ts'

// Moves what the write-ahead log of a database holds into the database, beside those who read and write it.

let db: DatabaseSync | undefined
let statement: StatementSync | undefined

function prepared(): StatementSync {
  if (statement) return statement
  // Never a new one: an empty database would take the log for that of another and remove it.
  const place = pathToFileURL(String(workerData))
  place.searchParams.set('mode', 'rw')
  db = new DatabaseSync(place)
  // The log is flushed before the database is written, and the database before the log may begin again.
  db.exec('PRAGMA synchronous = NORMAL')
  // It waits for no one: what others still read stays in the log.
  statement = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  return statement
}

const methods = {
  /** Resolves to how many pages the log has, and how many of them are in the database now. */
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
