import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choices } from '../../../platform/http/schema.ts'
import { FEATURES } from '../../ads/accounts/feature-keys.ts'
import { changeAccount, grantFeature, revokeFeature } from '../../ads/accounts/queries.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { optional } from '../optional.ts'
import { AdminAccount, accountId, EXAMPLE } from './account.ts'
import { CHANGE_MEMBERS, presentAccount, theAccount } from './new-account.ts'

/** PUT /admin/v1/accounts/{account_id}: changes an advertising account. */
export const changeAdminAccount = dataEndpoint({
  ...ADMIN,
  id: 'changeAccount',
  method: 'PUT',
  path: '/admin/v1/accounts/{account_id}',
  summary: 'Change an advertising account',
  description:
    'Changes what the users of an account cannot change: its approval, its business and its features. Omitted members stay as they are.',
  params: { account_id: accountId },
  body: Type.Object(
    optional({
      ...CHANGE_MEMBERS,
      add_features: choices([...FEATURES], 'Features to grant.'),
      remove_features: choices([...FEATURES], 'Features to revoke.'),
    }),
    { additionalProperties: false },
  ),
  reply: Type.Object({ data: AdminAccount }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { account_id: EXAMPLE.id },
    body: { approval_status: 'REJECTED' },
    reply: { data: { ...EXAMPLE, approval_status: 'REJECTED' } },
  },
  async handle({ params, body }, { store, clock }) {
    const { add_features = [], remove_features = [], ...members } = body
    const data = await store.write(async (tx) => {
      const before = await theAccount(tx, params.account_id)
      const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
      const row = { ...before, ...given, updated_at: clock.now() }
      if (Object.keys(given).length > 0) await tx.run(changeAccount, row)
      for (const feature_key of add_features) await tx.run(grantFeature, { account_id: row.id, feature_key })
      for (const feature_key of remove_features)
        await tx.run(revokeFeature, { account_id: row.id, feature_key })
      return presentAccount(tx, row)
    })
    return json({ data })
  },
})
