import { bigint, bytewise, integer, table, text } from '../table.ts'
import { apps } from './identity.ts'

// Days are days of UTC since 1970-01-01.

/** Posts that an app was shown on a day. Needed on that day only. */
export const countedPosts = table(
  'counted_posts',
  {
    day: integer(),
    app_id: text(),
    post_id: bytewise(),
  },
  { key: ['day', 'app_id', 'post_id'] },
)

/** How many posts an app was shown on a day. */
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

/** How many posts the apps of a project were shown on a day. The id of a project is that of the user who owns its apps. */
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

/** Projects whose usage was counted. Whoever counts locks the row, so that sums stay true until they are written. */
export const usageProjects = table('usage_projects', { id: text() }, { key: ['id'] })
