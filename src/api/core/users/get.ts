import { id } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { USER } from './subject.ts'

/** GET /2/users/{id}: one user (core reference, 04 section 5). */
export const getUser = objectEndpoint({
  id: 'getUser',
  path: '/2/users/{id}',
  summary: 'Get a user',
  description:
    'Returns one user. A user who does not exist, or is suspended, is reported in `errors` with status 200.',
  source: 'Authentication',
  auth: ['app', 'user'],
  limits: { app: '300/15m', user: '900/15m' },
  params: { id: id('The user.') },
  returns: { object: 'user', count: 'one' },
  example: { params: { id: USER.id }, data: USER },
  find: ({ params }) => ({ keys: [params.id], parameter: 'id' }),
})
