import { Type } from 'typebox'
import { addToFolder, folderOfUser } from '../../../../domain/bookmark-folders/queries.ts'
import { bookmark } from '../../../../domain/posts/engagement.ts'
import { lockAuthor } from '../../../../identity/users/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { closedComponent, id } from '../../../../platform/http/schema.ts'
import { actionEndpoint, actionReply, checkOwn } from '../../actions.ts'
import { lockSubject } from '../../posts/subject.ts'
import { USER } from '../subject.ts'
import { caller, folderId, LIMITS, noFolder } from './folders/folder.ts'

/** POST /2/users/{id}/bookmarks. */
export const bookmarkPost = actionEndpoint({
  id: 'bookmarkPost',
  host: 'core',
  method: 'POST',
  path: '/2/users/{id}/bookmarks',
  summary: 'Bookmark a post',
  description:
    'Bookmarks a post, and adds it to a folder. Bookmarks are visible only to the user. Repeating the call changes nothing. A post or a folder that does not exist is reported in `errors` with status 200.',
  source: 'Core reference, 00 section 6',
  auth: ['user'],
  scopes: ['post.read', 'users.read', 'bookmark.write'],
  limits: LIMITS,
  params: { id: caller },
  body: closedComponent('BookmarkBody', { post_id: id('The post.'), folder_id: Type.Optional(folderId) }),
  reply: actionReply('Bookmarked', { bookmarked: Type.Boolean() }),
  example: {
    params: { id: USER.id },
    body: { post_id: '1900000000000000001' },
    reply: { data: { bookmarked: true } },
  },
  async handle({ principal, params, body: { post_id, folder_id } }, { store, naming, ids }) {
    const { userId } = principal
    checkOwn(principal, 'id', params.id)
    const result = await store.write(async (tx) => {
      await tx.first(lockAuthor, { id: userId })
      const named = { id: post_id, parameter: 'post_id', viewer: userId }
      const found = await lockSubject(named, { store: tx, naming })
      if ('problem' in found) return { errors: [found.problem] }
      if (folder_id !== undefined) {
        const folder = await tx.first(folderOfUser, { id: folder_id, user: userId })
        if (!folder) return { errors: [noFolder(folder_id, naming)] }
        const post = found.post.first_version_id
        await tx.run(addToFolder, { folder_id: folder.id, post_id: post, user_id: userId, id: ids.next() })
      }
      await bookmark({ tx, userId, post: found.post })
      return { data: { bookmarked: true } }
    })
    return json(result)
  },
})
