import { communitiesByIds, communitiesOfUser } from '../../../domain/communities/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, placeOfId, readPage } from '../page.ts'
import { userName } from '../users/user.ts'
import { AdminCommunity, EXAMPLE, presentCommunity } from './community.ts'

/** GET /admin/v1/users/{user}/communities: the communities of a user. */
export const listCommunitiesOfUser = dataEndpoint({
  ...ADMIN,
  id: 'listCommunitiesOfUser',
  method: 'GET',
  path: '/admin/v1/users/{user}/communities',
  summary: 'List the communities of a user',
  description: 'Lists the communities that a user is a member of, those that the user joined last first.',
  params: { user: userName('Id or screen name.') },
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminCommunity),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { user: 'ann' }, reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ params, query }, { store }) {
    const { id: of } = await theUser(store, params.user)
    const page = await readPage(query, {
      read: ({ after, limit }) => membershipsBefore(store, { of, id: placeOfId(after), limit }),
      keyOf: ({ id }) => id,
      show: ({ row }) => row && presentCommunity(row),
    })
    return json(page)
  },
})

/** The memberships of a user before an id, with their communities: a deleted one has some left. */
async function membershipsBefore(store: Store, place: { of: string; id: string; limit: number }) {
  const page = await store.all(communitiesOfUser.older, place)
  const ids = JSON.stringify(page.map(({ other }) => other))
  const rows = new Map((await store.all(communitiesByIds, { ids })).map((row) => [row.id, row]))
  return page.map(({ id, other }) => ({ id, row: rows.get(other) }))
}
