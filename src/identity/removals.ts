import { removeAppAccess, removeRequestTokensOf, someAccessOf } from './apps/queries.ts'
import { lockUsers, someRelationsOf } from './relations/queries.ts'
import { endRelations } from './relations/relations.ts'
import { endAccessToken } from './tokens/access-tokens.ts'
import { endUserGrants } from './tokens/user-tokens.ts'
import type { UserRemoval } from './users/deletion.ts'
import { updateProfile } from './users/profile.ts'
import { someAffiliatesOf } from './users/queries.ts'

/** Other users whose relations one transaction ends. It locks them. */
const RELATIONS_AT_ONCE = 25
const APPS_AT_ONCE = 10
const AFFILIATES_AT_ONCE = 25

/** Follows, requests, blocks and mutes, in both directions. */
export const relationsOfUser: UserRemoval = async (tx, user) => {
  const found = await tx.all(someRelationsOf, { user, limit: RELATIONS_AT_ONCE })
  if (found.length === 0) return false
  const others = found.map(({ other }) => other)
  // All of them at once, so that two transactions lock them in the same order.
  await tx.all(lockUsers, { ids: JSON.stringify([user, ...others]) })
  for (const other of others) await endRelations(tx, user, other)
  return true
}

/** The users of an organization belong to none any more. */
export const affiliatesOfUser: UserRemoval = async (tx, organization) => {
  const found = await tx.all(someAffiliatesOf, { organization, limit: AFFILIATES_AT_ONCE })
  for (const { id } of found) await updateProfile(tx, id, { affiliation: null })
  return found.length > 0
}

/** The access of apps, which ends as if the user had revoked it. */
export const accessOfUser: UserRemoval = async (tx, userId) => {
  await tx.run(removeRequestTokensOf, { userId })
  const found = await tx.all(someAccessOf, { userId, limit: APPS_AT_ONCE })
  for (const { app_id: appId } of found) {
    await endAccessToken(tx, { userId, appId })
    await endUserGrants(tx, { userId, appId })
    // Access that had ended before leaves its row.
    await tx.run(removeAppAccess, { userId, appId })
  }
  return found.length > 0
}
