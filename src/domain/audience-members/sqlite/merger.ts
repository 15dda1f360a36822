import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { serve } from '../../../platform/common/thread.ts'
import { type MergeLimits, Merges } from '../merges.ts'
import type { TallyRequest } from '../tally.ts'
import { type MemberFiles, SqliteDatabase } from './database.ts'

/** The thread that merges the log into the members. Nothing else writes them. */
export interface MergerData extends MemberFiles {
  limits?: Partial<MergeLimits>
}

/**
 * A merge writes nearly every page of a large audience, whether it has many keys or few: many.
 * Limited by memory.
 */
const LIMITS: MergeLimits = { keys: 400_000, batches: 5_000, rows: 5_000 }
/** Lower than the priority of threads that callers wait for. */
const NICENESS = 10

const { limits, ...files } = workerData as MergerData
// On Linux this affects only the calling thread; on other systems it would affect the whole
// process.
if (process.platform === 'linux') setPriority(0, NICENESS)
const database = new SqliteDatabase(files)
const merges = new Merges(database, { ...LIMITS, ...limits })

const methods = {
  merge: (until: number, now: number) => merges.merge({ until, now }),
  maintain: (now: number) => merges.maintain(now),
  tally: (request: TallyRequest) => merges.tally(request),
  close: () => database.close(),
}

export type Merger = typeof methods

serve(methods)
