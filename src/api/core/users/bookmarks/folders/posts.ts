import { Type } from 'typebox'
import { folderOfUser, postsOfFolder } from '../../../../../domain/bookmark-folders/queries.ts'
import { isShownTo, newestVersionsSeenBy } from '../../../../../domain/posts/queries.ts'
import { timeOfId } from '../../../../../platform/common/ids.ts'
import { json } from '../../../../../platform/http/reply-kinds.ts'
import { component, id } from '../../../../../platform/http/schema.ts'
import { actionEndpoint, checkOwn } from '../../../actions.ts'
import { ID_TOKENS, PageMeta, pageParameters, readPage } from '../../../paging.ts'
import { USER } from '../../subject.ts'
import {
  caller,
  closed,
  FOLDER,
  folderId,
  LIMITS,
  MAX_RESULTS,
  noFolder,
  problems,
  SOURCE,
} from './folder.ts'

const FoldedPost = component('BookmarkedPostId', Type.Object({ id: id('The post.') }, closed))

/** GET /2/users/{id}/bookmarks/folders/{folder_id}: the ids of the posts in a folder. */
export const listPostsOfBookmarkFolder = actionEndpoint({
  id: 'listPostsOfBookmarkFolder',
  host: 'core',
  method: 'GET',
  path: '/2/users/{id}/bookmarks/folders/{folder_id}',
  summary: 'List the posts of a bookmark folder',
  description:
    'Returns the ids of the posts in a folder of the user who calls, most recently added first. Posts that the user may no longer see are omitted. A folder that does not exist is reported in `errors` with status 200.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['bookmark.read', 'post.read', 'users.read'],
  limits: LIMITS,
  params: { id: caller, folder_id: folderId },
  query: pageParameters({ default: MAX_RESULTS, min: 1, max: MAX_RESULTS, what: 'posts', tokens: ID_TOKENS }),
  reply: Type.Object(
    {
      data: Type.Optional(Type.Array(FoldedPost)),
      errors: problems,
      meta: Type.Optional(PageMeta),
    },
    closed,
  ),
  example: {
    params: { id: USER.id, folder_id: FOLDER.id },
    reply: { data: [{ id: '1900000000000000001' }], meta: { result_count: 1 } },
  },
  async handle({ principal, params, query }, { store, naming }) {
    const { userId: user } = principal
    checkOwn(principal, 'id', params.id)
    const folder = await store.first(folderOfUser, { id: params.folder_id, user })
    if (!folder) return json({ errors: [noFolder(params.folder_id, naming)] })
    /** The newest versions of the posts, by their first ones. */
    const newest = new Map<string, string>()
    const { rows, tokens } = await readPage(query, {
      tokens: ID_TOKENS,
      defaultLimit: MAX_RESULTS,
      async read({ direction, id: from, limit }) {
        const found = await store.all(postsOfFolder[direction], { of: folder.id, id: from, limit })
        return found.map((row) => ({ ...row, created_at: timeOfId(row.id) }))
      },
      async shown(entries) {
        const ids = JSON.stringify(entries.map(({ other }) => other))
        for (const post of await store.all(newestVersionsSeenBy, { ids, viewer: user }))
          if (isShownTo(post, user)) newest.set(post.first_version_id, post.id)
        return entries.filter(({ other }) => newest.has(other))
      },
    })
    const data = rows.map(({ other }) => ({ id: newest.get(other) ?? other }))
    return json({ ...(data.length > 0 && { data }), meta: { result_count: data.length, ...tokens } })
  },
})
