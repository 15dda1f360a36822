import { objectEndpoint } from '../../objects/endpoint.ts'
import { USER, username } from '../subject.ts'

/** GET /2/users/by/username/{username}: one user by name (core reference, 04 section 5). */
export const getUserByUsername = objectEndpoint({
  id: 'getUserByUsername',
  path: '/2/users/by/username/{username}',
  summary: 'Get a user by name',
  description:
    'Returns one user by name. Names are not case-sensitive. A user who cannot be shown is reported in `errors`.',
  source: 'Authentication',
  auth: ['app', 'user'],
  limits: { app: '300/15m', user: '900/15m' },
  params: { username: username('Name of the user.') },
  returns: { object: 'user', count: 'one' },
  example: { params: { username: USER.username }, data: USER },
  find: ({ params }) => ({ keys: [params.username], by: 'username', parameter: 'username' }),
})
