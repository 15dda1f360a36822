import { Type } from 'typebox'
import { appsOfOwner } from '../../../identity/apps/queries.ts'
import { lockAuthor } from '../../../identity/users/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { theUser } from '../../../workbench/create/find-user.ts'
import { deleteUser, HOLDINGS_AT_ONCE, whyNotDeleted } from '../../../workbench/create/users.ts'
import { accountsWithRolesOf } from '../../ads/accounts/queries.ts'
import { Deleted } from '../../core/deleted.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { userName } from './user.ts'

/** DELETE /admin/v1/users/{user}: deletes a user. */
export const deleteAnyUser = dataEndpoint({
  ...ADMIN,
  id: 'deleteAnyUser',
  method: 'DELETE',
  path: '/admin/v1/users/{user}',
  summary: 'Delete a user',
  description:
    'Deletes a user. From then on, every node treats the user as one who does not exist: lookups, searches and lists do not find the user, and tokens and sessions are rejected. Tasks remove the posts, reactions, relations, lists, notes, spaces and media of the user, and update the counts of others. Others keep the direct messages that the user sent them. The screen name is free at once; the id is never used again. The request is rejected while the user owns apps or has roles in advertising accounts.',
  params: { user: userName('Id or screen name.') },
  reply: Type.Object({ data: Deleted }, { additionalProperties: false }),
  errors: [...ADMIN.errors, 'not found', 'conflict'],
  example: { params: { user: 'ann' }, reply: { data: { deleted: true } } },
  async handle({ params }, { store, sealer }) {
    await store.write(async (tx) => {
      const { id } = await theUser(tx, params.user)
      const user = await tx.first(lockAuthor, { id })
      if (!user) throw apiError('not found', 'deleted meanwhile')
      const explanation = whyNotDeleted(user, await holdingsOf(tx, id))
      if (explanation !== undefined) throw apiError('conflict', { explanation })
      await deleteUser(tx, user, sealer)
    })
    return json({ data: { deleted: true } })
  },
})

const holdingsOf = async (tx: Transaction, id: string) => ({
  apps: (await tx.all(appsOfOwner, { owner: id, limit: HOLDINGS_AT_ONCE })).map((app) => app.id),
  accounts: (await tx.all(accountsWithRolesOf, { userId: id, limit: HOLDINGS_AT_ONCE })).map(
    (account) => account.id,
  ),
})
