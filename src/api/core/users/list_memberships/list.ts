import { listsOfUser } from '../../../../domain/lists/queries.ts'
import { pagedListsOfUser } from '../../lists/paged.ts'

/** GET /2/users/{id}/list_memberships. */
export const listListMemberships = pagedListsOfUser({
  id: 'listListMemberships',
  segment: 'list_memberships',
  summary: 'List the lists that a user is a member of',
  description:
    'Returns the lists that a user was added to, most recent first: public lists, and private ones of the caller.',
  limits: { app: '75/15m', user: '75/15m' },
  pages: listsOfUser,
  args: { kind: 'member' },
})
