import { pageOfSpaces } from '../../../domain/spaces/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { AdminSpace, EXAMPLE, presentSpace } from './space.ts'

/** GET /admin/v1/spaces: spaces, in pages. */
export const listAdminSpaces = dataEndpoint({
  ...ADMIN,
  id: 'listSpaces',
  method: 'GET',
  path: '/admin/v1/spaces',
  summary: 'List spaces',
  description: 'Lists all spaces, oldest first: live, scheduled and ended ones.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminSpace),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  handle: async ({ query }, { store, clock }) =>
    json(
      await readPage(query, {
        read: ({ after = '', limit }) => store.all(pageOfSpaces, { after, limit }),
        keyOf: ({ id }) => id,
        show: (row) => presentSpace(row, clock.now()),
      }),
    ),
})
