import type { UserRemoval } from '../../identity/users/deletion.ts'
import { hideEvent } from './chats.ts'
import { dropMedia } from './files/files.ts'
import { someMediaOfChat } from './files/queries.ts'
import {
  anyMemberOf,
  lockChat,
  removeChat,
  removeGroupIdsOf,
  removeMember,
  removePublicKeys,
  someInboxOf,
  someMembershipsOf,
} from './queries.ts'

const ROWS_AT_ONCE = 20
const IDS_AT_ONCE = 500

const keys: UserRemoval = async (tx, user) => {
  await tx.run(removePublicKeys, { user })
  return (await tx.run(removeGroupIdsOf, { user, limit: IDS_AT_ONCE })) === IDS_AT_ONCE
}

/** What the user sees of conversations. The others keep what they see. */
const events: UserRemoval = async (tx, user) => {
  const found = await tx.all(someInboxOf, { user, limit: ROWS_AT_ONCE })
  // Locked in one order, so that two transactions cannot deadlock.
  const chats = [...new Set(found.map(({ conversation_id }) => conversation_id))].sort()
  for (const id of chats) await tx.first(lockChat, { id })
  for (const { event_id } of found) await hideEvent(tx, event_id, user)
  return found.length > 0
}

/** The last member who goes takes the conversation and its files along. */
const memberships: UserRemoval = async (tx, user) => {
  const [found] = await tx.all(someMembershipsOf, { user, limit: 1 })
  if (!found) return false
  const { conversation_id: id } = found
  await tx.first(lockChat, { id })
  const others = await tx.first(anyMemberOf, { id, but: user })
  if (!others) {
    const media = await tx.all(someMediaOfChat, { chat: id, limit: ROWS_AT_ONCE })
    if (media.length > 0) {
      await dropMedia(tx, media)
      return true
    }
  }
  await tx.run(removeMember, { id, user })
  if (!others) await tx.run(removeChat, { id })
  return true
}

/** What goes with a user of encrypted chats. */
export const chatsOfUser: readonly UserRemoval[] = [keys, events, memberships]
