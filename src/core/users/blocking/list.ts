import { targetsOf } from '../../../relations/queries.ts'
import { ownListOfUser } from '../../lists.ts'

/** GET /2/users/{id}/blocking. */
export const listBlocking = ownListOfUser({
  id: 'listBlocking',
  segment: 'blocking',
  summary: 'List whom the user blocks',
  description: 'Returns the users whom the calling user blocks, the newest first.',
  scopes: ['post.read', 'users.read', 'block.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 1000 },
  limits: { user: '15/15m' },
  read: (store, of, { direction, ...args }) =>
    store.all(targetsOf[direction], { of, kind: 'block', ...args }),
})
