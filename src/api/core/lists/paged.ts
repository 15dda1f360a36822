import { type TProperties, Type } from 'typebox'
import { timeOfId } from '../../../platform/common/ids.ts'
import type { LimitText } from '../../../platform/http/limits.ts'
import { id } from '../../../platform/http/schema.ts'
import type { IdPages } from '../../../platform/storage/id-pages.ts'
import { type FindVisibleKeys, type ObjectDependencies, objectEndpoint } from '../objects/endpoint.ts'
import { ID_TOKENS, PageMeta, type PagingQuery, pageParameters, readPage } from '../paging.ts'
import { USER, whyUnknown } from '../users/subject.ts'
import { LIST, listId, READ_SCOPES, readList, SOURCE } from './subject.ts'

const MAX_RESULTS = 100

interface PagedDeclaration<Args extends object> {
  id: string
  /** The last part of the path: `members`. */
  segment: string
  summary: string
  description: string
  limits: Readonly<Record<'app' | 'user', LimitText>>
  pages: IdPages<Args>
  args: Args
}

const common = <Args extends object>(
  { id, segment, summary, description, limits }: PagedDeclaration<Args>,
  { of, what, example }: { of: 'users' | 'lists'; what: 'users' | 'lists'; example: object },
) => ({
  ...{ id, summary, description, limits },
  path: `/2/${of}/{id}/${segment}`,
  source: SOURCE,
  auth: ['app', 'user'] as const,
  scopes: READ_SCOPES,
  query: pageParameters({ default: MAX_RESULTS, min: 1, max: MAX_RESULTS, what, tokens: ID_TOKENS }),
  example: {
    params: { id: of === 'lists' ? LIST.id : USER.id },
    data: [example as TProperties],
    meta: { result_count: 1 },
  },
})

/** Reads a page of the objects that the caller sees. */
async function pageOf<Args extends object>(
  { pages, args }: PagedDeclaration<Args>,
  { of, query }: { of: string; query: PagingQuery },
  { store, shownKeys }: Pick<ObjectDependencies, 'store'> & { shownKeys: FindVisibleKeys },
) {
  const { rows, tokens } = await readPage(query, {
    tokens: ID_TOKENS,
    defaultLimit: MAX_RESULTS,
    async read({ direction, id, limit }) {
      const found = await store.all(pages[direction], { ...args, of, id, limit })
      return found.map((row) => ({ ...row, created_at: timeOfId(row.id) }))
    },
    async shown(rows) {
      const keys = await shownKeys(rows.map((row) => row.other))
      return rows.filter((row) => keys.has(row.other))
    },
  })
  const meta = (shown: readonly unknown[]) => ({ result_count: shown.length, ...tokens })
  return { keys: rows.map((row) => row.other), meta }
}

/** Declares the users of a list, for everyone who sees the list. */
export const pagedUsersOfList = <Args extends object>(declared: PagedDeclaration<Args>) =>
  objectEndpoint({
    ...common(declared, { of: 'lists', what: 'users', example: USER }),
    params: { id: listId },
    returns: { object: 'user', count: 'many', meta: Type.Optional(PageMeta) },
    async find({ principal, params, query }, dependencies, shownKeys) {
      const viewer = principal.kind === 'user' ? principal.userId : undefined
      const found = await readList({ id: params.id, parameter: 'id', viewer }, dependencies)
      if ('problem' in found) return found
      return pageOf(declared, { of: params.id, query }, { ...dependencies, shownKeys })
    },
  })

/**
 * Declares the lists of a user that the caller sees. Whoever sees a list of a protected user, sees
 * it here too.
 */
export const pagedListsOfUser = <Args extends object>(declared: PagedDeclaration<Args>) =>
  objectEndpoint({
    ...common(declared, { of: 'users', what: 'lists', example: LIST }),
    params: { id: id('The user.') },
    returns: { object: 'list', count: 'many', meta: Type.Optional(PageMeta) },
    async find({ params, query }, dependencies, shownKeys) {
      const problem = await whyUnknown(params.id, dependencies)
      if (problem) return { problem }
      return pageOf(declared, { of: params.id, query }, { ...dependencies, shownKeys })
    },
  })
