import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { NotThere } from '../../../workbench/create/wrong.ts'
import { removeAccess } from '../../ads/accounts/queries.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from '../users/user.ts'
import { accountId, EXAMPLE } from './account.ts'
import { theAccount } from './new-account.ts'

/** DELETE /admin/v1/accounts/{account_id}/users/{user}: removes a user from an account. */
export const removeRoles = dataEndpoint({
  ...ADMIN,
  id: 'removeRoles',
  method: 'DELETE',
  path: '/admin/v1/accounts/{account_id}/users/{user}',
  summary: 'Remove a user from an account',
  description: 'Removes all roles of a user in an account.',
  params: { account_id: accountId, user: userName('Id or screen name.') },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found'],
  example: {
    params: { account_id: EXAMPLE.id, user: 'bob' },
    reply: { data: { deleted: true } },
  },
  async handle({ params }, { store }) {
    await store.write(async (tx) => {
      const account = await theAccount(tx, params.account_id)
      const user = await theUser(tx, params.user)
      const removed = await tx.run(removeAccess, { userId: user.id, account: account.id })
      if (removed === 0) throw new NotThere(`@${user.screen_name} has no access to ${account.id}.`)
    })
    return json({ data: { deleted: true } })
  },
})
