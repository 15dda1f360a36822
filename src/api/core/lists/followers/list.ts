import { usersOfList } from '../../../../domain/lists/queries.ts'
import { pagedUsersOfList } from '../paged.ts'

/** GET /2/lists/{id}/followers. */
export const listListFollowers = pagedUsersOfList({
  id: 'listListFollowers',
  segment: 'followers',
  summary: 'List the followers of a list',
  description: 'Returns the followers of a list, most recent follow first. Suspended users are omitted.',
  limits: { app: '180/15m', user: '180/15m' },
  pages: usersOfList,
  args: { kind: 'follower' },
})
