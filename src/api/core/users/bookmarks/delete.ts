import { Type } from 'typebox'
import { unbookmark } from '../../../../domain/posts/engagement.ts'
import { undoEndpoint } from '../reaction.ts'

/** DELETE /2/users/{id}/bookmarks/{post_id}. */
export const unbookmarkPost = undoEndpoint({
  id: 'unbookmarkPost',
  segment: 'bookmarks',
  parameter: 'post_id',
  summary: 'Remove a bookmark',
  description: 'Removes a post from the bookmarks of the user. Repeating the call changes nothing.',
  scopes: ['post.read', 'users.read', 'bookmark.write'],
  limits: { user: '50/15m' },
  data: { name: 'Unbookmarked', members: { bookmarked: Type.Boolean() }, example: { bookmarked: false } },
  async change(reaction) {
    await unbookmark(reaction)
    return { bookmarked: false }
  },
})
