import type { UserCaller } from '../../../identity/auth/principal.ts'
import type { ApiError } from '../../../platform/http/errors.ts'
import { msg, words } from '../../../platform/http/message.ts'
import { adsApiError, rejected } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsRight } from '../../../platform/protocols/ads/endpoint.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { AccountScope, Role } from '../scope.ts'
import { accountOfUser } from './queries.ts'

/**
 * The roles that each right requires, in addition to access to the account (reference: access
 * levels).
 */
const NEEDED: Readonly<Record<Exclude<AdsRight, 'read'>, readonly Role[]>> = {
  campaigns: ['ACCOUNT_ADMIN', 'AD_MANAGER'],
  creatives: ['ACCOUNT_ADMIN', 'AD_MANAGER', 'CREATIVE_MANAGER'],
  account: ['ACCOUNT_ADMIN'],
}

/** Production and sandbox run the same code; an account belongs to only one of them. */
export const environmentOf = (host: string) => (host === 'sandbox' ? 'sandbox' : 'production')

/**
 * The account in the path, if the caller has the right that the endpoint requires. This is the only
 * place that decides it. An account that does not exist, belongs to other users, or is in the other
 * environment, is not found.
 */
export async function accountScope(
  { store, host }: { store: Pick<Store, 'first'>; host: string },
  caller: Pick<UserCaller, 'userId'>,
  { right, accountId, deletedToo }: { right: AdsRight; accountId: string; deletedToo: boolean },
): Promise<AccountScope> {
  const environment = environmentOf(host)
  const found = await store.first(accountOfUser, { id: accountId, userId: caller.userId, environment })
  if (!found || (found.deleted === 1 && !deletedToo)) throw unknownAccount(accountId)
  const roles = found.roles.split(',') as Role[]
  if (right !== 'read' && !NEEDED[right].some((role) => roles.includes(role)))
    throw adsApiError({
      code: 'ACTION_NOT_ALLOWED',
      message: msg`The user has none of the roles ${words(NEEDED[right])} on Account ${accountId}`,
    })
  return { accountId, account: found, roles }
}

/** The error for an account that does not exist for the caller. */
export const unknownAccount = (accountId: string): ApiError =>
  rejected('account_id', msg`Account ${accountId} was not found`, 'ACCOUNT_NOT_FOUND')
