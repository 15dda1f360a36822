import type { AddedUser } from '../../../identity/users/queries.ts'
import { addGeneratedUsers, usersByScreenNames } from '../../../identity/users/queries.ts'
import type { Store } from '../../../platform/storage/store.ts'

const USERS_AT_ONCE = 1_000

/** Adds missing authors. */
export async function addMadeUpAuthors(store: Store, users: readonly AddedUser[]): Promise<void> {
  for (let at = 0; at < users.length; at += USERS_AT_ONCE) {
    const some = users.slice(at, at + USERS_AT_ONCE)
    const keys = JSON.stringify(some.map(({ screen_name_key }) => screen_name_key))
    await store.write(async (tx) => {
      const known = new Set((await tx.all(usersByScreenNames, { keys })).map((one) => one.screen_name_key))
      await addGeneratedUsers(
        tx,
        some.filter((one) => !known.has(one.screen_name_key)),
      )
    })
  }
}
