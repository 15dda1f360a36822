import { timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import type { ComplianceDependencies } from './endpoint.ts'

/** What a URL gives access to. */
export type UrlPurpose = 'upload' | 'download'

export const UPLOAD_PATH = '/2/compliance/uploads/{upload_key}'
export const DOWNLOAD_PATH = '/2/compliance/downloads/{download_key}'
const PATHS: Readonly<Record<UrlPurpose, string>> = { upload: UPLOAD_PATH, download: DOWNLOAD_PATH }

/** The id of a job and a signature, which only this service can make. */
export const urlKey = Type.String({
  pattern: '^[0-9]{1,19}-[A-Za-z0-9_-]{43}$',
  description: 'The last part of a URL that a job contains.',
})

type Signing = Pick<ComplianceDependencies, 'sealer'>

const signatureOf = (job: string, purpose: UrlPurpose, { sealer }: Signing): Buffer =>
  sealer.derive(`compliance ${purpose}`, job)

/** A URL of a job that needs no other authentication: nobody can guess it. */
export function signedUrl(
  job: string,
  purpose: UrlPurpose,
  { sealer, coreOrigin, naming }: Pick<ComplianceDependencies, 'sealer' | 'coreOrigin' | 'naming'>,
): string {
  const path = naming.vocabulary.path(PATHS[purpose])
  const key = `${job}-${signatureOf(job, purpose, { sealer }).toString('base64url')}`
  return `${coreOrigin}${path.slice(0, path.lastIndexOf('/'))}/${key}`
}

/** The job of a URL; undefined if this service did not make it. */
export function jobOfKey(key: string, purpose: UrlPurpose, signing: Signing): string | undefined {
  const job = key.slice(0, key.indexOf('-'))
  const signature = Buffer.from(key.slice(job.length + 1), 'base64url')
  return timingSafeEqual(signature, signatureOf(job, purpose, signing)) ? job : undefined
}
