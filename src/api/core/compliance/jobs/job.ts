import { Type } from 'typebox'
import {
  DOWNLOAD_MS,
  JOB_STATUSES,
  JOB_TYPES,
  MAX_JOB_NAME,
  statusOf,
  UPLOAD_MS,
} from '../../../../domain/compliance/jobs.ts'
import type { ComplianceJobRow } from '../../../../domain/compliance/tables.ts'
import { objectTime } from '../../../../platform/common/time.ts'
import { choice, choices, closedComponent, id, time } from '../../../../platform/http/schema.ts'
import type { ComplianceDependencies } from '../endpoint.ts'
import { signedUrl } from '../signed-url.ts'

export const SOURCE = 'Public operations (core reference, 07 section 5)'

export const JOB_FIELDS = [
  'created_at',
  'download_expires_at',
  'download_url',
  'id',
  'name',
  'resumable',
  'status',
  'type',
  'upload_expires_at',
  'upload_url',
] as const
export type JobField = (typeof JOB_FIELDS)[number]

export const jobType = choice([...JOB_TYPES], 'What the ids are: of posts or of users.', 'ComplianceJobType')
export const jobName = Type.String({ maxLength: MAX_JOB_NAME, description: 'A name for the job.' })

const url = (description: string) => Type.String({ format: 'uri', description })

export const Job = closedComponent('ComplianceJob', {
  created_at: Type.Optional(time('When the job was created.')),
  download_expires_at: Type.Optional(time('Until when the result can be downloaded.')),
  download_url: Type.Optional(url('URL of the result. It needs no authentication.')),
  id: id('The job.'),
  name: Type.Optional(jobName),
  resumable: Type.Optional(Type.Boolean({ description: 'Whether the upload may take several requests.' })),
  status: Type.Optional(
    choice([...JOB_STATUSES], 'A created job expires without an upload.', 'ComplianceJobStatus'),
  ),
  type: Type.Optional(jobType),
  upload_expires_at: Type.Optional(time('Until when the ids can be uploaded.')),
  upload_url: Type.Optional(url('URL to upload the ids to. It needs no authentication.')),
  error: Type.Optional(Type.String({ description: 'Why the job failed.' })),
})

export const jobFields = {
  'compliance_job.fields': Type.Optional(
    choices([...JOB_FIELDS], 'Members to return; all by default.', 'ComplianceJobField'),
  ),
}

type Presenting = Pick<ComplianceDependencies, 'clock' | 'sealer' | 'naming' | 'coreOrigin'>

/** A job as replies show it. `id` is always returned. */
export function presentJob(
  row: ComplianceJobRow,
  fields: readonly JobField[] = JOB_FIELDS,
  parts: Presenting,
) {
  const all = {
    created_at: objectTime(row.created_at),
    download_expires_at: objectTime(row.download_expires_at),
    download_url: signedUrl(row.id, 'download', parts),
    id: row.id,
    ...(row.name !== null && { name: row.name }),
    resumable: row.resumable === 1,
    status: statusOf(row, parts.clock.now()),
    type: row.type as (typeof JOB_TYPES)[number],
    upload_expires_at: objectTime(row.upload_expires_at),
    upload_url: signedUrl(row.id, 'upload', parts),
  }
  const asked = Object.entries(all).filter(([field]) => fields.some((one) => one === field))
  return {
    ...(Object.fromEntries(asked) as Partial<typeof all>),
    id: row.id,
    ...(row.error !== null && fields.includes('status') && { error: row.error }),
  }
}

const AT_MS = Date.UTC(2026, 2, 1, 12)
const KEY = '1900000000000000042-4kBwLzVbQmJ1Z0rT8uXyN3pS6dFhGaCeKiMoQqWsEtY'

export const EXAMPLE = {
  id: '1900000000000000042',
  type: 'posts' as const,
  name: 'my posts',
  resumable: false,
  status: 'created' as const,
  created_at: objectTime(AT_MS),
  upload_url: `https://api.plaza.example/2/compliance/uploads/${KEY}`,
  upload_expires_at: objectTime(AT_MS + UPLOAD_MS),
  download_url: `https://api.plaza.example/2/compliance/downloads/${KEY}`,
  download_expires_at: objectTime(AT_MS + DOWNLOAD_MS),
}
