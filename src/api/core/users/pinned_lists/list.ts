import { MAX_PINS } from '../../../../domain/lists/lists.ts'
import { listsOfUser } from '../../../../domain/lists/queries.ts'
import { LAST_ID } from '../../../../platform/common/ids.ts'
import { id } from '../../../../platform/http/schema.ts'
import { checkOwn } from '../../actions.ts'
import { LIST, READ_SCOPES, SOURCE } from '../../lists/subject.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { ListMeta, listMeta } from '../../spaces/space.ts'
import { USER } from '../subject.ts'

/** GET /2/users/{id}/pinned_lists. */
export const listPinnedLists = objectEndpoint({
  id: 'listPinnedLists',
  path: '/2/users/{id}/pinned_lists',
  summary: 'List the lists that the user has pinned',
  description: 'Returns the pinned lists of the user who calls, most recent first. There are at most 5.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: { user: '15/15m' },
  params: { id: id('The user who calls.') },
  returns: { object: 'list', count: 'many', meta: ListMeta },
  example: { params: { id: USER.id }, data: [LIST], meta: { result_count: 1 } },
  async find({ principal, params }, { store }) {
    checkOwn(principal, 'id', params.id)
    const args = { of: params.id, kind: 'pin', id: LAST_ID, limit: MAX_PINS } as const
    const rows = await store.all(listsOfUser.older, args)
    return { keys: rows.map((row) => row.other), meta: listMeta }
  },
})
