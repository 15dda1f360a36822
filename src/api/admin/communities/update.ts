import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { COMMUNITY_MEMBERS, changeAnyCommunity } from '../../../workbench/create/communities.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { optional } from '../optional.ts'
import { AdminCommunity, communityId, EXAMPLE, presentCommunity } from './community.ts'

/** PUT /admin/v1/communities/{community_id}: changes a community. */
export const changeCommunity = dataEndpoint({
  ...ADMIN,
  id: 'changeCommunity',
  method: 'PUT',
  path: '/admin/v1/communities/{community_id}',
  summary: 'Change a community',
  description:
    'Changes a community. Omitted members stay as they are. When it is closed or opened, its posts leave searches, or are found again.',
  params: { community_id: communityId },
  body: closedObject(optional(COMMUNITY_MEMBERS)),
  reply: closedObject({ data: AdminCommunity }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { community_id: EXAMPLE.id },
    body: { access: 'Closed' },
    reply: { data: { ...EXAMPLE, access: 'Closed' } },
  },
  async handle({ params: { community_id: id }, body }, { store }) {
    const row = await store.write((tx) => changeAnyCommunity(tx, id, body))
    return json({ data: presentCommunity(row) })
  },
})
