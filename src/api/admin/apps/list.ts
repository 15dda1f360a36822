import { pageOfApps } from '../../../identity/apps/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { presentApp } from '../../../workbench/create/apps.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { AdminApp, EXAMPLE } from './app.ts'

/** GET /admin/v1/apps: apps, in pages. */
export const listApps = dataEndpoint({
  ...ADMIN,
  id: 'listApps',
  method: 'GET',
  path: '/admin/v1/apps',
  summary: 'List apps',
  description: 'Lists apps by id, without their keys and secrets.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminApp),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ query }, { store }) {
    const page = await readPage(query, {
      read: ({ after = '', limit }) => store.all(pageOfApps, { after, limit }),
      keyOf: ({ id }) => id,
      show: (row) => presentApp(store, row),
    })
    return json(page)
  },
})
