import { Type } from 'typebox'
import { listTimeline } from '../../../../domain/posts/timelines/merged.ts'
import { FIRST_ID, LAST_ID } from '../../../../platform/common/ids.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { PageMeta, pageParameters, readPage } from '../../paging.ts'
import { LIST, listId, READ_SCOPES, readList, SOURCE } from '../subject.ts'
import { pageWithin, REACH, REACHING_TOKENS, tokensWithin } from './reach.ts'

const MAX_RESULTS = 100
const EVERYTHING: ReadonlySet<string> = new Set()

/** GET /2/lists/{id}/posts: the posts of the members of a list. */
export const readListTimeline = objectEndpoint({
  id: 'readListTimeline',
  path: '/2/lists/{id}/posts',
  summary: 'Get the posts of the members of a list',
  description: `Returns the posts, replies and reposts of the members of a list that the caller may see, newest first, up to the newest ${REACH}.`,
  source: SOURCE,
  auth: ['app', 'user'],
  scopes: READ_SCOPES,
  limits: { app: '900/15m', user: '900/15m' },
  params: { id: listId },
  query: pageParameters({
    default: MAX_RESULTS,
    min: 1,
    max: MAX_RESULTS,
    what: 'posts',
    tokens: REACHING_TOKENS,
  }),
  returns: { object: 'post', count: 'many', meta: Type.Optional(PageMeta) },
  example: {
    params: { id: LIST.id },
    data: [{ id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] }],
    meta: { result_count: 1 },
  },
  async find({ principal, params, query }, dependencies, shownKeys) {
    const viewer = principal.kind === 'user' ? principal.userId : undefined
    const found = await readList({ id: params.id, parameter: 'id', viewer }, dependencies)
    if ('problem' in found) return found
    const { store } = dependencies
    const page = pageWithin(query, MAX_RESULTS)
    const { rows, tokens } = await readPage(page.query, {
      defaultLimit: MAX_RESULTS,
      read: ({ direction, id, limit }) =>
        listTimeline(
          store,
          {
            of: params.id,
            viewer: viewer ?? '',
            id,
            edge: direction === 'older' ? FIRST_ID : LAST_ID,
            limit,
          },
          { direction, exclude: EVERYTHING },
        ),
      async shown(posts) {
        const keys = await shownKeys(posts.map((row) => row.id))
        return posts.filter((row) => keys.has(row.id))
      },
    })
    const meta = (shown: readonly unknown[]) => ({
      result_count: shown.length,
      ...tokensWithin(page, rows.length, tokens),
    })
    return { keys: rows.map((row) => row.id), meta }
  },
})
