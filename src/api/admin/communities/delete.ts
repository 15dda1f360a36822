import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { removeAnyCommunity } from '../../../workbench/create/communities.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { communityId, EXAMPLE } from './community.ts'

/** DELETE /admin/v1/communities/{community_id}: deletes a community. */
export const deleteAnyCommunity = dataEndpoint({
  ...ADMIN,
  id: 'deleteCommunity',
  method: 'DELETE',
  path: '/admin/v1/communities/{community_id}',
  summary: 'Delete a community',
  description:
    'Deletes a community and its memberships. Its posts stay: those that were not shared with followers are shown to their authors only.',
  params: { community_id: communityId },
  reply: closedObject({ data: Deleted }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { community_id: EXAMPLE.id }, reply: { data: { deleted: true } } },
  async handle({ params: { community_id: id } }, { store }) {
    await store.write((tx) => removeAnyCommunity(tx, id))
    return json({ data: { deleted: true } })
  },
})
