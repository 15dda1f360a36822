import { apps } from '../../identity/apps/tables.ts'
import { bigint, id64, integer, table, text } from '../../platform/storage/table.ts'

// Days are UTC days since 1970-01-01.

/** Posts that were returned to an app on a day. Needed only on that day. */
export const countedPosts = table(
  'counted_posts',
  {
    day: integer(),
    app_id: text(),
    post_id: id64(),
  },
  { key: ['day', 'app_id', 'post_id'] },
)

/** How many posts were returned to an app on a day. */
export const appUsage = table(
  'app_usage',
  {
    app_id: text({ belongsTo: apps }),
    day: integer(),
    posts: bigint(),
  },
  {
    key: ['app_id', 'day'],
    indexes: {
      app_usage_by_day: ['day', 'app_id'],
    },
  },
)

/**
 * How many posts were returned to the apps of a project on a day. The id of a project is that of
 * the user who owns its apps.
 */
export const projectUsage = table(
  'project_usage',
  {
    project_id: text(),
    day: integer(),
    posts: bigint(),
  },
  {
    key: ['project_id', 'day'],
    indexes: {
      project_usage_by_day: ['day', 'project_id'],
    },
  },
)

/**
 * Projects whose usage was counted. Counting locks the row, so that sums stay correct until they
 * are written.
 */
export const usageProjects = table('usage_projects', { id: text() }, { key: ['id'] })
