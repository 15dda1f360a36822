import { communitiesBeside } from '../../../domain/communities/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, placeOfId, readPage } from '../page.ts'
import { AdminCommunity, EXAMPLE, presentCommunity } from './community.ts'

/** GET /admin/v1/communities: communities, in pages. */
export const listAdminCommunities = dataEndpoint({
  ...ADMIN,
  id: 'listCommunities',
  method: 'GET',
  path: '/admin/v1/communities',
  summary: 'List communities',
  description: 'Lists all communities, in the order of their ids: those that were made last come first.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminCommunity),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  handle: async ({ query }, { store }) =>
    json(
      await readPage(query, {
        read: ({ after, limit }) => store.all(communitiesBeside.older, { id: placeOfId(after), limit }),
        keyOf: ({ id }) => id,
        show: presentCommunity,
      }),
    ),
})
