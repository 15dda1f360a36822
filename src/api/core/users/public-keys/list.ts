import { keyOfPublicKey } from '../../../../domain/chat/objects.ts'
import { publicKeysOfMany } from '../../../../domain/chat/queries.ts'
import { id } from '../../../../platform/http/schema.ts'
import { LIMITS, READ_SCOPES, SOURCE } from '../../chat/endpoint.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { EXAMPLE_KEY } from './example.ts'

/** GET /2/users/{id}/public_keys: every version of the public keys of a user, newest first. */
export const listPublicKeysOfUser = objectEndpoint({
  id: 'listPublicKeysOfUser',
  path: '/2/users/{id}/public_keys',
  summary: 'List the public keys of a user',
  description:
    'Returns every version of the public keys of a user for encrypted chats, newest first. The list is empty for users who have none, who are suspended, or who do not exist.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  params: { id: id('The user.') },
  returns: { object: 'public_key', count: 'many', sendsEmpty: true },
  example: { params: { id: '2244994945' }, data: [EXAMPLE_KEY] },
  async find({ params }, { store }) {
    const rows = await store.all(publicKeysOfMany, { users: JSON.stringify([params.id]) })
    return { keys: rows.map(keyOfPublicKey) }
  },
})
