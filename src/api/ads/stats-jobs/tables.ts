import {
  bigint,
  bytes,
  bytewise,
  id64,
  json,
  type RowOf,
  table,
  text,
} from '../../../platform/storage/table.ts'
import { accounts } from '../accounts/tables.ts'

/** Analytics that are read later. */
export const statsJobs = table(
  'stats_jobs',
  {
    id: id64(),
    account_id: bytewise({ belongsTo: accounts }),
    /** `PROCESSING`, `SUCCESS`, `FAILED` or `CANCELLED`. */
    status: text(),
    /** What is asked for: a `StatsQuery`. */
    query: json<object>(),
    created_at: bigint(),
    updated_at: bigint(),
    /** When the file is removed; null until there is one. */
    expires_at: bigint({ null: true }),
  },
  {
    key: ['id'],
    indexes: {
      stats_jobs_by_account: ['account_id', 'id'],
      stats_jobs_processing: { on: ['account_id', 'status'], where: "status = 'PROCESSING'" },
    },
  },
)

/** The results of jobs: gzip. */
export const statsJobFiles = table(
  'stats_job_files',
  { job_id: id64({ belongsTo: statsJobs }), data: bytes() },
  { key: ['job_id'] },
)

export type StatsJobRow = RowOf<typeof statsJobs>
