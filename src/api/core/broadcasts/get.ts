import { objectEndpoint } from '../objects/endpoint.ts'
import { BROADCAST, broadcastId, LIMITS, READ_SCOPES, SOURCE } from './subject.ts'

/** GET /2/broadcasts/{id}: a broadcast of the caller. */
export const getBroadcast = objectEndpoint({
  id: 'getBroadcast',
  path: '/2/broadcasts/{id}',
  summary: 'Get a broadcast',
  description:
    'Returns a broadcast of the user. One that does not exist, or that another user has, is reported in `errors` with status 200.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId },
  returns: { object: 'broadcast', count: 'one' },
  example: { params: { id: BROADCAST.id }, data: BROADCAST },
  find: ({ params }) => ({ keys: [params.id], parameter: 'id' }),
})
