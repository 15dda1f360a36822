import { emit } from '../../platform/events/log.ts'
import type { Transaction } from '../../platform/storage/store.ts'
import { accountOfUser, releaseMediaOfRow } from '../media/uses.ts'
import { messageDeleted } from './events.ts'
import { eventsSeenBy, hideEvent, lockConversation, removeEvent, viewersOfEvent } from './queries.ts'

/**
 * Removes an event from the view of a user. When no one sees it any more, removes the event itself
 * and its use of media. Resolves to false when the user does not see such an event.
 */
export async function deleteForUser(tx: Transaction, id: string, userId: string): Promise<boolean> {
  const row = await tx.first(eventsSeenBy, { ids: JSON.stringify([id]), viewer: userId })
  if (!row) return false
  // Of two users who delete it at the same time, the second must see that no one else sees it.
  await tx.first(lockConversation, { id: row.conversation_id })
  if ((await tx.run(hideEvent, { id, viewer: userId })) === 0) return false
  if (!(await tx.first(viewersOfEvent, { id }))) {
    const used = { account: accountOfUser(row.sender_id), table: 'dm_events', id }
    await releaseMediaOfRow(used, { tx, now: tx.now })
    await tx.run(removeEvent, { id })
  }
  await emit(tx, messageDeleted, { event_id: id, conversation_id: row.conversation_id, user_id: userId })
  return true
}
