import { objectEndpoint } from '../objects/endpoint.ts'
import { SPACE, spaceId, spaceRead } from './space.ts'

/** GET /2/spaces/{id}: one space. */
export const getSpace = objectEndpoint({
  ...spaceRead,
  id: 'getSpace',
  path: '/2/spaces/{id}',
  summary: 'Get a space',
  description:
    'Returns one space: scheduled, live or ended. A space that does not exist, or that the caller may not see, is reported in `errors` with status 200.',
  params: { id: spaceId },
  returns: { object: 'space', count: 'one' },
  example: { params: { id: SPACE.id }, data: SPACE },
  find: ({ params }) => ({ keys: [params.id], parameter: 'id' }),
})
