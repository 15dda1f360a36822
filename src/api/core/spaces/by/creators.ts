import { spacesOfCreators } from '../../../../domain/spaces/queries.ts'
import { id, ids } from '../../../../platform/http/schema.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { ListMeta, listMeta, SPACE, spaceRead } from '../space.ts'

const MAX_USERS = 100

/** GET /2/spaces/by/creator_ids: the spaces of some users. */
export const listSpacesByCreators = objectEndpoint({
  ...spaceRead,
  id: 'listSpacesByCreators',
  path: '/2/spaces/by/creator_ids',
  summary: 'Get the spaces of users',
  description: 'Returns the live and scheduled spaces of up to 100 users, newest first. A user has up to 10.',
  query: { user_ids: ids(id('A user.'), 'The users.', MAX_USERS) },
  returns: { object: 'space', count: 'many', meta: ListMeta },
  example: { data: [SPACE], meta: { result_count: 1 } },
  async find({ query }, { store, clock }) {
    const found = { ids: JSON.stringify(query.user_ids), now: clock.now() }
    const rows = await store.all(spacesOfCreators, found)
    return { keys: rows.map((row) => row.id), meta: listMeta }
  },
})
