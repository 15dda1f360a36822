import { adsEndpoint } from '../endpoint.ts'
import { withDeleted } from '../entity/list.ts'
import { Account, shownAccount } from './account.ts'
import { unknownAccount } from './scope.ts'

export const getAccount = adsEndpoint({
  id: 'getAccount',
  method: 'GET',
  path: '/accounts/{account_id}',
  summary: 'Get an account',
  description: 'Returns an account. A deleted account is returned only with `with_deleted`.',
  source: 'Campaign management',
  right: 'read',
  deletedAccount: true,
  query: { with_deleted: withDeleted },
  data: Account,
  async handle({ scope, query }) {
    const { account, accountId } = scope
    if (account.deleted === 1 && !query.with_deleted) throw unknownAccount(accountId)
    return { data: shownAccount(account) }
  },
})
