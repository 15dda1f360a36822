import { listsByIds, listsOfOwner } from '../../../domain/lists/queries.ts'
import { compareIds } from '../../../platform/common/ids.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, placeOfId, readPage } from '../page.ts'
import { userName } from '../users/user.ts'
import { AdminList, EXAMPLE, presentList } from './list-object.ts'

/** GET /admin/v1/users/{user}/lists: the lists of a user. */
export const listLists = dataEndpoint({
  ...ADMIN,
  id: 'listLists',
  method: 'GET',
  path: '/admin/v1/users/{user}/lists',
  summary: 'List the lists of a user',
  description: 'Lists the lists that a user owns, newest first: private ones too.',
  params: { user: userName('Id or screen name.') },
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminList),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { user: 'ann' }, reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ params, query }, { store }) {
    const { id: of } = await theUser(store, params.user)
    const page = await readPage(query, {
      read: ({ after, limit }) => listsBefore(store, { of, id: placeOfId(after), limit }),
      keyOf: ({ id }) => id,
      show: presentList,
    })
    return json(page)
  },
})

async function listsBefore(store: Store, place: { of: string; id: string; limit: number }) {
  const page = await store.all(listsOfOwner.older, place)
  const rows = await store.all(listsByIds, { ids: JSON.stringify(page.map(({ id }) => id)) })
  return rows.sort((a, b) => compareIds(b.id, a.id))
}
