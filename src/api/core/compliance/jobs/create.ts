import { Type } from 'typebox'
import { createJob } from '../../../../domain/compliance/jobs.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE, Job, jobFields, jobName, jobType, presentJob, SOURCE } from './job.ts'

/** POST /2/compliance/jobs: a job that takes many ids (core reference, 07 section 5.1). */
export const createComplianceJob = endpoint({
  id: 'createComplianceJob',
  host: 'core',
  method: 'POST',
  path: '/2/compliance/jobs',
  summary: 'Create a compliance job',
  description:
    'Creates a job that finds out which of up to 10 million posts or users may no longer be shown. Send the ids to `upload_url` within 15 minutes, as text with one id on a line, of up to 250 MiB. When the job is complete, `download_url` returns the result for 7 days after its creation. An app can have one job of a type that is not finished.',
  source: SOURCE,
  auth: ['app'],
  limits: { app: '150/15m' },
  query: jobFields,
  body: Type.Object(
    {
      type: jobType,
      name: Type.Optional(jobName),
      resumable: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether the upload may take several requests.' }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: closedObject({ data: Job }),
  errors: ['conflict'],
  example: { body: { type: 'posts', name: EXAMPLE.name }, reply: { data: EXAMPLE } },
  async handle({ principal: { app }, query, body }, dependencies) {
    const { store } = dependencies
    const row = await store.write((tx) => createJob(tx, { app: app.id, ...body }, dependencies))
    return json({ data: presentJob(row, query['compliance_job.fields'], dependencies) })
  },
})
