import { keyOfPublicKey } from '../../../../domain/chat/objects.ts'
import { publicKeysOfMany } from '../../../../domain/chat/queries.ts'
import { id, ids } from '../../../../platform/http/schema.ts'
import { LIMITS, READ_SCOPES, SOURCE } from '../../chat/endpoint.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { EXAMPLE_KEY } from './example.ts'

const MAX_USERS = 100

/** GET /2/users/public_keys: the public keys of several users. */
export const listPublicKeys = objectEndpoint({
  id: 'listPublicKeys',
  path: '/2/users/public_keys',
  summary: 'List the public keys of several users',
  description:
    'Returns every version of the public keys of users, in the order of `ids`; those of one user newest first. Users without keys have none in the list.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  query: { ids: ids(id('A user.'), 'Up to 100 users.', MAX_USERS) },
  returns: { object: 'public_key', count: 'many', sendsEmpty: true },
  example: { data: [EXAMPLE_KEY] },
  async find({ query }, { store }) {
    const users = [...new Set(query.ids)]
    const rows = await store.all(publicKeysOfMany, { users: JSON.stringify(users) })
    return { keys: users.flatMap((user) => rows.filter((row) => row.user_id === user).map(keyOfPublicKey)) }
  },
})
