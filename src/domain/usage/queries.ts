import { sql } from 'kysely'
import { anyIdIn, distinctIdsIn, locked, postgres } from '../../platform/storage/query.ts'
import { removalBefore } from '../../platform/storage/removal.ts'
import { query } from '../tables.ts'
import { appUsage, countedPosts, projectUsage } from './tables.ts'

/** Posts of a day and of the month so far. */
export interface UsageTotals {
  day: number
  month: number
}

/** Blocks others who count for the project until the transaction ends. */
export const lockUsage = query<{ project: string }, { id: string }>('lockUsageOfProject', (db, at) =>
  locked(db, db.selectFrom('usage_projects').select('id').where('id', '=', at.project)),
)

export const addUsageProject = query<{ project: string }>('addUsageProject', (db, at) =>
  db
    .insertInto('usage_projects')
    .values({ id: at.project })
    .onConflict((conflict) => conflict.column('id').doNothing()),
)

interface AppPostsArgs {
  day: number
  app: string
  /** A JSON list. */
  posts: string
}

/** The posts, of those given, that were already counted for an app on a day. */
export const countedAmong = query<AppPostsArgs, { post_id: string }>('countedPostsAmong', (db, at) =>
  db
    .selectFrom('counted_posts')
    .select('post_id')
    .where('day', '=', at.day)
    .where('app_id', '=', at.app)
    .where(anyIdIn(postgres(db), sql.ref('post_id'), at.posts)),
)

export const addCounted = query<AppPostsArgs>('addCountedPosts', (db, at) =>
  db
    .insertInto('counted_posts')
    .columns(['day', 'app_id', 'post_id'])
    .expression((on) =>
      on
        .selectFrom(distinctIdsIn(db, at.posts))
        .select([
          sql<number>`cast(${at.day} as integer)`.as('day'),
          sql<string>`cast(${at.app} as text)`.as('app_id'),
          'asked.value',
        ]),
    ),
)

const totals = {
  day: (day: number) => sql<number>`cast(coalesce(sum(case when day = ${day} then posts end), 0) as bigint)`,
  month: () => sql<number>`cast(coalesce(sum(posts), 0) as bigint)`,
}

export const appTotals = query<{ app: string; day: number; from: number }, UsageTotals>(
  'usageTotalsOfApp',
  (db, at) =>
    db
      .selectFrom('app_usage')
      .select([totals.day(at.day).as('day'), totals.month().as('month')])
      .where('app_id', '=', at.app)
      .where('day', '>=', at.from),
)

export const projectTotals = query<{ project: string; day: number; from: number }, UsageTotals>(
  'usageTotalsOfProject',
  (db, at) =>
    db
      .selectFrom('project_usage')
      .select([totals.day(at.day).as('day'), totals.month().as('month')])
      .where('project_id', '=', at.project)
      .where('day', '>=', at.from),
)

export const addAppUsage = query<{ app: string; day: number; posts: number }>('addUsageOfApp', (db, at) =>
  db
    .insertInto('app_usage')
    .values({ app_id: at.app, day: at.day, posts: at.posts })
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'day']).doUpdateSet({ posts: sql`app_usage.posts + excluded.posts` }),
    ),
)

export const addProjectUsage = query<{ project: string; day: number; posts: number }>(
  'addUsageOfProject',
  (db, at) =>
    db
      .insertInto('project_usage')
      .values({ project_id: at.project, day: at.day, posts: at.posts })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'day'])
          .doUpdateSet({ posts: sql`project_usage.posts + excluded.posts` }),
      ),
)

/** The days of a project on which posts were returned to its apps, oldest first. */
export const projectDays = query<{ project: string; from: number }, { day: number; posts: number }>(
  'usageDaysOfProject',
  (db, at) =>
    db
      .selectFrom('project_usage')
      .select(['day', 'posts'])
      .where('project_id', '=', at.project)
      .where('day', '>=', at.from)
      .orderBy('day'),
)

/** Removes the usage of a project whose owner was deleted. */
export const removeUsageOf = query<{ project: string }>('removeUsageOfProject', (db, at) =>
  db.deleteFrom('project_usage').where('project_id', '=', at.project),
)
export const removeUsageProject = query<{ project: string }>('removeUsageProject', (db, at) =>
  db.deleteFrom('usage_projects').where('id', '=', at.project),
)

interface AppDayRow {
  app_id: string
  day: number
  posts: number
}

/** The days of the apps of a project with the most posts. */
export const appDays = query<{ owner: string; from: number; apps: number }, AppDayRow>(
  'usageDaysOfApps',
  (db, at) =>
    db
      .selectFrom('app_usage')
      .select(['app_usage.app_id', 'app_usage.day', 'app_usage.posts'])
      .where('app_usage.app_id', 'in', (on) =>
        on
          .selectFrom('apps')
          .innerJoin('app_usage as counted', 'counted.app_id', 'apps.id')
          .select('apps.id')
          .where('apps.owner_user_id', '=', at.owner)
          .where('counted.day', '>=', at.from)
          .groupBy('apps.id')
          .orderBy(sql`sum(counted.posts)`, 'desc')
          .orderBy('apps.id')
          .limit(at.apps),
      )
      .where('app_usage.day', '>=', at.from)
      .orderBy('app_usage.app_id')
      .orderBy('app_usage.day'),
)

export const removeCounted = removalBefore('removeCountedPosts', countedPosts, 'day')

export const removeAppDays = removalBefore('removeUsageOfApps', appUsage, 'day')

export const removeProjectDays = removalBefore('removeUsageOfProjects', projectUsage, 'day')
