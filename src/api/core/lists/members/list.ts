import { usersOfList } from '../../../../domain/lists/queries.ts'
import { pagedUsersOfList } from '../paged.ts'

/** GET /2/lists/{id}/members. */
export const listListMembers = pagedUsersOfList({
  id: 'listListMembers',
  segment: 'members',
  summary: 'List the members of a list',
  description: 'Returns the members of a list, most recently added first. Suspended users are omitted.',
  limits: { app: '900/15m', user: '900/15m' },
  pages: usersOfList,
  args: { kind: 'member' },
})
