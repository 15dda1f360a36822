import { Type } from 'typebox'
import { MAX_UPLOAD_BYTES } from '../../../domain/compliance/jobs.ts'
import { jobById } from '../../../domain/compliance/queries.ts'
import type { ComplianceJobRow } from '../../../domain/compliance/tables.ts'
import { beginUpload, finishUpload, lockOpenJob, receive } from '../../../domain/compliance/uploads.ts'
import { bytes } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { type ContentRange, contentRangeOf, wrongHeader } from './content-range.ts'
import { type ComplianceDependencies, endpoint } from './endpoint.ts'
import { SOURCE } from './jobs/job.ts'
import { jobOfKey, signedUrl, UPLOAD_PATH, urlKey } from './signed-url.ts'

/** Types of uploads: the last two are what common clients send when nobody names a type. */
const TYPES = [
  ...['text/plain', 'application/octet-stream', 'text/csv'],
  ...['application/x-www-form-urlencoded', 'application/json'],
]

const UPLOAD = {
  host: 'core',
  path: UPLOAD_PATH,
  source: SOURCE,
  auth: ['none'],
  params: { upload_key: urlKey },
  replyKind: 'file',
  reply: Type.Unsafe<never>({ description: 'Empty.' }),
  onInvalid: 'not found',
  errors: ['not found', 'signed url expired', 'conflict', 'body too large'],
} as const

const jobOf = (key: string, context: ComplianceDependencies): string => {
  const job = jobOfKey(key, 'upload', context)
  if (job === undefined) throw apiError('not found', 'the signature is wrong')
  return job
}

const done = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  bytes({ status, headers: { 'content-length': '0', ...headers }, body: '' })

/** Which bytes have arrived, for a client that continues after them. */
const incomplete = ({ uploaded_bytes: arrived }: ComplianceJobRow) =>
  done(308, arrived > 0 ? { range: `bytes=0-${arrived - 1}` } : {})

/** PUT to the `upload_url` of a job (core reference, 07 section 5.3). */
export const uploadComplianceIds = endpoint({
  ...UPLOAD,
  id: 'uploadComplianceIds',
  method: 'PUT',
  summary: 'Upload the ids of a compliance job',
  description:
    'Takes ids as text, one on a line. Blank lines and lines that are not ids are ignored. With a `content-range` header, the ids arrive in several requests: `bytes FROM-TO/SIZE` sends some, and `bytes */SIZE` asks which ones have arrived. While some are missing, the reply is a 308 with a `range` header.',
  contentTypes: TYPES,
  otherStatuses: { 308: 'More bytes are expected. `range` names those that have arrived, if any have.' },
  async handle({ params, headers, content }, context) {
    const job = jobOf(params.upload_key, context)
    const range = contentRangeOf(headers['content-range'])
    if ((range?.total ?? 0) > MAX_UPLOAD_BYTES) throw apiError('body too large', `${range?.total} bytes`)
    return range ? continueUpload(job, range, { content, context }) : uploadWhole(job, content, context)
  },
})

async function uploadWhole(id: string, content: AsyncIterable<Buffer>, context: ComplianceDependencies) {
  const begun = await context.store.write((tx) => beginUpload(tx, id, context))
  const received = await receive(begun, content, { context })
  await context.store.write((tx) => finishUpload(tx, received))
  return done(200)
}

async function continueUpload(
  id: string,
  { bytes: sent, total }: ContentRange,
  { content, context }: { content: AsyncIterable<Buffer>; context: ComplianceDependencies },
) {
  const { store } = context
  const known = await store.first(jobById, { id })
  // The reply to the last request was lost.
  if (known && isUploaded(known) && known.uploaded_bytes === total) return done(200)
  const job = await store.write(async (tx) => {
    const open = await lockOpenJob(tx, id)
    return open.upload_id === null ? beginUpload(tx, id, context) : open
  })
  // The reply to a client that goes on too far ahead says where to continue.
  if (sent && sent.from > job.uploaded_bytes) return incomplete(job)
  const received = sent ? await receivePart(job, sent, { content, context }) : job
  if (received.uploaded_bytes !== total) return incomplete(received)
  await store.write((tx) => finishUpload(tx, received))
  return done(200)
}

const isUploaded = ({ status }: ComplianceJobRow) => status === 'in_progress' || status === 'complete'

const receivePart = (
  job: ComplianceJobRow,
  { from, to }: NonNullable<ContentRange['bytes']>,
  { content, context }: { content: AsyncIterable<Buffer>; context: ComplianceDependencies },
) => receive(job, upTo(content, to + 1 - from), { skip: job.uploaded_bytes - from, context })

/** What a request announced; more is an error. */
async function* upTo(content: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length
  for await (const chunk of content) {
    left -= chunk.length
    if (left < 0) throw wrongHeader('content-range', String(length), 'announces fewer bytes than were sent')
    yield chunk
  }
}

/** POST to the `upload_url` of a job: begins an upload in several requests. */
export const beginComplianceUpload = endpoint({
  ...UPLOAD,
  id: 'beginComplianceUpload',
  method: 'POST',
  summary: 'Begin a resumable upload',
  description:
    'Begins the upload of a job with `resumable`. The request has the header `svc-resumable: start`, or the same header of a storage vendor, and no body. Send the ids with PUT to the URL in `location`.',
  status: 201,
  async handle({ params, headers }, context) {
    const id = jobOf(params.upload_key, context)
    const named = headers['svc-resumable'] ?? headers['x-goog-resumable']
    if (named !== 'start') throw wrongHeader('svc-resumable', String(named ?? ''), 'must be start')
    await context.store.write(async (tx) => {
      const job = await lockOpenJob(tx, id)
      if (job.resumable === 0) throw wrongHeader('svc-resumable', 'start', 'needs a job with resumable')
      await beginUpload(tx, id, context)
    })
    return done(201, { location: signedUrl(id, 'upload', context) })
  },
})
