import { type Static, Type } from 'typebox'
import { base36, choice, component, nullable, time } from '../../../platform/http/schema.ts'

export const accountId = base36('The account.')

const closed = { additionalProperties: false }

/** An advertising account in replies of the admin API. */
export const AdminAccount = component(
  'AdminAccount',
  Type.Object(
    {
      id: accountId,
      environment: choice(['production', 'sandbox'], 'Where it is.'),
      name: Type.String(),
      business_name: nullable(Type.String()),
      business_id: nullable(Type.String()),
      timezone: Type.String({ description: 'IANA name.' }),
      approval_status: Type.String(),
      industry_type: nullable(Type.String()),
      deleted: Type.Boolean(),
      created_at: time('When it was opened.'),
      users: Type.Array(
        Type.Object({ screen_name: Type.String(), roles: Type.Array(Type.String()) }, closed),
      ),
      features: Type.Array(Type.String()),
    },
    closed,
  ),
)

export const CreatedAccount = component(
  'CreatedAccount',
  Type.Object(
    {
      ...AdminAccount.properties,
      funding_instrument_ids: Type.Array(base36('A funding instrument.')),
    },
    closed,
  ),
)

export const EXAMPLE: Static<typeof AdminAccount> = {
  id: '18ce54d4x5t',
  environment: 'production',
  name: 'Bridges',
  business_name: null,
  business_id: null,
  timezone: 'Europe/Berlin',
  approval_status: 'ACCEPTED',
  industry_type: null,
  deleted: false,
  created_at: '2026-03-01T12:00:00.000Z',
  users: [{ screen_name: 'ann', roles: ['ACCOUNT_ADMIN', 'POST_COMPOSER'] }],
  features: [],
}
