import { releaseMediaOfAccount } from '../../../domain/media/uses.ts'
import { enqueueRemovalsOfAccount } from '../audiences/removal.ts'
import { adsEndpoint } from '../endpoint.ts'
import { Account, shownAccount } from './account.ts'
import { changeAccount, lockAccountRow } from './queries.ts'
import { unknownAccount } from './scope.ts'

export const deleteAccount = adsEndpoint({
  id: 'deleteAccount',
  host: 'sandbox',
  method: 'DELETE',
  path: '/accounts/{account_id}',
  summary: 'Delete a sandbox account',
  description:
    'Deletion is final. Nothing in the account can be accessed afterwards; the account itself is still returned with `with_deleted`.',
  source: 'Campaign management',
  right: 'account',
  data: Account,
  async handle({ scope: { accountId } }, { store, clock }) {
    const row = await store.write(async (tx) => {
      const before = await tx.first(lockAccountRow, { id: accountId })
      if (!before || before.deleted === 1) throw unknownAccount(accountId)
      const now = clock.now()
      const deleted = { ...before, deleted: 1, updated_at: now }
      await tx.run(changeAccount, deleted)
      await releaseMediaOfAccount(accountId, { tx, now })
      await enqueueRemovalsOfAccount(tx, accountId)
      return deleted
    })
    return { data: shownAccount(row) }
  },
})
