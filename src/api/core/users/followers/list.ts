import { sourcesOf } from '../../../../identity/relations/queries.ts'
import { listOfUser } from '../../object-lists.ts'

/** GET /2/users/{id}/followers. */
export const listFollowers = listOfUser({
  id: 'listFollowers',
  segment: 'followers',
  summary: 'List the followers of a user',
  description:
    'Returns the users who follow a user, most recent follow first. The followers of a protected user are visible only to the user and their followers.',
  scopes: ['post.read', 'users.read', 'follow.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 1000 },
  limits: { app: '15/15m', user: '15/15m' },
  read: (store, of, { direction, ...args }) =>
    store.all(sourcesOf[direction], { of, kind: 'follow', ...args }),
})
