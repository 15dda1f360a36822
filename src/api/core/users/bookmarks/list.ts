import { bookmarkedPosts } from '../../../../domain/posts/queries.ts'
import { ownListOfUser } from '../../object-lists.ts'

/** GET /2/users/{id}/bookmarks. */
export const listBookmarks = ownListOfUser({
  id: 'listBookmarks',
  segment: 'bookmarks',
  summary: 'List bookmarks',
  description:
    'Returns the bookmarks of the user, newest first. Posts that the user may no longer see are omitted. Edited posts are returned in their newest version.',
  scopes: ['post.read', 'users.read', 'bookmark.read'],
  object: 'post',
  results: { default: 100, min: 1, max: 100 },
  limits: { user: '180/15m' },
  read: (store, of, { direction, ...args }) => store.all(bookmarkedPosts[direction], { of, ...args }),
  by: 'first_version',
})
