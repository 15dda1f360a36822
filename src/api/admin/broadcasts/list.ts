import { pageOfBroadcasts } from '../../../domain/broadcasts/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { AdminBroadcast, EXAMPLE, presentBroadcast } from './broadcast.ts'

/** GET /admin/v1/broadcasts: broadcasts, in pages. */
export const listAdminBroadcasts = dataEndpoint({
  ...ADMIN,
  id: 'listBroadcasts',
  method: 'GET',
  path: '/admin/v1/broadcasts',
  summary: 'List broadcasts',
  description: 'Lists the broadcasts of all users, oldest first, whatever became of them.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminBroadcast),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  handle: async ({ query }, { store, clock }) =>
    json(
      await readPage(query, {
        read: ({ after = '', limit }) => store.all(pageOfBroadcasts, { after, limit }),
        keyOf: ({ id }) => id,
        show: (row) => presentBroadcast(row, clock.now()),
      }),
    ),
})
