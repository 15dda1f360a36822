import { lockApp } from '../../identity/apps/queries.ts'
import { type IdSource, LAST_ID } from '../../platform/common/ids.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { taskType } from '../../platform/queue/task.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { addCandidateFiles } from '../media/queries.ts'
import { addJob, jobsOfApp, removeFiles, removeJob } from './queries.ts'
import type { ComplianceJobRow } from './tables.ts'

export const JOB_TYPES = ['posts', 'users'] as const
export type JobType = (typeof JOB_TYPES)[number]

export const JOB_STATUSES = ['created', 'in_progress', 'failed', 'complete', 'expired'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** Maximum length of the name of a job. */
export const MAX_JOB_NAME = 64
/** How long ids can be uploaded, and their result downloaded, after the creation of a job. */
export const UPLOAD_MS = 15 * 60_000
export const DOWNLOAD_MS = 7 * 86_400_000
/** Maximum number of ids of an upload, and its maximum size. */
export const MAX_IDS = 10_000_000
export const MAX_UPLOAD_BYTES = 250 * 1024 * 1024

const SECOND_MS = 1_000

/** Processes the upload of a job, one part in each run. */
export const processJob = taskType<{ job: string; app: string }>('process compliance job', {
  owner: ({ app }) => app,
  subject: ({ job }) => job,
})

/** The status of a job: one without an upload in time has expired. */
export const statusOf = (
  { status, upload_expires_at }: Pick<ComplianceJobRow, 'status' | 'upload_expires_at'>,
  now: number,
): JobStatus => (status === 'created' && now >= upload_expires_at ? 'expired' : (status as JobStatus))

/**
 * Creates a job. An app has at most one of a type that is not finished.
 * @throws ApiError `conflict`
 */
export async function createJob(
  tx: Transaction,
  { app, type, name, resumable }: { app: string; type: JobType; name?: string; resumable?: boolean },
  { ids }: { ids: IdSource },
): Promise<ComplianceJobRow> {
  // Of two jobs that are created at the same time, one is rejected.
  await tx.run(lockApp, { appId: app })
  const [newest] = await tx.all(jobsOfApp, { app, type, before: LAST_ID, limit: 1 })
  const status = newest && statusOf(newest, tx.now)
  if (newest && (status === 'created' || status === 'in_progress'))
    throw apiError('conflict', {
      explanation: `The job ${newest.id} of the type ${type} is not finished. An app can have one at a time.`,
    })
  const created_at = Math.floor(tx.now / SECOND_MS) * SECOND_MS
  const row: ComplianceJobRow = {
    ...{ id: ids.next(), app_id: app, type, name: name ?? null, resumable: Number(resumable ?? false) },
    ...{ status: 'created', error: null, created_at },
    ...{ upload_expires_at: created_at + UPLOAD_MS, download_expires_at: created_at + DOWNLOAD_MS },
    ...{ upload_id: null, uploaded_bytes: 0, next_part: 0, rest: '', ids: 0 },
  }
  await tx.run(addJob, row)
  return row
}

/** Removes the files of a job of a kind. They are deleted unless something else uses them. */
export async function releaseFiles(tx: Transaction, job: string, kind: 'upload' | 'result'): Promise<void> {
  const removed = await tx.all(removeFiles, { job_id: job, kind })
  const hashes = JSON.stringify(removed.map(({ hash }) => hash))
  if (removed.length > 0) await tx.run(addCandidateFiles, { hashes, at: tx.now })
}

/** Removes a job with its files. */
export async function dropJob(tx: Transaction, id: string): Promise<void> {
  await releaseFiles(tx, id, 'upload')
  await releaseFiles(tx, id, 'result')
  await tx.run(removeJob, { id })
}
