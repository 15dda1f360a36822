import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { AdminAccount, accountId, EXAMPLE } from './account.ts'
import { giveRoles, presentAccount, rolesMember, theAccount } from './new-account.ts'

/** PUT /admin/v1/accounts/{account_id}/users/{user}: sets the roles of a user. */
export const setRoles = dataEndpoint({
  ...ADMIN,
  id: 'setRoles',
  method: 'PUT',
  path: '/admin/v1/accounts/{account_id}/users/{user}',
  summary: 'Set the roles of a user in an account',
  description: 'Gives a user these roles in an account, and no others.',
  params: { account_id: accountId, user: userName('Id or screen name.') },
  body: Type.Object({ roles: rolesMember }, { additionalProperties: false }),
  reply: Type.Object({ data: AdminAccount }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { account_id: EXAMPLE.id, user: 'bob' },
    body: { roles: ['AD_MANAGER'] },
    reply: { data: EXAMPLE },
  },
  async handle({ params: { account_id, user }, body: { roles } }, { store, clock }) {
    const data = await store.write(async (tx) => {
      const account = await theAccount(tx, account_id)
      await giveRoles(tx, account.id, { user, member: 'user', roles, now: clock.now() })
      return presentAccount(tx, account)
    })
    return json({ data })
  },
})
