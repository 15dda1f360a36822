import type { Clock } from '../../../platform/common/clock.ts'
import { type IdSource, nextBase36 } from '../../../platform/common/ids.ts'
import type { Transaction } from '../../../platform/storage/store.ts'
import { nameKey } from '../name-key.ts'
import { promotableUsers } from '../promotable-users/promotable-users.ts'
import { ROLES, type Role } from '../scope.ts'
import { FIRST_FEATURES } from './feature-keys.ts'
import { addAccount, grantFeature, putAccess } from './queries.ts'
import type { AccountRow } from './tables.ts'

export interface NewAccount {
  environment: 'production' | 'sandbox'
  name: string
  /** The user that it belongs to, who is its administrator and whom it promotes. */
  ownerUserId: string
  /** IANA name. */
  timezone?: string
}

/** The default time zone of an account (reference: accounts). */
const TIMEZONE = 'America/Los_Angeles'

/** Creates an advertising account. */
export async function openAccount(
  tx: Transaction,
  { environment, name, ownerUserId, timezone = TIMEZONE }: NewAccount,
  { clock, ids }: { clock: Clock; ids: IdSource },
): Promise<AccountRow> {
  const now = clock.now()
  const row: AccountRow = {
    id: nextBase36(ids),
    environment,
    name,
    name_key: nameKey(name),
    business_name: null,
    business_id: null,
    timezone,
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

/** Sets the roles of a user in an account. */
export const grantAccess = (
  tx: Transaction,
  {
    accountId,
    userId,
    roles,
    now,
  }: { accountId: string; userId: string; roles: readonly Role[]; now: number },
) =>
  tx.run(putAccess, {
    user_id: userId,
    account_id: accountId,
    roles: ROLES.filter((role) => roles.includes(role)).join(','),
    created_at: now,
  })

const COMPOSERS: readonly Role[] = ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER']

/**
 * Why a user cannot have these roles together; undefined if they are valid (reference: access
 * levels).
 */
export function rolesProblem(roles: readonly Role[]): string | undefined {
  if (roles.length === 0) return 'at least one role is needed'
  if (roles.includes('POST_COMPOSER') && !roles.some((role) => COMPOSERS.includes(role)))
    return `POST_COMPOSER goes together with one of ${COMPOSERS.join(', ')}`
  return undefined
}
