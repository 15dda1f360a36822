import { pageOfSources } from '../../../../domain/broadcasts/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../../page.ts'
import { AdminBroadcastSource, EXAMPLE, presentSource } from './source.ts'

/** GET /admin/v1/broadcast-sources: sources of broadcasts, in pages. */
export const listBroadcastSources = dataEndpoint({
  ...ADMIN,
  id: 'listBroadcastSources',
  method: 'GET',
  path: '/admin/v1/broadcast-sources',
  summary: 'List sources of broadcasts',
  description: 'Lists the sources of all users, in the order of their ids.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminBroadcastSource),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  handle: async ({ query }, { store }) =>
    json(
      await readPage(query, {
        read: ({ after = '', limit }) => store.all(pageOfSources, { after, limit }),
        keyOf: ({ id }) => id,
        show: presentSource,
      }),
    ),
})
