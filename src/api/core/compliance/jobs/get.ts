import { Type } from 'typebox'
import { jobById } from '../../../../domain/compliance/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { closedObject, id } from '../../../../platform/http/schema.ts'
import { notFoundProblem, ResourceProblem } from '../../../../platform/protocols/problem/resource.ts'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE, Job, jobFields, presentJob, SOURCE } from './job.ts'

/** GET /2/compliance/jobs/{id}: one job of the app. */
export const getComplianceJob = endpoint({
  id: 'getComplianceJob',
  host: 'core',
  method: 'GET',
  path: '/2/compliance/jobs/{id}',
  summary: 'Get a compliance job',
  description:
    'Returns a job of the calling app. A job that does not exist, or belongs to another app, is reported in `errors` with status 200. Jobs are removed 7 days after their creation.',
  source: SOURCE,
  auth: ['app'],
  limits: { app: '150/15m' },
  params: { id: id('The job.') },
  query: jobFields,
  reply: closedObject({
    data: Type.Optional(Job),
    errors: Type.Optional(Type.Array(ResourceProblem, { minItems: 1 })),
  }),
  example: { params: { id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ principal: { app }, params, query }, dependencies) {
    const { store, naming, clock } = dependencies
    const row = await store.first(jobById, { id: params.id })
    if (row?.app_id !== app.id || row.download_expires_at <= clock.now()) {
      const named = { type: 'compliance_job', noun: 'Job', value: params.id, parameter: 'id' } as const
      return json({ errors: [notFoundProblem(named, naming)] })
    }
    return json({ data: presentJob(row, query['compliance_job.fields'], dependencies) })
  },
})
