import type { Clock } from '../../kit/clock.ts'
import type { IdSource } from '../../kit/ids.ts'
import { nextBase36 } from '../../kit/ids.ts'
import type { Transaction } from '../../store/store.ts'
import type { AccountRow } from '../../store/tables.ts'
import { promotableUsers } from '../promotable-users/promotable-users.ts'
import type { Role } from '../scope.ts'
import { addAccount, grantFeature, putAccess } from './queries.ts'

/** What a new account is given without being asked (reference: features). */
const FIRST_FEATURES = [
  'CPI_CHARGING',
  'EVENT_TARGETING',
  'INSTALLED_APP_CATEGORY_TARGETING',
  'MOBILE_CONVERSION_TRANSACTION_VALUE',
  'OPTIMIZED_ACTION_BIDDING',
  'VIDEO_APP_DOWNLOAD_CARD',
]

export interface NewAccount {
  environment: 'production' | 'sandbox'
  name: string
  /** Who it belongs to: its administrator, and the user that it promotes. */
  ownerUserId: string
}

/** Opens an advertising account. */
export async function openAccount(
  tx: Transaction,
  { environment, name, ownerUserId }: NewAccount,
  { clock, ids }: { clock: Clock; ids: IdSource },
): Promise<AccountRow> {
  const now = clock.now()
  const row: AccountRow = {
    id: nextBase36(ids),
    environment,
    name,
    name_key: name.toLowerCase(),
    business_name: null,
    business_id: null,
    timezone: 'America/Los_Angeles',
    timezone_switch_at: null,
    approval_status: 'ACCEPTED',
    industry_type: null,
    created_at: now,
    updated_at: now,
    deleted: 0,
  }
  await tx.run(addAccount, row)
  await grantAccess(tx, {
    accountId: row.id,
    userId: ownerUserId,
    roles: ['ACCOUNT_ADMIN', 'POST_COMPOSER'],
    now,
  })
  for (const feature_key of FIRST_FEATURES) await tx.run(grantFeature, { account_id: row.id, feature_key })
  await tx.run(promotableUsers.rows.add, {
    account_id: row.id,
    id: nextBase36(ids),
    visibility: 0,
    created_at: now,
    updated_at: now,
    deleted: 0,
    user_id: ownerUserId,
    promotable_user_type: 'FULL',
  })
  return row
}

/** Lets a user work with an account, in these roles and no others. */
export const grantAccess = (
  tx: Transaction,
  {
    accountId,
    userId,
    roles,
    now,
  }: { accountId: string; userId: string; roles: readonly Role[]; now: number },
) => tx.run(putAccess, { user_id: userId, account_id: accountId, roles: roles.join(','), created_at: now })
