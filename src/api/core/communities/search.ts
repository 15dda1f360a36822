import { Type } from 'typebox'
import { CommunitySearch } from '../../../domain/communities/search.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { objectEndpoint } from '../objects/endpoint.ts'
import { PageMeta, pageParameters, type PagingQuery, readPage } from '../paging.ts'
import { COMMUNITY, LIMITS, SOURCE } from './community-id.ts'

const DEFAULT_RESULTS = 10
const MAX_QUERY_LENGTH = 4096

const { max_results, pagination_token } = pageParameters({
  ...{ default: DEFAULT_RESULTS, min: 10, max: 100, what: 'communities' },
})

/** GET /2/communities/search: communities whose names or descriptions have some words. */
export const searchCommunities = objectEndpoint({
  id: 'searchCommunities',
  path: '/2/communities/search',
  summary: 'Search communities',
  description:
    'Returns the communities whose name is the query, then those whose name begins with it, then those that have all words of the query in name and description: the longest word in the name, then in the description. Each group has the communities with the most members first. Case and accents are ignored.',
  source: SOURCE,
  auth: ['user'],
  limits: { user: LIMITS },
  query: {
    query: Type.String({ minLength: 1, maxLength: MAX_QUERY_LENGTH, description: 'A name, or words.' }),
    max_results,
    next_token: pagination_token,
    pagination_token,
  },
  returns: { object: 'community', count: 'many', meta: Type.Optional(PageMeta) },
  example: { data: [COMMUNITY], meta: { result_count: 1 } },
  async find({ query }, { store }) {
    const search = new CommunitySearch(store, query.query)
    const { rows, tokens } = await readPage(pagingOf(query), {
      defaultLimit: DEFAULT_RESULTS,
      read: (page) => search.read(page),
      shown: (found) => search.matching(found),
    })
    const meta = (shown: readonly unknown[]) => ({ result_count: shown.length, ...tokens })
    return { keys: rows.map(({ id }) => id), meta }
  },
})

/** Both names of the token are accepted, also at once if they agree. */
function pagingOf({ next_token, ...paging }: PagingQuery & { next_token?: string }): PagingQuery {
  const { pagination_token: other } = paging
  if (next_token === undefined) return paging
  if (other !== undefined && other !== next_token)
    throw invalid({ place: 'query', name: 'pagination_token', value: other, fault: { kind: 'invalid' } })
  return { ...paging, pagination_token: next_token }
}
