import type { UserRemoval } from '../../identity/users/deletion.ts'
import { dropBroadcast } from './broadcasts.ts'
import { removeMessagesOf, removeMutesOf, removeSomeMessages, removeWatchersOf } from './chat/queries.ts'
import { lockBroadcast, removeSeriesOf, someBroadcastsOf } from './queries.ts'

const ROWS_AT_ONCE = 500

/** Broadcasts, with the event of the end of one that is live. Their chats go first. */
const own: UserRemoval = async (tx, user) => {
  await tx.run(removeSeriesOf, { user })
  const [found] = await tx.all(someBroadcastsOf, { user, limit: 1 })
  const row = found && (await tx.first(lockBroadcast, { id: found.id }))
  if (!row) return false
  if ((await tx.run(removeSomeMessages, { broadcast: row.id, limit: ROWS_AT_ONCE })) < ROWS_AT_ONCE)
    await dropBroadcast(tx, row)
  return true
}

const messages: UserRemoval = async (tx, user) =>
  (await tx.run(removeMessagesOf, { user, limit: ROWS_AT_ONCE })) > 0

const watched: UserRemoval = async (tx, user) =>
  (await tx.run(removeWatchersOf, { user, limit: ROWS_AT_ONCE })) > 0

const mutes: UserRemoval = async (tx, user) => {
  await tx.run(removeMutesOf, { user })
  return false
}

/** What goes with a user of broadcasts. */
export const broadcastsOfUser: readonly UserRemoval[] = [own, messages, watched, mutes]
