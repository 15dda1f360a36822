import { Type } from 'typebox'
import { isBlank } from '../../../platform/common/visible.ts'
import type { SentBack } from '../../../platform/http/input/read-only.ts'
import { clearable } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { adsEndpoint } from '../endpoint.ts'
import { rejectChanged } from '../entity/write.ts'
import { blankName } from '../messages.ts'
import { nameKey } from '../name-key.ts'
import { Account, accountName, accountReadOnly, industryType, shownAccount } from './account.ts'
import { changeAccount, lockAccountRow } from './queries.ts'
import { unknownAccount } from './scope.ts'
import type { AccountRow } from './tables.ts'

interface UpdateAccountInput {
  name?: string
  industry_type?: string | null
}

export const updateAccount = adsEndpoint({
  id: 'updateAccount',
  method: 'PUT',
  path: '/accounts/{account_id}',
  summary: 'Update an account',
  description:
    'Changes only the parameters that are sent. An industry type is removed by sending it empty. You can send back a whole object.',
  source: 'Campaign management',
  right: 'account',
  form: { name: Type.Optional(accountName), industry_type: Type.Optional(clearable(industryType)) },
  readOnly: accountReadOnly,
  codes: ['INVALID'],
  data: Account,
  async handle({ scope, form, sentBack }, { store, clock }) {
    if (form.name !== undefined && isBlank(form.name)) throw adsApiError(blankName(form.name))
    const row = await store.write((tx) =>
      change(tx, scope.accountId, { supplied: form, sentBack }, clock.now()),
    )
    return { data: shownAccount(row) }
  },
})

/** Nothing is written when nothing changes. */
async function change(
  tx: Transaction,
  id: string,
  { supplied, sentBack }: { supplied: UpdateAccountInput; sentBack: readonly SentBack[] },
  now: number,
): Promise<AccountRow> {
  const before = await tx.first(lockAccountRow, { id })
  // It may have been deleted since the call was authorized.
  if (!before || before.deleted === 1) throw unknownAccount(id)
  rejectChanged(sentBack, { ...before })
  const { name = before.name, industry_type = before.industry_type } = supplied
  if (name === before.name && industry_type === before.industry_type) return before
  const row = { ...before, name, name_key: nameKey(name), industry_type, updated_at: now }
  await tx.run(changeAccount, row)
  return row
}
