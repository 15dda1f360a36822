import { bigint, id64, integer, type RowOf, table, text } from '../../../platform/storage/table.ts'
import { posts } from '../tables.ts'

/** Imports of posts: the progress of each, and the process that runs it. */
export const postImports = table(
  'post_imports',
  {
    /** What is imported: the digest of a file, or the parameters of generated posts. */
    id: text(),
    /** The name for display. */
    name: text(),
    /** Unique per process; empty when no process runs it. */
    holder: text(),
    host: text(),
    pid: integer(),
    /** On the machine's clock. The process renews it with every write. */
    expires_at: bigint(),
    /** `posts`, then `counts`, then `done`. */
    pass: text(),
    /** Completed lines and bytes of the current pass. */
    line: bigint(),
    byte: bigint(),
    added: bigint(),
    /** Posts that existed already. */
    known: bigint(),
    rejected: bigint(),
    started_at: bigint(),
  },
  { key: ['id'] },
)

/** The part of the counts of imported and generated posts for which there are no rows. */
export const importedPostCounts = table(
  'imported_post_counts',
  {
    post_id: id64({ belongsTo: posts }),
    repost_count: bigint(),
    reply_count: bigint(),
    like_count: bigint(),
    quote_count: bigint(),
    bookmark_count: bigint(),
  },
  { key: ['post_id'] },
)

export type PostImportRow = RowOf<typeof postImports>

export type ImportedPostCountRow = RowOf<typeof importedPostCounts>
