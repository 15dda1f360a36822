import { objectEndpoint } from '../objects/endpoint.ts'
import { COMMUNITY, communityId, communityIdIn, LIMITS, SOURCE } from './community-id.ts'

/** GET /2/communities/{id}: one community. */
export const getCommunity = objectEndpoint({
  id: 'getCommunity',
  path: '/2/communities/{id}',
  summary: 'Get a community',
  description:
    'Returns one community, whatever its access is. A community that does not exist is reported in `errors` with status 200.',
  source: SOURCE,
  auth: ['app', 'user'],
  scopes: ['list.read', 'post.read', 'users.read'],
  limits: { app: LIMITS, user: LIMITS },
  params: { id: communityId('The community: digits, or `Community:` and the digits in base64.') },
  returns: { object: 'community', count: 'one' },
  example: { params: { id: COMMUNITY.id }, data: COMMUNITY },
  find: ({ params }) => ({ keys: [communityIdIn('path', 'id', params.id)], parameter: 'id' }),
})
