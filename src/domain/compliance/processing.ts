import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../platform/common/clock.ts'
import { again, DONE, exponential, type TaskKind } from '../../platform/queue/task.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Store, Transaction } from '../../platform/storage/store.ts'
import { claimIn, useIn } from '../media/media.ts'
import { answer } from './answers.ts'
import { type JobType, MAX_IDS, processJob, releaseFiles } from './jobs.ts'
import { addFile, fileOfJob, jobById, lastFileOfJob, lockJob, setJob } from './queries.ts'
import type { ComplianceJobRow } from './tables.ts'

interface ProcessingParts {
  readonly store: Store
  readonly files: FileStore
  readonly clock: Clock
}

/** Longer than one part takes. */
const LEASE_MS = 600_000
const MAX_ATTEMPTS = 20
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 600_000

/** Ids that are looked up together. */
const IDS_AT_ONCE = 200
const ID = /^[0-9]{1,19}$/
/** Of a line that continues in the next part. Longer ones are no ids. */
const MAX_REST = 32

const TOO_MANY = `The upload has more than ${MAX_IDS} ids.`
const BROKEN = 'The ids could not be processed.'

/** The lines of a text, and what follows the last end of a line. */
function* linesOf(text: string): Generator<string, string> {
  let from = 0
  for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
    yield text.slice(from, to)
    from = to + 1
  }
  return text.slice(from)
}

interface ProcessedPart {
  readonly result: Buffer
  readonly ids: number
  /** The beginning of a line that continues in the next part. */
  readonly rest: string
}

/** Looks up the ids of a part of an upload, some in each turn of the event loop. */
async function processText(
  text: string,
  { type, isLast, store }: { type: JobType; isLast: boolean; store: Store },
  signal: AbortSignal,
): Promise<ProcessedPart> {
  const results: Buffer[] = []
  let [batch, ids] = [[] as string[], 0]
  const flush = async () => {
    signal.throwIfAborted()
    if (batch.length > 0) results.push(Buffer.from(await answer(type, batch, store)))
    ids += batch.length
    batch = []
    await nextTurn()
  }
  const lines = linesOf(isLast ? `${text}\n` : text)
  let seen = 0
  for (let next = lines.next(); ; next = lines.next()) {
    if (next.done) {
      await flush()
      return { result: Buffer.concat(results), ids, rest: next.value.trimStart().slice(0, MAX_REST) }
    }
    const line = next.value.trim()
    if (ID.test(line)) batch.push(line)
    if (batch.length >= IDS_AT_ONCE || ++seen % LINES_AT_ONCE === 0) await flush()
  }
}

/** Lines that are read in one turn of the event loop: most of them may be empty. */
const LINES_AT_ONCE = 10_000

async function fail(tx: Transaction, job: ComplianceJobRow, error: string): Promise<void> {
  await releaseFiles(tx, job.id, 'upload')
  await releaseFiles(tx, job.id, 'result')
  await tx.run(setJob, { ...job, status: 'failed', error, rest: '' })
}

/**
 * Processes the uploads of jobs. Each run processes one part, and stores the result with its
 * progress: after the end of a process, another one continues with the same part.
 */
export const jobProcessing = (context: ProcessingParts): TaskKind<{ job: string; app: string }> => ({
  type: processJob,
  leaseMs: LEASE_MS,
  maxAttempts: MAX_ATTEMPTS,
  backoff: exponential(FIRST_RETRY_MS, MAX_RETRY_MS),
  concurrency: 1,
  async run({ job: id }, { signal }) {
    const { store, files } = context
    const job = await store.first(jobById, { id })
    if (job?.status !== 'in_progress') return DONE
    const place = { job_id: id, kind: 'upload' }
    const part = await store.first(fileOfJob, { ...place, part: job.next_part })
    const last = await store.first(lastFileOfJob, place)
    const isLast = job.next_part >= (last?.part ?? 0)
    const content = part ? await files.read(part.hash, 0, part.bytes) : Buffer.alloc(0)
    const type = job.type as JobType
    const processed = await processText(job.rest + content.toString(), { type, isLast, store }, signal)
    const { result } = processed
    const stored = result.length > 0 ? await files.put(result, claimIn(context)) : undefined
    return async (tx) => {
      const current = await tx.first(lockJob, { id })
      if (current?.status !== 'in_progress') return DONE
      const ids = current.ids + processed.ids
      if (ids > MAX_IDS) {
        await fail(tx, current, TOO_MANY)
        return DONE
      }
      if (stored) {
        await tx.run(addFile, { job_id: id, kind: 'result', part: current.next_part, ...stored })
        await useIn(tx, stored, context)
      }
      const progress = { ids, rest: processed.rest, next_part: current.next_part + 1 }
      await tx.run(setJob, { ...current, ...progress, ...(isLast && { status: 'complete' }) })
      if (!isLast) return again(tx.now)
      await releaseFiles(tx, id, 'upload')
      return DONE
    }
  },
  async onDeadLetter({ job: id }, tx) {
    const job = await tx.first(lockJob, { id })
    if (job?.status === 'in_progress') await fail(tx, job, BROKEN)
  },
})
