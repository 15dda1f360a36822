import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { CreatedAccount, EXAMPLE } from './account.ts'
import { addNewAccount, NewAccountBody, presentAccount } from './new-account.ts'

/** POST /admin/v1/accounts: opens an advertising account. */
export const createAdminAccount = dataEndpoint({
  ...ADMIN,
  id: 'createAccount',
  method: 'POST',
  path: '/admin/v1/accounts',
  summary: 'Open an advertising account',
  description:
    'Opens an advertising account of a user, in production or in the sandbox, with its users, features and funding instruments.',
  body: NewAccountBody,
  status: 201,
  reply: Type.Object({ data: CreatedAccount }, { additionalProperties: false }),
  example: {
    body: {
      name: 'Bridges',
      owner: 'ann',
      timezone: 'Europe/Berlin',
      funding: [{ currency: 'EUR', type: 'CREDIT_LINE', credit_limit_local_micro: 1_000_000_000 }],
    },
    reply: { data: { ...EXAMPLE, funding_instrument_ids: ['hp8kn'] } },
  },
  async handle({ body }, { store, ...parts }) {
    const data = await store.write(async (tx) => {
      const { row, fundingIds } = await addNewAccount(tx, body, parts)
      return { ...(await presentAccount(tx, row)), funding_instrument_ids: fundingIds }
    })
    return json({ data })
  },
})
