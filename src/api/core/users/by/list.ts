import { ids } from '../../../../platform/http/schema.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { USER, username } from '../subject.ts'

const MAX_USERS = 100

/** GET /2/users/by: users by their names (core reference, 04 section 5). */
export const listUsersByUsernames = objectEndpoint({
  id: 'listUsersByUsernames',
  path: '/2/users/by',
  summary: 'Get users by their names',
  description:
    'Returns up to 100 users in the order of `usernames`. Names are not case-sensitive. Users who cannot be shown are reported in `errors`.',
  source: 'Authentication',
  auth: ['app', 'user'],
  limits: { app: '300/15m', user: '900/15m' },
  query: { usernames: ids(username('A name.'), 'Names of the users.', MAX_USERS) },
  returns: { object: 'user', count: 'many' },
  example: { data: [USER] },
  find: ({ query }) => ({ keys: query.usernames, by: 'username', parameter: 'usernames' }),
})
