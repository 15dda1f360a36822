import { listsOfUser } from '../../../../domain/lists/queries.ts'
import { pagedListsOfUser } from '../../lists/paged.ts'

/** GET /2/users/{id}/followed_lists. */
export const listFollowedLists = pagedListsOfUser({
  id: 'listFollowedLists',
  segment: 'followed_lists',
  summary: 'List the lists that a user follows',
  description: 'Returns the lists that a user follows, most recent follow first.',
  limits: { app: '15/15m', user: '15/15m' },
  pages: listsOfUser,
  args: { kind: 'follower' },
})
