import { listsByIds, usersOfList } from '../../../domain/lists/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { LIST_RELATIONS } from '../../../workbench/create/lists.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, placeOfId, readPage } from '../page.ts'
import { RelatedUser, EXAMPLE as USERS, withUsers } from '../relations/relation.ts'
import { EXAMPLE, PATH } from './list-object.ts'

/** GET /admin/v1/lists/{list_id}/{relation}: members, followers, or users with a pin. */
export const listUsersOfList = dataEndpoint({
  ...ADMIN,
  id: 'listUsersOfList',
  method: 'GET',
  path: '/admin/v1/lists/{list_id}/{relation}',
  summary: 'List the members, the followers or the pins of a list',
  description: 'Lists the users, most recent first.',
  params: { list_id: PATH.list_id, relation: PATH.relation },
  query: PAGE_PARAMETERS,
  reply: pageReply(RelatedUser),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { list_id: EXAMPLE.id, relation: 'members' },
    reply: { data: [USERS.user], meta: { result_count: 1 } },
  },
  async handle({ params: { list_id: of, relation }, query }, { store }) {
    const [list] = await store.all(listsByIds, { ids: JSON.stringify([of]) })
    if (!list) throw new NotThere(`There is no list ${of}.`)
    const kind = LIST_RELATIONS[relation]
    const page = await readPage(query, {
      read: async ({ after, limit }) =>
        withUsers(
          await store.all(usersOfList.older, { of, kind, id: placeOfId(after), limit }),
          ({ other }) => other,
          store,
        ),
      keyOf: ({ id }) => id,
      show: (row) => row.user,
    })
    return json(page)
  },
})
