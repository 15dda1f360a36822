import { targetsOf } from '../../../../identity/relations/queries.ts'
import { ownListOfUser } from '../../object-lists.ts'

/** GET /2/users/{id}/muting. */
export const listMuting = ownListOfUser({
  id: 'listMuting',
  segment: 'muting',
  summary: 'List the users that the user mutes',
  description: 'Returns the users that the user mutes, most recent first.',
  scopes: ['post.read', 'users.read', 'mute.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 1000 },
  limits: { user: '15/15m' },
  read: (store, of, { direction, ...args }) => store.all(targetsOf[direction], { of, kind: 'mute', ...args }),
})
