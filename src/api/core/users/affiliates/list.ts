import { affiliatesOf } from '../../../../identity/users/queries.ts'
import { listOfUser } from '../../object-lists.ts'

/** GET /2/users/{id}/affiliates (core reference, 06 section 6). */
export const listAffiliates = listOfUser({
  id: 'listAffiliates',
  segment: 'affiliates',
  summary: 'List the users who belong to an organisation',
  description:
    'Returns the users whose profiles name the user as their organisation, newest users first. Other users have none.',
  scopes: ['post.read', 'users.read'],
  object: 'user',
  results: { default: 100, min: 1, max: 1000 },
  limits: { app: '300/15m', user: '900/15m' },
  read: (store, of, { direction, ...args }) => store.all(affiliatesOf[direction], { of, ...args }),
})
