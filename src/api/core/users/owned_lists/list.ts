import { listsOfOwner } from '../../../../domain/lists/queries.ts'
import { pagedListsOfUser } from '../../lists/paged.ts'

/** GET /2/users/{id}/owned_lists. */
export const listOwnedLists = pagedListsOfUser({
  id: 'listOwnedLists',
  segment: 'owned_lists',
  summary: 'List the lists that a user owns',
  description: 'Returns the lists of a user, newest first. Private lists are returned to their owner only.',
  limits: { app: '15/15m', user: '15/15m' },
  pages: listsOfOwner,
  args: {},
})
