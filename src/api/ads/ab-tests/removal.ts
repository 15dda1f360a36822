import type { UserRemoval } from '../../../identity/users/deletion.ts'
import { forgetCreator, forgetUpdater } from './queries.ts'

const ROWS_AT_ONCE = 500

/** The tests of a deleted user belong to their accounts: only the user is removed from them. */
export const testsRemoval: UserRemoval = async (tx, user) => {
  const at = { user, limit: ROWS_AT_ONCE }
  return (await tx.run(forgetCreator, at)) + (await tx.run(forgetUpdater, at)) > 0
}
