import { Type } from 'typebox'
import { msg } from '../../../platform/http/message.ts'
import { text } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import { lockAccount } from '../campaigns/queries.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import {
  checkedWindow,
  rejectFirst,
  repeated,
  type StatsQuery,
  segmentationType,
  statsParameters,
} from '../stats/parameters.ts'
import { jobHeaders, MAX_PROCESSING, StatsJob, shownJob, storedJob } from './job.ts'
import { addJob, countProcessing } from './queries.ts'
import { tooComplex, wrongSegmentation } from './rules.ts'
import { runJob } from './task.ts'

const MAX_DAYS = 90
const MAX_DAYS_SEGMENTED = 45
const SECOND_MS = 1_000

export const createStatsJob = adsEndpoint({
  id: 'createStatsJob',
  method: 'POST',
  path: '/stats/jobs/accounts/{account_id}',
  summary: 'Create an analytics job',
  description:
    'Starts a job that reads the figures of up to 20 entities for at most 90 days, or 45 days with `segmentation_type`. When its status is `SUCCESS`, its result is at `url` for 48 hours. Up to 100 jobs of an account can be processing.',
  source: 'Advertising analytics',
  // It reads figures.
  scopes: ['read'],
  right: 'read',
  limits: LIMITS.read,
  form: {
    ...statsParameters,
    segmentation_type: Type.Optional(segmentationType),
    country: Type.Optional(
      text(1, 40, 'Targeting value of a country. METROS and other types of places need it.'),
    ),
    platform: Type.Optional(
      text(1, 40, 'Targeting value of a platform. DEVICES and PLATFORM_VERSIONS need it.'),
    ),
  },
  status: 201,
  codes: ['INVALID_TIME_WINDOW', 'REQUEST_TOO_COMPLEX', 'TOO_MANY_JOBS'],
  data: StatsJob,
  async handle({ scope, form }, context) {
    const { store, clock, ids, naming, config } = context
    const { accountId: account } = scope
    const { segmentation_type = null, country = null, platform = null } = form
    const days = segmentation_type === null ? MAX_DAYS : MAX_DAYS_SEGMENTED
    const window = checkedWindow(form, { account: scope.account, now: clock.now(), days })
    const times = { start_time: window.fromMs, end_time: window.untilMs }
    const query: StatsQuery = { ...form, ...times, segmentation_type, country, platform }
    rejectFirst(
      () => wrongSegmentation(query),
      () => tooComplex(query),
    )
    const row = await store.write(async (tx) => {
      // Locked, so that two concurrent calls cannot both create the last job.
      await tx.first(lockAccount, { id: account })
      const total = (await tx.first(countProcessing, { account }))?.total ?? 0
      if (total >= MAX_PROCESSING) throw adsApiError(tooMany)
      const now = tx.now
      const job = { id: ids.next(), account_id: account, status: 'PROCESSING', query }
      const stored = storedJob({ ...job, created_at: now, updated_at: now, expires_at: null })
      await tx.run(addJob, stored)
      await enqueue(tx, runJob.task({ job: job.id, account }, now + config.statsJobSeconds * SECOND_MS))
      return stored
    })
    return {
      data: shownJob(row, context),
      headers: await jobHeaders(store, account),
      request: repeated(query, naming.vocabulary),
    }
  },
})

const tooMany: AdsError = {
  code: 'TOO_MANY_JOBS',
  message: msg`A maximum of ${MAX_PROCESSING} jobs can be in processing state`,
}
