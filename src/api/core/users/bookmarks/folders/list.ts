import { Type } from 'typebox'
import { foldersOfUser } from '../../../../../domain/bookmark-folders/queries.ts'
import { timeOfId } from '../../../../../platform/common/ids.ts'
import { json } from '../../../../../platform/http/reply-kinds.ts'
import { actionEndpoint, checkOwn } from '../../../actions.ts'
import { ID_TOKENS, PageMeta, pageParameters, readPage } from '../../../paging.ts'
import { USER } from '../../subject.ts'
import { caller, closed, FOLDER, Folder, LIMITS, MAX_RESULTS, SOURCE } from './folder.ts'

/** GET /2/users/{id}/bookmarks/folders. */
export const listBookmarkFolders = actionEndpoint({
  id: 'listBookmarkFolders',
  host: 'core',
  method: 'GET',
  path: '/2/users/{id}/bookmarks/folders',
  summary: 'List bookmark folders',
  description: 'Returns the bookmark folders of the user who calls, newest first.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['bookmark.read', 'users.read'],
  limits: LIMITS,
  params: { id: caller },
  query: pageParameters({
    default: MAX_RESULTS,
    min: 1,
    max: MAX_RESULTS,
    what: 'folders',
    tokens: ID_TOKENS,
  }),
  reply: Type.Object({ data: Type.Optional(Type.Array(Folder)), meta: PageMeta }, closed),
  example: { params: { id: USER.id }, reply: { data: [FOLDER], meta: { result_count: 1 } } },
  async handle({ principal, params, query }, { store }) {
    checkOwn(principal, 'id', params.id)
    const { rows, tokens } = await readPage(query, {
      tokens: ID_TOKENS,
      defaultLimit: MAX_RESULTS,
      async read({ direction, id, limit }) {
        const found = await store.all(foldersOfUser[direction], { of: params.id, id, limit })
        return found.map((row) => ({ ...row, created_at: timeOfId(row.id) }))
      },
    })
    const data = rows.map(({ id, other: name }) => ({ id, name }))
    return json({ ...(data.length > 0 && { data }), meta: { result_count: data.length, ...tokens } })
  },
})
