import { Type } from 'typebox'
import {
  base36,
  choice,
  closedComponent,
  id,
  instant,
  longNumber,
  nullable,
} from '../../../platform/http/schema.ts'
import { CannotUnseal } from '../../../platform/storage/seal.ts'
import type { Store, Transaction } from '../../../platform/storage/store.ts'
import { rowCodec } from '../../../platform/storage/table.ts'
import type { AdsDependencies } from '../dependencies.ts'
import { type StatsQuery, shownParameters } from '../stats/parameters.ts'
import { countProcessing } from './queries.ts'
import { type StatsJobRow, statsJobs } from './tables.ts'

/** Jobs of an account that may be processed at once (reference: analytics, limits). */
export const MAX_PROCESSING = 100

export const StatsJob = closedComponent('StatsJob', {
  id: longNumber('Id, as a number.'),
  id_str: id('Id, as text.'),
  account_id: base36('Account.'),
  status: choice(
    ['PROCESSING', 'SUCCESS', 'FAILED', 'CANCELLED'],
    'State. `SUCCESS`: the result is at `url`.',
    'StatsJobStatus',
  ),
  url: nullable(
    Type.String({ description: 'The result: a file in gzip format, for everyone with this address.' }),
  ),
  created_at: instant('When it was created.'),
  updated_at: instant('When its state changed.'),
  expires_at: nullable(instant('When the file is removed.')),
  ...shownParameters,
})

const codec = rowCodec(statsJobs)

/** A job as it is stored. */
export const storedJob = (job: Omit<StatsJobRow, 'query'> & { query: StatsQuery }): StatsJobRow =>
  codec.encode(job)

/** What a job asks for. */
export const queryOf = (row: StatsJobRow): StatsQuery => codec.decode(row).query as StatsQuery

/** The path of results on the core host. */
export const FILE_PATH = '/advertiser-api-async-analytics/{access_key}/{file_name}'

type AddressParts = Pick<AdsDependencies, 'sealer' | 'coreOrigin' | 'naming' | 'clock'>

/** A job as replies show it. */
export function shownJob(row: StatsJobRow, parts: AddressParts) {
  const { expires_at, id: jobId, ...job } = row
  const isReady = job.status === 'SUCCESS' && expires_at !== null && expires_at > parts.clock.now()
  return {
    ...queryOf(row),
    account_id: job.account_id,
    status: job.status as 'SUCCESS',
    created_at: job.created_at,
    updated_at: job.updated_at,
    expires_at,
    id: jobId,
    id_str: jobId,
    url: isReady ? addressOf({ account: job.account_id, job: jobId }, parts) : null,
  }
}

interface JobKey {
  readonly account: string
  readonly job: string
}

const PURPOSE = 'analytics result'
const SEALED = 'v1.'

/** The address of a result: with an encrypted and authenticated key, which cannot be guessed. */
function addressOf({ account, job }: JobKey, { sealer, coreOrigin, naming }: AddressParts): string {
  const key = sealer.seal(JSON.stringify([account, job]), PURPOSE).slice(SEALED.length)
  const path = naming.vocabulary
    .path(FILE_PATH)
    .replace('{access_key}', key)
    .replace('{file_name}', `stats_job_${job}.json.gz`)
  return `${coreOrigin}${path}`
}

/** The job of an address; undefined if this service did not make the address. */
export function jobOfKey(key: string, { sealer }: Pick<AddressParts, 'sealer'>): JobKey | undefined {
  try {
    const [account, job] = JSON.parse(sealer.unseal(SEALED + key, PURPOSE)) as [string, string]
    return { account, job }
  } catch (error) {
    if (error instanceof CannotUnseal) return undefined
    throw error
  }
}

/** How many jobs the account may have processed at once, and how many more it may create. */
export async function jobHeaders(store: Pick<Store | Transaction, 'first'>, account: string) {
  const total = (await store.first(countProcessing, { account }))?.total ?? 0
  return {
    'x-concurrent-job-limit': String(MAX_PROCESSING),
    'x-concurrent-job-limit-remaining': String(Math.max(0, MAX_PROCESSING - total)),
  }
}
