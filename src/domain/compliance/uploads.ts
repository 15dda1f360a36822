import type { Clock } from '../../platform/common/clock.ts'
import type { IdSource } from '../../platform/common/ids.ts'
import { apiError } from '../../platform/protocols/catalogue.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { claimIn, useIn } from '../media/media.ts'
import { MAX_UPLOAD_BYTES, processJob, releaseFiles, statusOf } from './jobs.ts'
import { addFile, lastFileOfJob, lockJob, setJob } from './queries.ts'
import type { ComplianceJobRow } from './tables.ts'

// The ids of a job arrive in one request, or in several that continue one another. They are stored
// in parts while they arrive.

export interface UploadParts {
  readonly store: Store
  readonly files: FileStore
  readonly clock: Clock
  readonly ids: IdSource
}

/** What of an upload is in memory, and what a run of the task processes. */
const PART_BYTES = 512 * 1024

/**
 * Locks a job that still takes an upload.
 * @throws ApiError `signed url expired` or `conflict`
 */
export async function lockOpenJob(tx: Transaction, id: string): Promise<ComplianceJobRow> {
  const job = await tx.first(lockJob, { id })
  const status = job && statusOf(job, tx.now)
  if (!job || status === 'expired') throw apiError('signed url expired')
  if (status !== 'created')
    throw apiError('conflict', { explanation: `The ids of the job ${id} were uploaded before.` })
  return job
}

/** Begins an upload of a job, and forgets what was uploaded before. */
export async function beginUpload(
  tx: Transaction,
  id: string,
  { ids }: Pick<UploadParts, 'ids'>,
): Promise<ComplianceJobRow> {
  const job = await lockOpenJob(tx, id)
  await releaseFiles(tx, id, 'upload')
  const begun = { ...job, upload_id: ids.next(), uploaded_bytes: 0 }
  await tx.run(setJob, begun)
  return begun
}

/** Locks a job, if nothing was uploaded since it was read. */
async function lockUnchanged(tx: Transaction, known: ComplianceJobRow): Promise<ComplianceJobRow> {
  const job = await lockOpenJob(tx, known.id)
  if (job.upload_id !== known.upload_id || job.uploaded_bytes !== known.uploaded_bytes)
    throw apiError('conflict', { explanation: `Another request uploads the ids of the job ${job.id}.` })
  return job
}

async function addPart(
  known: ComplianceJobRow,
  content: Buffer,
  context: UploadParts,
): Promise<ComplianceJobRow> {
  const stored = await context.files.put(content, claimIn(context))
  return context.store.write(async (tx) => {
    const job = await lockUnchanged(tx, known)
    const place = { job_id: job.id, kind: 'upload' }
    const part = ((await tx.first(lastFileOfJob, place))?.part ?? -1) + 1
    await tx.run(addFile, { ...place, part, ...stored })
    await useIn(tx, stored, context)
    const added = { ...job, uploaded_bytes: job.uploaded_bytes + stored.bytes }
    await tx.run(setJob, added)
    return added
  })
}

/**
 * Stores what arrives, after `skip` bytes that are known. Resolves to the job afterwards. What
 * arrived before an error stays stored, as far as it fills whole parts.
 */
export async function receive(
  job: ComplianceJobRow,
  content: AsyncIterable<Buffer>,
  { skip = 0, context }: { skip?: number; context: UploadParts },
): Promise<ComplianceJobRow> {
  let current = job
  let unknown = skip
  let waiting: Buffer[] = []
  let bytes = 0
  const store = async () => {
    if (bytes > 0) current = await addPart(current, Buffer.concat(waiting), context)
    ;[waiting, bytes] = [[], 0]
  }
  for await (const chunk of content) {
    const added = chunk.subarray(Math.min(unknown, chunk.length))
    unknown -= chunk.length - added.length
    waiting.push(added)
    bytes += added.length
    if (current.uploaded_bytes + bytes > MAX_UPLOAD_BYTES)
      throw apiError('body too large', `more than ${MAX_UPLOAD_BYTES} bytes`)
    if (bytes >= PART_BYTES) await store()
  }
  await store()
  return current
}

/** Ends an upload: its ids are processed. */
export async function finishUpload(tx: Transaction, known: ComplianceJobRow): Promise<void> {
  const job = await lockUnchanged(tx, known)
  await tx.run(setJob, { ...job, status: 'in_progress' })
  await enqueue(tx, processJob.task({ job: job.id, app: job.app_id }))
}
