import type { UserRemoval } from '../../identity/users/deletion.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { dropBroadcast } from './broadcasts.ts'
import {
  removeMessagesOf,
  removeMutesOf,
  removeSomeMessages,
  removeSomeWatchers,
  removeWatchersOf,
} from './chat/queries.ts'
import { lockBroadcast, removeSeriesOf, someBroadcastsOf } from './queries.ts'

const ROWS_AT_ONCE = 500

/** Removes some of what others left in a broadcast. Resolves to whether nothing is left. */
async function emptied(tx: Transaction, broadcast: string): Promise<boolean> {
  for (const remove of [removeSomeMessages, removeSomeWatchers])
    if ((await tx.run(remove, { broadcast, limit: ROWS_AT_ONCE })) === ROWS_AT_ONCE) return false
  return true
}

/** Broadcasts, with the event of the end of one that is live. Chats and watchers go first. */
const own: UserRemoval = async (tx, user) => {
  await tx.run(removeSeriesOf, { user })
  const [found] = await tx.all(someBroadcastsOf, { user, limit: 1 })
  const row = found && (await tx.first(lockBroadcast, { id: found.id }))
  if (!row) return false
  if (await emptied(tx, row.id)) await dropBroadcast(tx, row)
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
