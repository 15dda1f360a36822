import type { Scope } from '../../platform/protocols/ads/account.ts'
import type { AccountRow } from './accounts/tables.ts'

/** What a user may do in an account (reference: access levels). */
export const ROLES = [
  'ACCOUNT_ADMIN',
  'AD_MANAGER',
  'CREATIVE_MANAGER',
  'CAMPAIGN_ANALYST',
  'ANALYST',
  'PARTNER_AUDIENCE_MANAGER',
  'POST_COMPOSER',
] as const

export type Role = (typeof ROLES)[number]

/** The account in the path of a call, and what its caller may do there. */
export interface AccountScope extends Scope {
  account: AccountRow
  roles: readonly Role[]
}
