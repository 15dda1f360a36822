import { Type } from 'typebox'
import { platformByValue } from '../../../domain/reference-data/platforms.ts'
import { msg, words } from '../../../platform/http/message.ts'
import { text } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { enqueue } from '../../../platform/queue/enqueue.ts'
import { lockAccount } from '../campaigns/queries.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { metricsIn, type StatsEntity } from '../stats/metrics.ts'
import {
  checkedWindow,
  rejectFirst,
  repeated,
  type StatsQuery,
  segmentationType,
  statsParameters,
} from '../stats/parameters.ts'
import { groupsOf, isCountry, neededBy, type Segmentation } from '../stats/segments.ts'
import { lengthOf } from '../stats/window.ts'
import { jobHeaders, MAX_PROCESSING, StatsJob, shownJob, storedJob } from './job.ts'
import { addJob, countProcessing } from './queries.ts'
import { runJob } from './task.ts'

const MAX_DAYS = 90
const MAX_DAYS_SEGMENTED = 45
/** Numbers of one result. */
const MAX_FIGURES = 3_000_000
/** Segments that a job may have, where their number is known only later. */
const USUAL_SEGMENTS = 20
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

/** Entities whose figures cannot be divided. */
const WHOLE: readonly StatsEntity[] = ['MEDIA_CREATIVE', 'ORGANIC_POST']

function wrongSegmentation({
  segmentation_type: type,
  entity,
  metric_groups,
  ...given
}: StatsQuery): AdsError[] {
  if (type === null) return []
  const needed = neededBy(type)
  if (needed !== undefined && given[needed] === null) return [missingParameter(needed)]
  if (needed === 'country' && !isCountry(given.country ?? ''))
    return [wrong('country', given.country, msg`the targeting_value of a country`)]
  if (needed === 'platform' && !platformByValue(given.platform ?? ''))
    return [wrong('platform', given.platform, msg`the targeting_value of a platform`)]
  if (WHOLE.includes(entity))
    return [
      wrongParameter(
        'segmentation_type',
        msg`Figures of ${words([entity])} cannot be divided by ${words([type])}`,
      ),
    ]
  const possible = groupsOf(type)
  const impossible = metric_groups.filter((group) => !possible.includes(group))
  if (impossible.length === 0) return []
  return [
    wrongParameter(
      'metric_groups',
      msg`Expected values in ${words(possible)} with ${words([type])}, got "${words(impossible)}" for metric_groups`,
    ),
  ]
}

const wrong = (name: 'country' | 'platform', value: string | null, what: ReturnType<typeof msg>) =>
  wrongParameter(name, msg`Expected ${what}, got "${value ?? ''}" for ${name}`)

/** How many segments each entity has at most. */
const SEGMENTS: Readonly<Partial<Record<Segmentation, number>>> = {
  AGE: 4,
  GENDER: 2,
  PLATFORMS: 3,
  METROS: 210,
}

function tooComplex({
  entity_ids,
  granularity,
  metric_groups,
  segmentation_type: type,
  ...times
}: StatsQuery): AdsError[] {
  const periods = lengthOf({ fromMs: times.start_time, untilMs: times.end_time }, granularity)
  const segments = type === null ? 1 : (SEGMENTS[type] ?? USUAL_SEGMENTS)
  const figures = entity_ids.length * periods * segments * metricsIn(metric_groups).length
  if (figures <= MAX_FIGURES) return []
  return [
    {
      code: 'REQUEST_TOO_COMPLEX',
      message: msg`Expected at most ${MAX_FIGURES} numbers in a result, got ${figures}: ask for fewer entities, periods or metrics`,
    },
  ]
}
