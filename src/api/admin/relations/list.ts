import { targetsOf } from '../../../identity/relations/queries.ts'
import { profilesByIds } from '../../../identity/users/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { PairRow } from '../../../platform/storage/pair-pages.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { KIND_OF } from '../../../workbench/create/relations.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { keyOfPair, PAGE_PARAMETERS, pageReply, placeOfPair, readPage } from '../page.ts'
import { EXAMPLE, PATH, RelatedUser, relatedUser } from './relation.ts'

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
        withUsers(await store.all(targetsOf.older, { of, kind, limit, ...placeOfPair(after) }), store),
      keyOf: (row) => keyOfPair(row),
      show: ({ profile }) => relatedUser(profile),
    })
    return json(page)
  },
})

/** The entries with their users. */
async function withUsers(rows: readonly PairRow[], store: Store) {
  const found = await store.all(profilesByIds, { ids: JSON.stringify(rows.map(({ id }) => id)) })
  const profiles = new Map(found.map((profile) => [profile.id, profile]))
  return rows.flatMap((row) => {
    const profile = profiles.get(row.id)
    return profile ? [{ ...row, profile }] : []
  })
}
