import { json } from '../../../platform/http/reply-kinds.ts'
import { pageOfAccounts } from '../../ads/accounts/queries.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { PAGE_PARAMETERS, pageReply, readPage } from '../page.ts'
import { AdminAccount, EXAMPLE } from './account.ts'
import { presentAccount } from './new-account.ts'

/** GET /admin/v1/accounts: advertising accounts, in pages. */
export const listAdminAccounts = dataEndpoint({
  ...ADMIN,
  id: 'listAllAccounts',
  method: 'GET',
  path: '/admin/v1/accounts',
  summary: 'List advertising accounts',
  description: 'Lists the accounts of both environments by id, with their users; deleted ones too.',
  query: PAGE_PARAMETERS,
  reply: pageReply(AdminAccount),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle({ query }, { store }) {
    const page = await readPage(query, {
      read: ({ after = '', limit }) => store.all(pageOfAccounts, { after, limit }),
      keyOf: ({ id }) => id,
      show: (row) => presentAccount(store, row),
    })
    return json(page)
  },
})
