import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { filesOfJob, jobById } from '../../../domain/compliance/queries.ts'
import type { ComplianceFileRow } from '../../../domain/compliance/tables.ts'
import { bytes } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { FileStore } from '../../../platform/storage/files/files.ts'
import { endpoint } from './endpoint.ts'
import { SOURCE } from './jobs/job.ts'
import { DOWNLOAD_PATH, jobOfKey, urlKey } from './signed-url.ts'

/** GET of the `download_url` of a job (core reference, 07 section 5.3). */
export const downloadComplianceResult = endpoint({
  id: 'downloadComplianceResult',
  host: 'core',
  method: 'GET',
  path: DOWNLOAD_PATH,
  summary: 'Download the result of a compliance job',
  description:
    'Returns a line of JSON for each id that may no longer be shown, in the order of the upload: `id`, `action`, which is `delete`, `created_at`, `redacted_at` if it is known, and `reason`: `deleted`, `suspended` or `protected`. Ids that never existed are reported as deleted. An id without a line may still be shown. Not found before the job is complete.',
  source: SOURCE,
  auth: ['none'],
  params: { download_key: urlKey },
  replyKind: 'file',
  reply: Type.Unsafe<never>({ description: 'Lines of JSON.' }),
  onInvalid: 'not found',
  errors: ['not found', 'signed url expired'],
  async handle({ params }, context) {
    const { store, files, clock } = context
    const id = jobOfKey(params.download_key, 'download', context)
    if (id === undefined) throw apiError('not found', 'the signature is wrong')
    const job = await store.first(jobById, { id })
    if (!job || job.download_expires_at <= clock.now()) throw apiError('signed url expired')
    if (job.status !== 'complete') throw apiError('not found', `the job is ${job.status}`)
    const parts = await store.all(filesOfJob, { job_id: id, kind: 'result' })
    return bytes({
      status: 200,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(parts.reduce((sum, part) => sum + part.bytes, 0)),
      },
      body: Readable.from(contentOf(parts, files)),
    })
  },
})

async function* contentOf(parts: readonly ComplianceFileRow[], files: FileStore): AsyncGenerator<Buffer> {
  for (const { hash, bytes: length } of parts) yield* files.stream(hash, 0, length)
}
