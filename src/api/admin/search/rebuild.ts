import { Type } from 'typebox'
import { searchRebuildRequested } from '../../../domain/search/events.ts'
import { emit } from '../../../platform/events/log.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

/** POST /admin/v1/search/rebuild: rebuilds the search index. */
export const rebuildSearch = dataEndpoint({
  ...ADMIN,
  id: 'rebuildSearch',
  method: 'POST',
  path: '/admin/v1/search/rebuild',
  summary: 'Rebuild the search index',
  description:
    'Has the index of posts built again, by a running server at once, otherwise at the next start. Until it is done, searches get 503.',
  reply: closedObject({ data: closedObject({ requested: Type.Boolean() }) }),
  example: { reply: { data: { requested: true } } },
  async handle(_call, { store }) {
    await store.write((tx) => emit(tx, searchRebuildRequested, { index: 'posts' }))
    return json({ data: { requested: true } })
  },
})
