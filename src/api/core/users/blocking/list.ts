import { targetsOf } from '../../../../identity/relations/queries.ts'
import { ownListOfUser } from '../../object-lists.ts'

/** GET /2/users/{id}/blocking. */
export const listBlocking = ownListOfUser({
  id: 'listBlocking',
  segment: 'blocking',
  summary: 'List the users that the user blocks',
  description: 'Returns the users that the user blocks, most recent first.',
  scopes: ['post.read', 'users.read', 'block.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 1000 },
  limits: { user: '15/15m' },
  read: (store, of, { direction, ...args }) =>
    store.all(targetsOf[direction], { of, kind: 'block', ...args }),
})
