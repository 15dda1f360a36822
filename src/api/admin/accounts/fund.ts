import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { base36, component } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { accountId, EXAMPLE } from './account.ts'
import { addFunding, FundingBody, theAccount } from './new-account.ts'

const CreatedFunding = component(
  'CreatedFunding',
  Type.Object(
    {
      id: base36('The funding instrument.'),
      account_id: accountId,
      currency: Type.String(),
      type: Type.String(),
    },
    { additionalProperties: false },
  ),
)

/** POST /admin/v1/accounts/{account_id}/funding_instruments: funds an account. */
export const fundAdminAccount = dataEndpoint({
  ...ADMIN,
  id: 'createFundingInstrument',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/funding_instruments',
  summary: 'Add a funding instrument to an account',
  description: 'Adds a funding instrument, which is valid from now on.',
  params: { account_id: accountId },
  body: FundingBody,
  status: 201,
  reply: Type.Object({ data: CreatedFunding }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { account_id: EXAMPLE.id },
    body: { currency: 'EUR', type: 'CREDIT_LINE', credit_limit_local_micro: 1_000_000_000 },
    reply: { data: { id: 'hp8kn', account_id: EXAMPLE.id, currency: 'EUR', type: 'CREDIT_LINE' } },
  },
  async handle({ params, body }, { store, ...parts }) {
    const data = await store.write(async (tx) => {
      const account = await theAccount(tx, params.account_id)
      const id = await addFunding(tx, account.id, body, parts)
      return { id, account_id: account.id, currency: body.currency, type: body.type }
    })
    return json({ data })
  },
})
