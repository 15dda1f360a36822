import type { Area } from '../support/exchange.ts'
import { each, id64, integer, keep, like } from '../support/match.ts'
import * as problem from '../support/problems.ts'

const USAGE = 'GET /2/usage/posts'
const day = { date: like(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/), usage: integer }

/** Sources: core reference, 00 sections 3.2 and 5.2; 04 section 6. */
export const usage: Area = {
  name: 'usage of posts',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a post that is shown counts',
      send: 'GET /2/posts/{found_post}',
      status: 200,
      reply: { data: { id: '{found_post}', text: like(/./), edit_history_post_ids: ['{found_post}'] } },
    },
    {
      it: 'the usage of the project and of its apps',
      send: USAGE,
      query: { days: '1' },
      status: 200,
      reply: {
        data: {
          cap_reset_day: 1,
          daily_client_app_usage: each({ client_app_id: id64, usage: [day], usage_result_count: 1 }),
          daily_project_usage: { project_id: keep('project', id64), usage: [day] },
          project_cap: 10_000_000,
          project_id: '{project}',
          project_usage: integer,
        },
      },
      limit: 50,
    },
    {
      it: 'fields can be chosen, and seven days are the default',
      send: USAGE,
      query: { 'usage.fields': 'daily_project_usage' },
      status: 200,
      reply: {
        data: {
          daily_project_usage: { project_id: '{project}', usage: [day, day, day, day, day, day, day] },
        },
      },
    },
    {
      it: 'too many days',
      send: USAGE,
      query: { days: '91' },
      status: 400,
      reply: problem.invalidRequest([
        { days: ['91'] },
        'The `days` query parameter value [91] is not between 1 and 90',
      ]),
    },
    {
      it: 'a field that there is not',
      send: USAGE,
      query: { 'usage.fields': 'posts' },
      status: 400,
      reply: problem.invalidRequest([
        { 'usage.fields': ['posts'] },
        'The `usage.fields` query parameter value [posts] is not one of [cap_reset_day,daily_client_app_usage,daily_project_usage,project_cap,project_id,project_usage]',
      ]),
    },
    {
      it: 'a parameter that there is not',
      send: USAGE,
      query: { day: '1' },
      status: 400,
      reply: problem.invalidRequest([
        { day: ['1'] },
        'The query parameter [day] is not one of [days,usage.fields]',
      ]),
    },
    {
      it: 'users have no usage',
      send: USAGE,
      as: 'user',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 1.0a User Context', 'OAuth 2.0 Application-Only'),
    },
  ],
}
