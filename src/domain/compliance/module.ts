import type { Clock } from '../../platform/common/clock.ts'
import type { Module } from '../../platform/module.ts'
import { schedule, taskType } from '../../platform/queue/task.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { dropJob, releaseFiles } from './jobs.ts'
import { jobProcessing } from './processing.ts'
import { abandonedUploads, expiredJobs, lockJob, removeRecords, setJob } from './queries.ts'
import { complianceRecording } from './records.ts'

interface ComplianceModuleOptions {
  store: Store
  files: FileStore
  clock: Clock
}

const removeOld = taskType<Record<never, never>>('remove old compliance jobs')

const EVERY_MS = 300_000
const LEASE_MS = 600_000
/** Jobs that are removed in one transaction: each may have hundreds of files. */
const JOBS_AT_ONCE = 1
/** Records that are removed in one transaction. */
const RECORDS_AT_ONCE = 1_000
/** How long results know since when something must not be shown. */
const RECORDED_MS = 30 * 86_400_000

/** Removes jobs whose results nobody can download any more. */
async function dropExpired(tx: Transaction): Promise<boolean> {
  const jobs = await tx.all(expiredJobs, { now: tx.now, limit: JOBS_AT_ONCE })
  for (const { id } of jobs) await dropJob(tx, id)
  return jobs.length > 0
}

/** Removes what was uploaded by jobs that expired before the upload was complete. */
async function dropAbandoned(tx: Transaction): Promise<boolean> {
  const jobs = await tx.all(abandonedUploads, { now: tx.now, limit: JOBS_AT_ONCE })
  for (const { id } of jobs) {
    const job = await tx.first(lockJob, { id })
    if (job?.status !== 'created') continue
    await releaseFiles(tx, id, 'upload')
    await tx.run(setJob, { ...job, uploaded_bytes: 0 })
  }
  return jobs.length > 0
}

const dropRecords = async (tx: Transaction): Promise<boolean> =>
  (await tx.run(removeRecords, { before: tx.now - RECORDED_MS, limit: RECORDS_AT_ONCE })) === RECORDS_AT_ONCE

const removal = ({ store, clock }: ComplianceModuleOptions) =>
  schedule(
    removeOld,
    {
      everyMs: EVERY_MS,
      leaseMs: LEASE_MS,
      async run(signal) {
        for (const step of [dropExpired, dropAbandoned, dropRecords])
          while (!signal.aborted && (await store.write(step)));
      },
    },
    clock,
  )

/** Processes compliance jobs, and removes old ones. */
export const compliance: Module<ComplianceModuleOptions> = {
  tasks: (context) => [jobProcessing(context), removal(context)],
  consumers: () => [complianceRecording()],
}
