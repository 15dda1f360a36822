import { membersOfCommunity } from '../../../domain/communities/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { addMember, removeMember, theCommunity } from '../../../workbench/create/communities.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, placeOfId, readPage } from '../page.ts'
import { RelatedUser, relatedUser, EXAMPLE as USERS, withUsers } from '../relations/relation.ts'
import { userName } from '../users/user.ts'
import { communityId, EXAMPLE } from './community.ts'

const path = '/admin/v1/communities/{community_id}/members'
const example = { community_id: EXAMPLE.id, user: 'ann' }
const params = { community_id: communityId, user: userName('Id or screen name of the user.') }

/** GET /admin/v1/communities/{community_id}/members: its members, in pages. */
export const listMembersOfCommunity = dataEndpoint({
  ...ADMIN,
  id: 'listMembersOfCommunity',
  method: 'GET',
  path,
  summary: 'List the members of a community',
  description: 'Lists the members, those who joined last first.',
  params: { community_id: communityId },
  query: PAGE_PARAMETERS,
  reply: pageReply(RelatedUser),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { community_id: EXAMPLE.id },
    reply: { data: [USERS.user], meta: { result_count: 1 } },
  },
  async handle({ params: { community_id: of }, query }, { store }) {
    await theCommunity(store, of)
    const page = await readPage(query, {
      read: async ({ after, limit }) =>
        withUsers(
          await store.all(membersOfCommunity.older, { of, id: placeOfId(after), limit }),
          ({ other }) => other,
          store,
        ),
      keyOf: ({ id }) => id,
      show: (row) => row.user,
    })
    return json(page)
  },
})

/** PUT /admin/v1/communities/{community_id}/members/{user}: makes a user a member. */
export const addMemberOfCommunity = dataEndpoint({
  ...ADMIN,
  id: 'joinCommunity',
  method: 'PUT',
  path: `${path}/{user}`,
  summary: 'Add a member to a community',
  description: 'Makes a user a member, whatever the join policy is. Repeating it changes nothing.',
  params,
  reply: closedObject({ data: RelatedUser }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: example, reply: { data: USERS.user } },
  async handle({ params: { community_id: communityId, user: who } }, { store, ids }) {
    const user = await store.write(async (tx) => {
      const found = await theUser(tx, who)
      await addMember(tx, { communityId, user: found }, { ids })
      return found
    })
    return json({ data: relatedUser(user) })
  },
})

/** DELETE /admin/v1/communities/{community_id}/members/{user}: ends a membership. */
export const removeMemberOfCommunity = dataEndpoint({
  ...ADMIN,
  id: 'leaveCommunity',
  method: 'DELETE',
  path: `${path}/{user}`,
  summary: 'Remove a member from a community',
  description:
    'Ends a membership. The posts of the user stay in the community. Repeating it changes nothing.',
  params,
  reply: closedObject({ data: Deleted }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: example, reply: { data: { deleted: true } } },
  async handle({ params: { community_id: communityId, user } }, { store }) {
    await store.write(async (tx) => removeMember(tx, { communityId, user: await theUser(tx, user) }))
    return json({ data: { deleted: true } })
  },
})
