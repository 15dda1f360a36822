import { Type } from 'typebox'
import { LAST_ID } from '../../../platform/common/ids.ts'
import { ids, long } from '../../../platform/http/schema.ts'
import { adsEndpoint } from '../endpoint.ts'
import { cursorOf, positionOf } from '../entity/cursor.ts'
import { cutToPage, paging } from '../entity/list.ts'
import { jobHeaders, StatsJob, shownJob } from './job.ts'
import { currentJobs, jobsByIds } from './queries.ts'

export const listStatsJobs = adsEndpoint({
  id: 'listStatsJobs',
  method: 'GET',
  path: '/stats/jobs/accounts/{account_id}',
  summary: 'List analytics jobs',
  description:
    'Returns jobs of the account, newest first: those that `job_ids` names, or all whose results have not expired.',
  source: 'Advertising analytics',
  right: 'read',
  query: {
    job_ids: Type.Optional(ids(long('A job.'), 'Returns only these jobs.')),
    ...paging(),
  },
  data: Type.Array(StatsJob),
  beside: ['cursor'],
  async handle({ scope, query: { job_ids, count, cursor } }, context) {
    const { store, sealer, clock } = context
    const { accountId: account } = scope
    const list = JSON.stringify(['stats jobs', account, job_ids])
    const [before = LAST_ID] = cursor === undefined ? [] : positionOf(sealer, list, cursor, 1)
    const page = { account, before: String(before), limit: Number(count) + 1 }
    const rows = job_ids
      ? await store.all(jobsByIds, { ...page, ids: JSON.stringify(job_ids) })
      : await store.all(currentJobs, { ...page, now: clock.now() })
    const last = cutToPage(rows, Number(count))
    return {
      data: rows.map((row) => shownJob(row, context)),
      next_cursor: last ? cursorOf(sealer, list, [last.id]) : null,
      headers: await jobHeaders(store, account),
    }
  },
})
