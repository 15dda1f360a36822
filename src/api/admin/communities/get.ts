import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { theCommunity } from '../../../workbench/create/communities.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminCommunity, communityId, EXAMPLE, presentCommunity } from './community.ts'

/** GET /admin/v1/communities/{community_id}: one community. */
export const readCommunity = dataEndpoint({
  ...ADMIN,
  id: 'getAnyCommunity',
  method: 'GET',
  path: '/admin/v1/communities/{community_id}',
  summary: 'Get a community',
  description: 'Returns one community.',
  params: { community_id: communityId },
  reply: closedObject({ data: AdminCommunity }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { community_id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  handle: async ({ params: { community_id: id } }, { store }) =>
    json({ data: presentCommunity(await theCommunity(store, id)) }),
})
