import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { AdminAccount, accountId, EXAMPLE } from './account.ts'
import { presentAccount, theAccount } from './new-account.ts'

/** GET /admin/v1/accounts/{account_id}: an advertising account. */
export const readAccount = dataEndpoint({
  ...ADMIN,
  id: 'readAccount',
  method: 'GET',
  path: '/admin/v1/accounts/{account_id}',
  summary: 'Get an advertising account',
  description: 'Returns an account with its users and features.',
  params: { account_id: accountId },
  reply: Type.Object({ data: AdminAccount }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { account_id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ params: { account_id } }, { store }) {
    const data = await store.write(async (tx) => presentAccount(tx, await theAccount(tx, account_id)))
    return json({ data })
  },
})
