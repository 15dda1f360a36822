import { objectEndpoint } from '../objects/endpoint.ts'
import { USER } from './subject.ts'

/** GET /2/users/me: the user who calls (core reference, 04 section 5). */
export const getOwnUser = objectEndpoint({
  id: 'getOwnUser',
  path: '/2/users/me',
  summary: 'Get the user of the access token',
  description: 'Returns the user whose access token signed the request.',
  source: 'Authentication',
  auth: ['user'],
  limits: { user: '75/15m' },
  returns: { object: 'user', count: 'one' },
  example: { data: USER },
  find: ({ principal }) => ({ keys: [principal.userId], parameter: 'id' }),
})
