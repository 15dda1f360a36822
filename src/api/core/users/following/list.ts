import { targetsOf } from '../../../../identity/relations/queries.ts'
import { listOfUser } from '../../object-lists.ts'

/** GET /2/users/{id}/following. */
export const listFollowing = listOfUser({
  id: 'listFollowing',
  segment: 'following',
  summary: 'List the users that a user follows',
  description:
    'Returns the users that a user follows, most recent follow first. For a protected user, the list is visible only to the user and their followers.',
  scopes: ['post.read', 'users.read', 'follow.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 1000 },
  limits: { app: '15/15m', user: '15/15m' },
  read: (store, of, { direction, ...args }) =>
    store.all(targetsOf[direction], { of, kind: 'follow', ...args }),
})
