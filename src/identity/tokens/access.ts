import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { accessGranted, accessRevoked, appRevoked } from '../apps/events.ts'
import {
  grantOf,
  liveUserGrant,
  lockAccess,
  lockGivenAccess,
  moveCredentialEpoch,
  removeAppAccess,
} from '../apps/queries.ts'

/** A user, and an app that has or gets access to the account. */
export interface UserAppAccess {
  userId: string
  appId: string
}

type OauthVersion = '1.0a' | '2.0'

const accessKey = ({ userId, appId }: UserAppAccess) => ({ app_id: appId, user_id: userId })

/**
 * Gives an app access to a user. `add` writes the tokens, and resolves to the number of changed
 * rows. Here and in `endAccess`, the row of the app and the user is locked first, so that
 * concurrent changes are serialized. Resolves to whether anything was added.
 */
export async function giveAccess(
  tx: Transaction,
  access: UserAppAccess,
  { oauth, allowed, add }: { oauth: OauthVersion; allowed: string; add(): Promise<number> },
): Promise<boolean> {
  await tx.run(lockGivenAccess, { userId: access.userId, appId: access.appId, now: tx.now })
  if ((await add()) === 0) return false
  await emit(tx, accessGranted, { ...accessKey(access), oauth, allowed })
  return true
}

/**
 * Ends access on every node. `remove` deletes the tokens, and resolves to their number. If the app
 * has no other access to the user, exactly one transaction emits the event that says so. Resolves
 * to whether anything ended.
 */
export async function endAccess(
  tx: Transaction,
  access: UserAppAccess,
  { oauth, remove }: { oauth: OauthVersion; remove(): Promise<number> },
): Promise<boolean> {
  const { userId, appId } = access
  await tx.run(lockAccess, { userId, appId })
  if ((await remove()) === 0) return false
  await tx.run(moveCredentialEpoch, {})
  await emit(tx, accessRevoked, { ...accessKey(access), oauth })
  const other =
    (await tx.first(grantOf, { userId, appId })) ??
    (await tx.first(liveUserGrant, { userId, appId, now: tx.now }))
  if (other) return true
  await tx.run(removeAppAccess, { userId, appId })
  await emit(tx, appRevoked, accessKey(access))
  return true
}

/** Ends tokens that other tokens of the same transaction replace: the app keeps its access. */
export async function replaceAccess(
  tx: Transaction,
  access: UserAppAccess,
  { oauth, remove }: { oauth: OauthVersion; remove(): Promise<number> },
): Promise<void> {
  await tx.run(lockGivenAccess, { userId: access.userId, appId: access.appId, now: tx.now })
  await remove()
  await tx.run(moveCredentialEpoch, {})
  await emit(tx, accessRevoked, { ...accessKey(access), oauth })
}
