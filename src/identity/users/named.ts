import type { Store } from '../../platform/storage/store.ts'
import { userByScreenName } from './queries.ts'
import type { UserRow } from './tables.ts'

/** The key of a screen name, with or without `@`, in any case. */
export const keyOfScreenName = (screenName: string) => screenName.replace(/^@/, '').toLowerCase()

export const noUser = (screenName: string) =>
  `There is no user @${screenName.replace(/^@/, '')}. Create one with "plaza user create".`

/**
 * The user with a screen name, with or without `@`, in any case.
 * @throws Error The user does not exist.
 */
export async function userNamed(store: Store, screenName: string): Promise<UserRow> {
  const user = await store.first(userByScreenName, { key: keyOfScreenName(screenName) })
  if (!user) throw new Error(noUser(screenName))
  return user
}
