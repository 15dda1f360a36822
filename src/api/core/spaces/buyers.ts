import { Type } from 'typebox'
import { buyersOfSpace, spacesByIds } from '../../../domain/spaces/queries.ts'
import { timeOfId } from '../../../platform/common/ids.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { notFoundProblem } from '../../../platform/protocols/problem/resource.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { ID_TOKENS, PageMeta, pageParameters, readPage } from '../paging.ts'
import { USER } from '../users/subject.ts'
import { SPACE, spaceId, spaceRead } from './space.ts'

const MAX_RESULTS = 100

/** GET /2/spaces/{id}/buyers (core reference, 06 section 9). */
export const listBuyersOfSpace = objectEndpoint({
  ...spaceRead,
  id: 'listBuyersOfSpace',
  path: '/2/spaces/{id}/buyers',
  summary: 'List who bought tickets of a space',
  description:
    'Returns the users who bought tickets of a space of the user who calls, most recent first. A space that does not exist is reported in `errors` with status 200.',
  source: 'Core reference, 06 section 9',
  auth: ['user'],
  limits: { user: '300/15m' },
  params: { id: spaceId },
  query: pageParameters({ default: MAX_RESULTS, min: 1, max: MAX_RESULTS, what: 'users', tokens: ID_TOKENS }),
  returns: { object: 'user', count: 'many', meta: Type.Optional(PageMeta) },
  errors: ['not space creator'],
  example: { params: { id: SPACE.id }, data: [USER], meta: { result_count: 1 } },
  async find({ principal: { userId }, params: { id: of }, query }, { store, naming }, shownKeys) {
    const [space] = await store.all(spacesByIds, { ids: JSON.stringify([of]) })
    if (!space)
      return {
        problem: notFoundProblem({ type: 'space', noun: 'Space', value: of, parameter: 'id' }, naming),
      }
    if (space.creator_id !== userId) throw apiError('not space creator')
    const { rows, tokens } = await readPage(query, {
      tokens: ID_TOKENS,
      defaultLimit: MAX_RESULTS,
      async read({ direction, id, limit }) {
        const found = await store.all(buyersOfSpace[direction], { of, id, limit })
        return found.map((row) => ({ ...row, created_at: timeOfId(row.id) }))
      },
      async shown(buyers) {
        const keys = await shownKeys(buyers.map(({ other }) => other))
        return buyers.filter(({ other }) => keys.has(other))
      },
    })
    const meta = (shown: readonly unknown[]) => ({ result_count: shown.length, ...tokens })
    return { keys: rows.map(({ other }) => other), meta }
  },
})
