import type { UserRemoval } from '../../identity/users/deletion.ts'
import { removeAccountSubscriptionsTo } from './account/queries.ts'
import { removeSomeSubscriptionsTo } from './queries.ts'

const SUBSCRIPTIONS_AT_ONCE = 500

/** The subscriptions of all apps to a deleted user. */
export const subscriptionsRemoval: UserRemoval = async (tx, user) => {
  await tx.run(removeAccountSubscriptionsTo, { user })
  return (await tx.run(removeSomeSubscriptionsTo, { user, limit: SUBSCRIPTIONS_AT_ONCE })) > 0
}
