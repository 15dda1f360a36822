import { sql } from 'kysely'
import { anyIdIn, locked, picked, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import { type StatsJobRow, statsJobs } from './tables.ts'

export const addJob = query<StatsJobRow>('addStatsJob', (db, at) =>
  db.insertInto('stats_jobs').values(picked(at, columnNames(statsJobs))),
)

export const jobById = query<{ id: string }, StatsJobRow>('statsJobById', (db, at) =>
  db.selectFrom('stats_jobs').selectAll().where('id', '=', at.id),
)

export const lockJob = query<{ account: string; id: string }, StatsJobRow>('lockStatsJob', (db, at) =>
  locked(
    db,
    db.selectFrom('stats_jobs').selectAll().where('id', '=', at.id).where('account_id', '=', at.account),
  ),
)

/** Ends a job that is being processed. */
export const endJob = query<{ id: string; status: string; now: number; expires: number | null }>(
  'endStatsJob',
  (db, at) =>
    db
      .updateTable('stats_jobs')
      .set({ status: at.status, updated_at: at.now, expires_at: at.expires })
      .where('id', '=', at.id)
      .where('status', '=', sql.lit('PROCESSING')),
)

export const removeJob = query<{ id: string }>('removeStatsJob', (db, at) =>
  db.deleteFrom('stats_jobs').where('id', '=', at.id),
)

/** The number of jobs of an account that are being processed. */
export const countProcessing = query<{ account: string }, { total: number }>(
  'countProcessingStatsJobs',
  (db, at) =>
    db
      .selectFrom('stats_jobs')
      .select(sql<number>`count(*)`.as('total'))
      .where('account_id', '=', at.account)
      .where('status', '=', sql.lit('PROCESSING')),
)

interface JobPage {
  account: string
  /** Jobs with a smaller id. */
  before: string
  limit: number
}

/** Jobs of an account whose results have not expired, newest first. */
export const currentJobs = query<JobPage & { now: number }, StatsJobRow>('currentStatsJobs', (db, at) =>
  db
    .selectFrom('stats_jobs')
    .selectAll()
    .where('account_id', '=', at.account)
    .where('id', '<', at.before)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at.now)]))
    .orderBy('id', 'desc')
    .limit(at.limit),
)

/** Some jobs of an account, newest first. `ids` is a JSON list. */
export const jobsByIds = query<JobPage & { ids: string }, StatsJobRow>('statsJobsByIds', (db, at) =>
  db
    .selectFrom('stats_jobs')
    .selectAll()
    .where('account_id', '=', at.account)
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
    .where('id', '<', at.before)
    .orderBy('id', 'desc')
    .limit(at.limit),
)

export const addJobFile = query<{ job_id: string; data: Uint8Array }>('addStatsJobFile', (db, at) =>
  db.insertInto('stats_job_files').values(picked(at, ['job_id', 'data'])),
)

export const removeJobFile = query<{ id: string }>('removeStatsJobFile', (db, at) =>
  db.deleteFrom('stats_job_files').where('job_id', '=', at.id),
)

/** The result of a job that has not expired. */
export const jobFile = query<{ account: string; id: string; now: number }, { data: Uint8Array }>(
  'statsJobFile',
  (db, at) =>
    db
      .selectFrom('stats_job_files')
      .innerJoin('stats_jobs', 'stats_jobs.id', 'stats_job_files.job_id')
      .innerJoin('accounts', 'accounts.id', 'stats_jobs.account_id')
      .select('stats_job_files.data')
      .where('stats_jobs.id', '=', at.id)
      .where('stats_jobs.account_id', '=', at.account)
      .where('stats_jobs.expires_at', '>', at.now)
      .where('accounts.deleted', '=', sql.lit(0)),
)
