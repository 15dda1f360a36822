import { Type } from 'typebox'
import { bookmark } from '../../../../domain/posts/engagement.ts'
import { reactEndpoint } from '../reaction.ts'

/** POST /2/users/{id}/bookmarks. */
export const bookmarkPost = reactEndpoint({
  id: 'bookmarkPost',
  segment: 'bookmarks',
  parameter: 'post_id',
  summary: 'Bookmark a post',
  description:
    'Bookmarks a post. Bookmarks are visible only to the user. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'bookmark.write'],
  limits: { user: '50/15m' },
  data: { name: 'Bookmarked', members: { bookmarked: Type.Boolean() }, example: { bookmarked: true } },
  async change(reaction) {
    await bookmark(reaction)
    return { bookmarked: true }
  },
})
