import {
  bigint,
  bytewise,
  flag,
  id64,
  integer,
  type RowOf,
  table,
  text,
} from '../../platform/storage/table.ts'

/** A request of an app to learn which of many posts or users it must no longer show. */
export const complianceJobs = table(
  'compliance_jobs',
  {
    id: id64(),
    /** The files of a job must be released before its row goes: it outlives its app. */
    app_id: text(),
    /** `posts` or `users`. */
    type: text(),
    name: text({ null: true }),
    resumable: flag(),
    /**
     * `created`, `in_progress`, `failed` or `complete`. A created one expires without an upload.
     */
    status: text(),
    /** Why it failed. */
    error: text({ null: true }),
    created_at: bigint(),
    upload_expires_at: bigint(),
    download_expires_at: bigint(),
    /** The upload that may add parts. A new one replaces what the one before sent. */
    upload_id: id64({ null: true }),
    /** Bytes that are stored of it. */
    uploaded_bytes: bigint({ default: 0 }),
    /** The next part of the upload to process. */
    next_part: integer({ default: 0 }),
    /** The beginning of a line that continues in that part. */
    rest: text({ default: '' }),
    /** Ids that were processed. */
    ids: bigint({ default: 0 }),
  },
  {
    key: ['id'],
    indexes: {
      compliance_jobs_by_app: ['app_id', 'type', 'id'],
      compliance_jobs_by_expiry: ['download_expires_at'],
      compliance_jobs_by_upload: { on: ['upload_expires_at'], where: "status = 'created'" },
    },
  },
)

/** A part of the upload or of the result of a job: a file of the file store. */
export const complianceFiles = table(
  'compliance_files',
  {
    job_id: id64({ belongsTo: complianceJobs }),
    /** `upload` or `result`. */
    kind: text(),
    part: integer(),
    /** SHA-256 in hex. */
    hash: text(),
    bytes: bigint(),
  },
  {
    key: ['job_id', 'kind', 'part'],
    indexes: { compliance_files_by_hash: ['hash'] },
  },
)

/** When something happened because of which a post or user must no longer be shown. */
export const complianceRecords = table(
  'compliance_records',
  {
    /** `post.deleted`, `user.deleted`, `user.suspended` or `user.protected`. */
    kind: text(),
    /** The post or user, which may be gone. */
    id: bytewise(),
    at: bigint(),
  },
  {
    key: ['kind', 'id'],
    indexes: { compliance_records_by_age: ['at'] },
  },
)

export type ComplianceJobRow = RowOf<typeof complianceJobs>
export type ComplianceFileRow = RowOf<typeof complianceFiles>
export type ComplianceRecordRow = RowOf<typeof complianceRecords>
