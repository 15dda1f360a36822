import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  again,
  DONE,
  exponential,
  type Finish,
  type Outcome,
  type TaskKind,
} from '../../../platform/queue/task.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { readStats, statsText } from '../stats/reply.ts'
import { queryOf } from './job.ts'
import { addJobFile, endJob, jobById, removeJob, removeJobFile } from './queries.ts'
import type { StatsJobRow } from './tables.ts'
import { runJob } from './task.ts'

const HOUR_MS = 3_600_000
/** How long a result can be fetched. */
const RESULT_MS = 48 * HOUR_MS
/** How long a job is listed by its id. */
const JOB_MS = 30 * 24 * HOUR_MS
const LEASE_MS = 10 * 60_000
/** With the pauses between them, less than an hour. */
const MAX_ATTEMPTS = 6
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000

type JobParts = Pick<AdsDependencies, 'store' | 'clock' | 'delivery' | 'naming'>

const compressed = promisify(gzip)

/** Makes the results of jobs, and removes results and jobs that are old. */
export const jobRuns = (parts: JobParts): TaskKind<{ job: string; account: string }> => ({
  type: runJob,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 2,
  async run({ job: id }) {
    const row = await parts.store.first(jobById, { id })
    if (!row) return DONE
    if (row.status === 'PROCESSING') return process(row, parts)
    return removal(row, parts.clock.now())
  },
  async onDeadLetter({ job: id }, tx) {
    await tx.run(endJob, { id, status: 'FAILED', now: tx.now, expires: null })
  },
})

/** Makes the result. A job that is cancelled meanwhile has none. */
async function process(row: StatsJobRow, { store, delivery, naming }: JobParts): Promise<Finish> {
  const { id, account_id: account } = row
  const query = queryOf(row)
  await delivery.complete(account)
  const text = await statsText(await readStats(account, query, store), query, naming.vocabulary)
  const data = await compressed(text)
  return async (tx): Promise<Outcome> => {
    const expires = tx.now + RESULT_MS
    const ended = await tx.run(endJob, { id, status: 'SUCCESS', now: tx.now, expires })
    if (ended > 0) await tx.run(addJobFile, { job_id: id, data })
    return again(ended > 0 ? expires : row.created_at + JOB_MS)
  }
}

function removal({ id, created_at, expires_at }: StatsJobRow, now: number): Outcome | Finish {
  if (expires_at !== null && expires_at > now) return again(expires_at)
  const removedAt = created_at + JOB_MS
  return async (tx) => {
    await tx.run(removeJobFile, { id })
    if (now < removedAt) return again(removedAt)
    await tx.run(removeJob, { id })
    return DONE
  }
}
