import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { bytes } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { FILE_PATH, jobOfKey } from './job.ts'
import { jobFile } from './queries.ts'

/** Declares an endpoint for results, on the core host. */
const endpoint = endpointsOf<PlazaTerms<AdsDependencies>>(protocolOf)

/**
 * GET /advertiser-api-async-analytics/{access_key}/{file_name}: the result of a job (extension).
 * Clients decompress it themselves, so it has no content encoding.
 */
export const getStatsJobFile = endpoint({
  id: 'getStatsJobFile',
  host: 'core',
  method: 'GET',
  path: FILE_PATH,
  summary: 'Get the result of an analytics job',
  description:
    'Returns the `url` of a finished job: JSON like the reply of `getStats`, in gzip format. Everyone with the address can fetch it, until the job expires.',
  source: 'Advertising analytics',
  auth: ['none'],
  limits: { address: '900/15m' },
  params: {
    access_key: Type.String({
      pattern: '^[A-Za-z0-9_-]{40,400}$',
      description: 'Encrypted key, created by Plaza.',
    }),
    file_name: Type.String({
      pattern: '^stats_job_[0-9]{1,19}\\.json\\.gz$',
      description: 'Name of the file, with the id of the job.',
    }),
  },
  replyKind: 'page',
  reply: Type.Unsafe<never>({ description: 'The file, in gzip format.' }),
  onInvalid: 'not found',
  errors: ['not found'],
  async handle({ params: { access_key, file_name } }, context) {
    const key = jobOfKey(access_key, context)
    const isNamed = key && file_name === `stats_job_${key.job}.json.gz`
    const at = key && { account: key.account, id: key.job, now: context.clock.now() }
    const found = at && isNamed ? await context.store.first(jobFile, at) : undefined
    if (!found) throw apiError('not found', file_name)
    return bytes({
      status: 200,
      headers: {
        'content-type': 'application/gzip',
        'content-length': String(found.data.length),
        'cache-control': 'private, no-store',
      },
      body: Readable.from([Buffer.from(found.data)]),
    })
  },
})
