import { Type } from 'typebox'
import { statusOf } from '../../../../domain/compliance/jobs.ts'
import { jobsOfApp } from '../../../../domain/compliance/queries.ts'
import { LAST_ID } from '../../../../platform/common/ids.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, closedObject } from '../../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE, Job, jobFields, jobType, presentJob, SOURCE } from './job.ts'

/** Jobs that a list reads: the newest ones of the app. */
const MAX_LISTED = 1_000

/** GET /2/compliance/jobs: the jobs of the app, newest first. */
export const listComplianceJobs = endpoint({
  id: 'listComplianceJobs',
  host: 'core',
  method: 'GET',
  path: '/2/compliance/jobs',
  summary: "List the app's compliance jobs",
  description:
    'Returns the jobs of the calling app of a type, newest first, without paging: those of the last 7 days, of the newest 1,000. Finished and expired jobs are among them.',
  source: SOURCE,
  auth: ['app'],
  limits: { app: '150/15m' },
  query: {
    type: jobType,
    status: Type.Optional(
      choice(
        ['created', 'in_progress', 'failed', 'complete'],
        'Returns only jobs with this status.',
        'ListedComplianceJobStatus',
      ),
    ),
    ...jobFields,
  },
  reply: closedObject({
    data: Type.Optional(Type.Array(Job, { minItems: 1 })),
    meta: closedObject({ result_count: Type.Integer({ minimum: 0, description: 'Number of jobs.' }) }),
  }),
  example: { params: { type: 'posts' }, reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ principal: { app }, query }, dependencies) {
    const { type, status } = query
    const now = dependencies.clock.now()
    const place = { app: app.id, type, before: LAST_ID, limit: MAX_LISTED }
    const rows = (await dependencies.store.all(jobsOfApp, place)).filter(
      (row) => row.download_expires_at > now && (!status || statusOf(row, now) === status),
    )
    const data = rows.map((row) => presentJob(row, query['compliance_job.fields'], dependencies))
    return json({ ...(data.length > 0 && { data }), meta: { result_count: data.length } })
  },
})
