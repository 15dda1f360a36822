import { sql } from 'kysely'
import { anyIdIn, anyIn, locked, picked, postgres } from '../../platform/storage/query.ts'
import { removalBefore } from '../../platform/storage/removal.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import {
  type ComplianceFileRow,
  type ComplianceJobRow,
  type ComplianceRecordRow,
  complianceFiles,
  complianceJobs,
  complianceRecords,
} from './tables.ts'

export const addJob = query<ComplianceJobRow>('addComplianceJob', (db, at) =>
  db.insertInto('compliance_jobs').values(picked(at, columnNames(complianceJobs))),
)

export const jobById = query<{ id: string }, ComplianceJobRow>('complianceJobById', (db, at) =>
  db.selectFrom('compliance_jobs').selectAll().where('id', '=', at.id),
)

export const lockJob = query<{ id: string }, ComplianceJobRow>('lockComplianceJob', (db, at) =>
  locked(db, db.selectFrom('compliance_jobs').selectAll().where('id', '=', at.id)),
)

/** Jobs of an app and a type, newest first. */
export const jobsOfApp = query<
  { app: string; type: string; before: string; limit: number },
  ComplianceJobRow
>('complianceJobsOfApp', (db, at) =>
  db
    .selectFrom('compliance_jobs')
    .selectAll()
    .where('app_id', '=', at.app)
    .where('type', '=', at.type)
    .where('id', '<', at.before)
    .orderBy('id', 'desc')
    .limit(at.limit),
)

/** Stores the progress of the upload or of the processing of a job. */
export const setJob = query<ComplianceJobRow>('setComplianceJob', (db, at) =>
  db
    .updateTable('compliance_jobs')
    .set({
      ...{ status: at.status, error: at.error },
      ...{ upload_id: at.upload_id, uploaded_bytes: at.uploaded_bytes },
      ...{ next_part: at.next_part, rest: at.rest, ids: at.ids },
    })
    .where('id', '=', at.id),
)

/** Jobs whose results nobody can download any more. */
export const expiredJobs = query<{ now: number; limit: number }, { id: string }>(
  'expiredComplianceJobs',
  (db, at) =>
    db
      .selectFrom('compliance_jobs')
      .select('id')
      .where('download_expires_at', '<=', at.now)
      .orderBy('download_expires_at')
      .limit(at.limit),
)

/** Jobs that have expired during their upload, with parts of it. */
export const abandonedUploads = query<{ now: number; limit: number }, { id: string }>(
  'abandonedComplianceUploads',
  (db, at) =>
    db
      .selectFrom('compliance_jobs')
      .select('id')
      .where('status', '=', sql.lit('created'))
      .where('upload_expires_at', '<=', at.now)
      .where('uploaded_bytes', '>', 0)
      .orderBy('upload_expires_at')
      .limit(at.limit),
)

export const removeJob = query<{ id: string }>('removeComplianceJob', (db, at) =>
  db.deleteFrom('compliance_jobs').where('id', '=', at.id),
)

export const addFile = query<ComplianceFileRow>('addComplianceFile', (db, at) =>
  db.insertInto('compliance_files').values(picked(at, columnNames(complianceFiles))),
)

type FilesArgs = Pick<ComplianceFileRow, 'job_id' | 'kind'>

/** The parts of an upload or of a result, in order. */
export const filesOfJob = query<FilesArgs, ComplianceFileRow>('complianceFilesOfJob', (db, at) =>
  db
    .selectFrom('compliance_files')
    .selectAll()
    .where('job_id', '=', at.job_id)
    .where('kind', '=', at.kind)
    .orderBy('part'),
)

export const fileOfJob = query<FilesArgs & { part: number }, ComplianceFileRow>(
  'complianceFileOfJob',
  (db, at) =>
    db
      .selectFrom('compliance_files')
      .selectAll()
      .where('job_id', '=', at.job_id)
      .where('kind', '=', at.kind)
      .where('part', '=', at.part),
)

/** The last part of an upload. */
export const lastFileOfJob = query<FilesArgs, { part: number }>('lastComplianceFileOfJob', (db, at) =>
  db
    .selectFrom('compliance_files')
    .select('part')
    .where('job_id', '=', at.job_id)
    .where('kind', '=', at.kind)
    .orderBy('part', 'desc')
    .limit(1),
)

export const removeFiles = query<FilesArgs, { hash: string }>('removeComplianceFiles', (db, at) =>
  db
    .deleteFrom('compliance_files')
    .where('job_id', '=', at.job_id)
    .where('kind', '=', at.kind)
    .returning('hash'),
)

/** A post, as far as it decides whether it may be shown. */
export interface CheckedPost {
  id: string
  created_at: number
  deleted: number
  /** Whether the operator took it out of public view. */
  dropped: number
  first_version_id: string
  author_id: string
  author_deleted: number
  suspended: number
  protected: number
}

/** Posts in production, deleted ones too. `ids` is a JSON list. */
export const postsToCheck = query<{ ids: string }, CheckedPost>('compliancePosts', (db, at) =>
  db
    .selectFrom('posts')
    .innerJoin('users', 'users.id', 'posts.author_id')
    .select(['posts.id', 'posts.created_at', 'posts.deleted', 'posts.dropped', 'posts.author_id'])
    .select('posts.first_version_id')
    .select(['users.suspended', 'users.protected'])
    .select(sql<number>`case when users.deleted_at is null then 0 else 1 end`.as('author_deleted'))
    .where(anyIdIn(postgres(db), sql.ref('posts.id'), at.ids))
    .where('posts.environment', '=', sql.lit('production')),
)

/** Public quotes of a post in a class of visibility, oldest first. */
export const publicQuotes = query<
  { post: string; visibility: number; after: string; limit: number },
  { id: string }
>('complianceQuotes', (db, at) =>
  db
    .selectFrom('posts')
    .select('posts.id')
    .where('posts.quoted_post_id', '=', at.post)
    .where('posts.visibility', '=', at.visibility)
    .where('posts.id', '>', at.after)
    .where((e) =>
      e.exists(
        e
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'posts.author_id')
          .where('users.protected', '=', sql.lit(0))
          .where('users.suspended', '=', sql.lit(0)),
      ),
    )
    .orderBy('posts.id')
    .limit(at.limit),
)

/** A user, as far as it decides whether the user may be shown. */
export interface CheckedUser {
  id: string
  created_at: number
  deleted_at: number | null
  suspended: number
  protected: number
}

/** Users, deleted ones too. `ids` is a JSON list. */
export const usersToCheck = query<{ ids: string }, CheckedUser>('complianceUsers', (db, at) =>
  db
    .selectFrom('users')
    .select(['id', 'created_at', 'deleted_at', 'suspended', 'protected'])
    .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Records of a kind. `ids` is a JSON list. */
export const recordsOf = query<{ kind: string; ids: string }, { id: string; at: number }>(
  'complianceRecordsOf',
  (db, at) =>
    db
      .selectFrom('compliance_records')
      .select(['id', 'at'])
      .where('kind', '=', at.kind)
      .where(anyIn(postgres(db), sql.ref('id'), at.ids)),
)

/** Records something; the newest time counts. */
export const putRecord = query<ComplianceRecordRow>('putComplianceRecord', (db, at) =>
  db
    .insertInto('compliance_records')
    .values(picked(at, columnNames(complianceRecords)))
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet({ at: at.at })),
)

export const removeRecords = removalBefore('removeComplianceRecords', complianceRecords, 'at')
