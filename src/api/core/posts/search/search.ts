import { Type } from 'typebox'
import { compareIds } from '../../../../platform/common/ids.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import type { LimitText } from '../../../../platform/http/limits.ts'
import { choice } from '../../../../platform/http/schema.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { pageOf, SearchMeta, type SearchPage, SORT_ORDERS } from './page.ts'
import { queryOf, queryParameter, searcherOf, withQueryErrors } from './query.ts'
import { positionOf, type TokenBinding, tokenOf, tokenParameters } from './token.ts'
import { type Reach, windowOf, windowParameters } from './window.ts'

const MIN_RESULTS = 10
const MAX_RESULTS_WITH_CONTEXT = 100

interface SearchDeclaration {
  reach: Reach
  id: string
  summary: string
  description: string
  auth: readonly ('app' | 'user')[]
  limits: Partial<Record<'app' | 'user', LimitText>>
  maxResults: number
}

/** Declares a search of posts (core reference, 03 section 6). */
export const searchEndpoint = ({ reach, maxResults, ...declared }: SearchDeclaration) =>
  objectEndpoint({
    ...declared,
    path: `/2/posts/search/${reach}`,
    source: 'Other core endpoints named in release notes',
    query: {
      query: queryParameter(`search/${reach}`),
      ...windowParameters,
      ...tokenParameters,
      max_results: Type.Optional(
        Type.Integer({
          minimum: MIN_RESULTS,
          maximum: maxResults,
          default: MIN_RESULTS,
          description: 'Number of posts in a page.',
        }),
      ),
      sort_order: Type.Optional(
        choice(
          [...SORT_ORDERS],
          '`recency` (the default): newest first. `relevancy`: of the newest 1,000, those with the most reactions for their age first.',
        ),
      ),
    },
    returns: { object: 'post', count: 'many', meta: SearchMeta },
    example: {
      data: [{ id: '1900000000000000001', text: 'Hello', edit_history_post_ids: ['1900000000000000001'] }],
      meta: { newest_id: '1900000000000000001', oldest_id: '1900000000000000001', result_count: 1 },
    },
    async find({ query: parameters, principal }, { search, clock, sealer, ...dependencies }, shownKeys) {
      const use = `search/${reach}` as const
      const query = queryOf(parameters.query, use, dependencies)
      const limit = parameters.max_results ?? MIN_RESULTS
      checkContext(limit, parameters)
      const order = parameters.sort_order ?? 'recency'
      const of = { sealer, use, query: parameters.query, order }
      const now = clock.now()
      const place = positionOf(parameters, { ...of, now }) ?? { window: windowOf(parameters, reach, now) }
      const request = { search, query, place, limit, shownKeys, ...searcherOf(principal) }
      const page = await withQueryErrors(parameters.query, pageOf(order, request))
      return { keys: page.ids, meta: (shown) => metaOf(shown, page, of) }
    },
  })

/** Posts with annotations are large, so their pages are small. */
function checkContext(limit: number, query: object): void {
  const fields: unknown = Reflect.get(query, 'post.fields')
  const asks = Array.isArray(fields) && fields.includes('context_annotations')
  if (asks && limit > MAX_RESULTS_WITH_CONTEXT)
    throw invalid({
      place: 'query',
      name: 'max_results',
      value: String(limit),
      fault: { kind: 'range', min: MIN_RESULTS, max: MAX_RESULTS_WITH_CONTEXT },
    })
}

function metaOf(shown: readonly { readonly id?: unknown }[], { next }: SearchPage, of: TokenBinding) {
  const ids = shown.map(({ id }) => String(id)).sort((a, b) => compareIds(b, a))
  return {
    ...(ids.length > 0 && { newest_id: ids[0], oldest_id: ids.at(-1) }),
    result_count: ids.length,
    ...(next && { next_token: tokenOf(next, of) }),
  }
}
