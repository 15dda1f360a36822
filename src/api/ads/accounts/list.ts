import { Type } from 'typebox'
import { base36, choice, ids } from '../../../platform/http/schema.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { type ListDeclaration, listParameters, pageQuery, readPage } from '../entity/list.ts'
import { Account, accountColumns, shownAccount } from './account.ts'
import { environmentOf } from './scope.ts'

const listed = {
  table: 'accounts_of_users',
  owner: 'user_id',
  path: '/accounts',
  filters: {
    account_ids: {
      column: 'id',
      schema: ids(base36('An account.'), 'Returns only the items with these ids.'),
    },
  },
  search: true,
  sort: { name: 'name_key' },
} as const satisfies ListDeclaration

/** Callers do not choose the environment: the host determines it. */
const ofHost: ListDeclaration = {
  ...listed,
  filters: {
    ...listed.filters,
    environment: { column: 'environment', schema: choice(['production', 'sandbox'], 'Of the host.') },
  },
}

const columns = accountColumns

export const listAccounts = adsEndpoint({
  id: 'listAccounts',
  method: 'GET',
  path: listed.path,
  summary: 'List accounts',
  description:
    'Returns the accounts in which the user has a role. Oldest first by default, by name when searched. Ids of other accounts in a filter are ignored.',
  source: 'Campaign management',
  limits: LIMITS.global,
  query: listParameters(listed),
  codes: ['EXCLUSIVE_PARAMETERS'],
  data: Type.Array(Account),
  beside: ['cursor', 'optional total'],
  async handle({ principal, query, host }, context) {
    const page = pageQuery({ ...query, environment: environmentOf(host) })
    const { rows, ...rest } = await readPage(ofHost, { owner: principal.userId, columns, page }, context)
    return { data: rows.map(shownAccount), ...rest }
  },
})
