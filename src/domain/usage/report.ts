import type { Clock } from '../../platform/common/clock.ts'
import { objectTime } from '../../platform/common/time.ts'
import type { Store } from '../../platform/storage/store.ts'
import { DAY_MS, dayOf, monthStart } from './days.ts'
import { appDays, projectDays, projectTotals, type UsageTotals } from './queries.ts'
import type { UsageCaps } from './usage.ts'

export interface UsageReportOptions {
  readonly store: Pick<Store, 'all' | 'first'>
  readonly clock: Clock
  readonly config: UsageCaps
}

/** Maximum number of apps in a report. */
const MAX_APPS = 100

/**
 * The posts returned to the apps of a project on the last days, including today, and in this month.
 */
export async function usageReport(
  project: string,
  days: number,
  { store, clock, config }: UsageReportOptions,
) {
  const today = dayOf(clock.now())
  const from = today + 1 - days
  const [ofDays, ofApps, totals] = await Promise.all([
    store.all(projectDays, { project, from }),
    store.all(appDays, { owner: project, from, apps: MAX_APPS }),
    store.first(projectTotals, { project, day: today, from: monthStart(today, config.usageResetDay) }),
  ])
  const listed = (rows: readonly UsageDay[]) => listDays(rows, from, today)
  const cap = config.usageMonthlyPerProject
  return {
    cap_reset_day: config.usageResetDay,
    daily_client_app_usage: byApp(ofApps).map(([client_app_id, rows]) => ({
      client_app_id,
      usage: listed(rows),
      usage_result_count: days,
    })),
    daily_project_usage: { project_id: project, usage: listed(ofDays) },
    ...(Number.isFinite(cap) && { project_cap: cap }),
    project_id: project,
    project_usage: (totals as UsageTotals).month,
  }
}

interface UsageDay {
  day: number
  posts: number
}

/** The apps, those with the most posts first. */
function byApp(rows: readonly (UsageDay & { app_id: string })[]): [string, UsageDay[]][] {
  const apps = new Map<string, UsageDay[]>()
  for (const row of rows) {
    const days = apps.get(row.app_id) ?? []
    apps.set(row.app_id, days)
    days.push(row)
  }
  const sum = (days: readonly UsageDay[]) => days.reduce((total, { posts }) => total + posts, 0)
  return [...apps].sort(([, daysA], [, daysB]) => sum(daysB) - sum(daysA))
}

/** Every day, including those without posts. */
function listDays(rows: readonly UsageDay[], from: number, to: number) {
  const posts = new Map(rows.map(({ day, posts }) => [day, posts]))
  const length = to + 1 - from
  return Array.from({ length }, (_, at) => ({
    date: objectTime((from + at) * DAY_MS),
    usage: posts.get(from + at) ?? 0,
  }))
}
