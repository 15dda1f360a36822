import { bigint, integer, table, text } from '../table.ts'

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
