import { bigint, integer, table, text } from '../table.ts'

/** Imports of posts: how far each has come, and which process continues with it. */
export const postImports = table(
  'post_imports',
  {
    /** What is imported: the digest of a file, or how posts are made up. */
    id: text(),
    /** As people know it. */
    name: text(),
    /** Unique for each process; empty when none has it. */
    holder: text(),
    host: text(),
    pid: integer(),
    /** By the clock of the machine. The process renews it with everything that it writes. */
    expires_at: bigint(),
    /** `posts`, then `counts`, then `done`. */
    pass: text(),
    /** Lines and bytes of the pass that are done. */
    line: bigint(),
    byte: bigint(),
    added: bigint(),
    /** Posts that were there already. */
    known: bigint(),
    rejected: bigint(),
    started_at: bigint(),
  },
  { key: ['id'] },
)
