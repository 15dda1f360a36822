import { Type } from 'typebox'
import { createFolder } from '../../../../../domain/bookmark-folders/folders.ts'
import { json } from '../../../../../platform/http/reply-kinds.ts'
import { closedComponent } from '../../../../../platform/http/schema.ts'
import { apiError } from '../../../../../platform/protocols/catalogue.ts'
import { actionEndpoint, checkOwn } from '../../../actions.ts'
import { USER } from '../../subject.ts'
import { caller, closed, FOLDER, Folder, folderName, LIMITS, SOURCE } from './folder.ts'

/** POST /2/users/{id}/bookmarks/folders. */
export const createBookmarkFolder = actionEndpoint({
  id: 'createBookmarkFolder',
  host: 'core',
  method: 'POST',
  path: '/2/users/{id}/bookmarks/folders',
  summary: 'Create a bookmark folder',
  description:
    'Creates an empty folder for bookmarks. Folders may have the same name. A user may have 1,000.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['bookmark.write', 'users.read'],
  limits: LIMITS,
  params: { id: caller },
  body: closedComponent('BookmarkFolderBody', { name: folderName }),
  status: 201,
  reply: Type.Object({ data: Folder }, closed),
  errors: ['too many bookmark folders'],
  example: { params: { id: USER.id }, body: { name: FOLDER.name }, reply: { data: FOLDER } },
  async handle({ principal, params, body: { name } }, { store, ids }) {
    checkOwn(principal, 'id', params.id)
    const { userId } = principal
    const folder = await store.write((tx) => createFolder(tx, { userId, name }, { ids }))
    if (!folder) throw apiError('too many bookmark folders')
    return json({ data: { id: folder.id, name } })
  },
})
