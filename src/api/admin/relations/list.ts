import { targetsOf } from '../../../identity/relations/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { KIND_OF } from '../../../workbench/create/relations.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { keyOfPair, PAGE_PARAMETERS, pageReply, placeOfPair, readPage } from '../page.ts'
import { EXAMPLE, PATH, RelatedUser, withUsers } from './relation.ts'

const { user, relation } = PATH

/** GET /admin/v1/users/{user}/{relation}: whom a user follows, blocks or mutes. */
export const listRelations = dataEndpoint({
  ...ADMIN,
  id: 'listRelations',
  method: 'GET',
  path: '/admin/v1/users/{user}/{relation}',
  summary: 'List whom a user follows, blocks or mutes',
  description: 'Lists the other users, most recent first.',
  params: { user, relation },
  query: PAGE_PARAMETERS,
  reply: pageReply(RelatedUser),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { user: 'ann', relation: 'following' },
    reply: { data: [EXAMPLE.target], meta: { result_count: 1 } },
  },
  async handle({ params, query }, { store }) {
    const { id: of } = await theUser(store, params.user)
    const kind = KIND_OF[params.relation]
    const page = await readPage(query, {
      read: async ({ after, limit }) =>
        withUsers(
          await store.all(targetsOf.older, { of, kind, limit, ...placeOfPair(after) }),
          ({ id }) => id,
          store,
        ),
      keyOf: (row) => keyOfPair(row),
      show: (row) => row.user,
    })
    return json(page)
  },
})
