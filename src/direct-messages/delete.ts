import { emit } from '../events/log.ts'
import { letGoOfMedia } from '../media/uses.ts'
import type { Transaction } from '../storage/store.ts'
import { messageDeleted } from './events.ts'
import { eventsSeenBy, hideEvent, lockConversation, removeEvent, viewersOfEvent } from './queries.ts'
import { mediaAccountOf } from './send.ts'

/**
 * Removes an event from the view of a user, and the event itself, with the use of its medium, when no one sees it any more.
 * Resolves to false when the user sees no such event.
 */
export async function deleteForUser(tx: Transaction, id: string, userId: string): Promise<boolean> {
  const row = await tx.first(eventsSeenBy, { ids: JSON.stringify([id]), viewer: userId })
  if (!row) return false
  // Of two who delete it at once, the second must see that it is the last.
  await tx.first(lockConversation, { id: row.conversation_id })
  if ((await tx.run(hideEvent, { id, viewer: userId })) === 0) return false
  if (!(await tx.first(viewersOfEvent, { id }))) {
    const used = { account: mediaAccountOf(row.sender_id), table: 'dm_events', id }
    await letGoOfMedia(used, { tx, now: tx.now })
    await tx.run(removeEvent, { id })
  }
  await emit(tx, messageDeleted, { event_id: id, conversation_id: row.conversation_id, user_id: userId })
  return true
}
