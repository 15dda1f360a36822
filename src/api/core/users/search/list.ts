import { Type } from 'typebox'
import { UserSearch } from '../../../../domain/users/search.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { PageMeta, pageParameters, readPage } from '../../paging.ts'
import { USER } from '../subject.ts'

const MAX_RESULTS = 1_000
const DEFAULT_RESULTS = 100

const { max_results, pagination_token } = pageParameters({
  default: DEFAULT_RESULTS,
  min: 1,
  max: MAX_RESULTS,
  what: 'users',
})

/** GET /2/users/search: users whose names or descriptions have some words. */
export const searchUsers = objectEndpoint({
  id: 'searchUsers',
  path: '/2/users/search',
  summary: 'Search users',
  description:
    'Returns the users who have, for each word of the query, a word that begins with it: the username or a part of it, a word of the name, or a word of the description. Case, accents and apostrophes are ignored; a longer word of a description is found by its first four characters or more. The user with exactly this username is first, then matches in usernames, names and descriptions, each with the most followers first; for several words, the place of the longest word counts. Suspended users and those who block the caller are not found.',
  source: 'Core reference, 06 section 4',
  auth: ['user'],
  limits: { user: '900/15m' },
  query: {
    query: Type.String({ pattern: "^[A-Za-z0-9_' ]{1,50}$", description: 'Words.' }),
    max_results,
    next_token: pagination_token,
  },
  returns: { object: 'user', count: 'many', meta: Type.Optional(PageMeta) },
  example: { data: [USER], meta: { result_count: 1 } },
  async find({ principal: { userId }, query }, { store }) {
    const search = new UserSearch(store, query.query)
    const paging = {
      ...(query.max_results !== undefined && { max_results: query.max_results }),
      ...(query.next_token !== undefined && { pagination_token: query.next_token }),
    }
    const { rows, tokens } = await readPage(paging, {
      defaultLimit: DEFAULT_RESULTS,
      read: (page) => search.read(page),
      shown: (found) => search.matching(found, userId),
    })
    const meta = (shown: readonly unknown[]) => ({ result_count: shown.length, ...tokens })
    return { keys: rows.map(({ id }) => id), meta }
  },
})
