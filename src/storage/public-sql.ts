import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

// Conditions of queries about what was noted before and is shown now. `column` is the SQL of a column with an id.

/** Whether everyone sees a post: it was not deleted, and its author is neither protected nor suspended. */
export const isPublicPost = (column: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from posts join users on users.id = posts.author_id
    where posts.id = ${sql.raw(column)} and posts.deleted = 0 and users.protected = 0 and users.suspended = 0)`

/** Whether a user is there and not suspended. */
export const isActiveUser = (column: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from users where users.id = ${sql.raw(column)} and users.suspended = 0)`
