import { id, ids } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { USER } from './subject.ts'

const MAX_USERS = 100

/** GET /2/users: users by their ids (core reference, 04 section 5). */
export const listUsers = objectEndpoint({
  id: 'listUsers',
  path: '/2/users',
  summary: 'Get users by their ids',
  description:
    'Returns up to 100 users in the order of `ids`. Those who cannot be shown are reported in `errors`.',
  source: 'Authentication',
  auth: ['app', 'user'],
  limits: { app: '300/15m', user: '900/15m' },
  query: { ids: ids(id('A user.'), 'The users.', MAX_USERS) },
  returns: { object: 'user', count: 'many' },
  example: { data: [USER] },
  find: ({ query }) => ({ keys: query.ids, parameter: 'ids' }),
})
