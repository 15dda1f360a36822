import { type Static, Type } from 'typebox'
import { MAX_DAYS } from '../../../domain/usage/days.ts'
import { type UsageReportOptions, usageReport } from '../../../domain/usage/report.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choices, component, id, time } from '../../../platform/http/schema.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'

const endpoint = endpointsOf<PlazaTerms<UsageReportOptions>>(protocolOf)

const DEFAULT_DAYS = 7
const closed = { additionalProperties: false }
const count = (description: string) => Type.Integer({ minimum: 0, description })

const days = Type.Array(
  component(
    'DayUsage',
    Type.Object({ date: time('Start of the day, UTC.'), usage: count('Posts.') }, closed),
  ),
  { description: 'Each day, the oldest first; the last is today.' },
)
const project = id('The project: all apps of one owner, whose id it has.')
const usage = {
  cap_reset_day: Type.Optional(count('Day of the month on which the usage of a month begins.')),
  daily_client_app_usage: Type.Optional(
    Type.Array(
      component(
        'AppUsage',
        Type.Object(
          { client_app_id: id('The app.'), usage: days, usage_result_count: count('Days of `usage`.') },
          closed,
        ),
      ),
      {
        description:
          'Apps of the project that received posts on these days: up to 100, those with the most posts first.',
      },
    ),
  ),
  daily_project_usage: Type.Optional(
    component('ProjectUsage', Type.Object({ project_id: project, usage: days }, closed)),
  ),
  project_cap: Type.Optional(
    count('Maximum number of posts that the project may receive in a month. Absent without a cap.'),
  ),
  project_id: Type.Optional(project),
  project_usage: Type.Optional(count('Number of posts that the project received this month.')),
}
const FIELDS = Object.keys(usage) as (keyof typeof usage)[]
const PostUsage = component('PostUsage', Type.Object(usage, closed))

/**
 * GET /2/usage/posts: how many posts were returned to the apps of a project (core reference, 04
 * section 6).
 */
export const getPostUsage = endpoint({
  id: 'getPostUsage',
  host: 'core',
  method: 'GET',
  path: '/2/usage/posts',
  summary: 'Get the usage of posts',
  description:
    'Returns the number of posts that the apps of the project received from lookups, searches, timelines and streams. A post counts once per app and UTC day.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '50/15m' },
  query: {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        default: DEFAULT_DAYS,
        description: 'Number of days to return, including today.',
      }),
    ),
    'usage.fields': Type.Optional(choices([...FIELDS], 'Members to return; all by default.', 'UsageField')),
  },
  reply: Type.Object({ data: PostUsage }, closed),
  example: {
    reply: {
      data: {
        cap_reset_day: 1,
        daily_client_app_usage: [
          {
            client_app_id: '1900000000000000001',
            usage: [
              { date: '2026-03-01T00:00:00.000Z', usage: 10 },
              { date: '2026-03-02T00:00:00.000Z', usage: 15 },
            ],
            usage_result_count: 2,
          },
        ],
        daily_project_usage: {
          project_id: '1900000000000000042',
          usage: [
            { date: '2026-03-01T00:00:00.000Z', usage: 10 },
            { date: '2026-03-02T00:00:00.000Z', usage: 15 },
          ],
        },
        project_cap: 10_000_000,
        project_id: '1900000000000000042',
        project_usage: 25,
      },
    },
  },
  async handle({ principal, query }, dependencies) {
    const report: Static<typeof PostUsage> = await usageReport(
      principal.app.ownerUserId,
      query.days ?? DEFAULT_DAYS,
      dependencies,
    )
    const fields = new Set<string>(query['usage.fields'] ?? FIELDS)
    return json({ data: Object.fromEntries(Object.entries(report).filter(([name]) => fields.has(name))) })
  },
})
