import { ids } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { SPACE, spaceId, spaceRead } from './space.ts'

const MAX_SPACES = 100

/** GET /2/spaces: spaces by their ids. */
export const listSpaces = objectEndpoint({
  ...spaceRead,
  id: 'listSpaces',
  path: '/2/spaces',
  summary: 'Get spaces by their ids',
  description:
    'Returns up to 100 spaces in the order of `ids`. Those that do not exist, or that the caller may not see, are reported in `errors`.',
  query: { ids: ids(spaceId, 'The spaces.', MAX_SPACES) },
  returns: { object: 'space', count: 'many' },
  example: { data: [SPACE] },
  find: ({ query }) => ({ keys: query.ids, parameter: 'ids' }),
})
