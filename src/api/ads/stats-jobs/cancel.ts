import { msg, word } from '../../../platform/http/message.ts'
import { long } from '../../../platform/http/schema.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import { adsEndpoint } from '../endpoint.ts'
import { StatsJob, shownJob } from './job.ts'
import { endJob, lockJob } from './queries.ts'

export const cancelStatsJob = adsEndpoint({
  id: 'cancelStatsJob',
  method: 'DELETE',
  path: '/stats/jobs/accounts/{account_id}/{job_id}',
  summary: 'Cancel an analytics job',
  description: 'Cancels a job that is processing. It stays in lists, with the status `CANCELLED`.',
  source: 'Advertising analytics',
  scopes: ['read'],
  right: 'read',
  params: { job_id: long('The job.') },
  codes: ['INVALID', 'NOT_FOUND'],
  data: StatsJob,
  beside: ['type'],
  async handle({ scope, params: { job_id: id } }, context) {
    const { accountId: account } = scope
    const row = await context.store.write(async (tx) => {
      const found = await tx.first(lockJob, { account, id })
      if (!found) throw rejected('job_id', msg`Job ${id} was not found for Account ${account}`, 'NOT_FOUND')
      if (found.status !== 'PROCESSING')
        throw adsApiError(
          wrongAttribute(
            'status',
            msg`Job ${id} is no longer processing: its status is ${word(found.status)}`,
          ),
        )
      await tx.run(endJob, { id, status: 'CANCELLED', now: tx.now, expires: null })
      return { ...found, status: 'CANCELLED', updated_at: tx.now }
    })
    return { data_type: 'job', data: shownJob(row, context) }
  },
})
