import { addEvent, openLocked } from '../../../domain/chat/chats.ts'
import { pairOf } from '../../../domain/chat/ids.ts'
import { messageDetail } from '../../../domain/chat/message-event.ts'
import { encodeStruct } from '../../../domain/chat/thrift.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { joined, memberAdded, type OfChatEvent, received, sent } from '../kinds/chats.ts'
import { type Making, makerFor, otherThan } from './maker.ts'

/** A message that nobody can decrypt. Only the emitted activity tells of it. */
async function messageOf(from: ProfileRow, to: ProfileRow, making: Making): Promise<OfChatEvent> {
  const { tx, ids } = making
  const members = [from.id, to.id]
  const pair = { id: pairOf(from.id, to.id), creatorId: from.id, isGroup: false, members, admins: [] }
  const chat = await openLocked(tx, pair, making)
  const create = encodeStruct({ 100: { text: 'sample' }, 101: { text: chat.key_version } })
  const detail = messageDetail(create)
  const event = { kind: 'message', messageId: ids.next(), senderId: from.id, detail } as const
  const { row } = await addEvent(tx, chat, { ...event, keyVersion: chat.key_version }, making)
  return { row }
}

/** A group that a user creates with others. */
async function groupOf(by: ProfileRow, others: readonly ProfileRow[], making: Making): Promise<OfChatEvent> {
  const { tx, ids } = making
  const users = others.map(({ id }) => id)
  const members = [by.id, ...users]
  const group = { id: `g${ids.next()}`, creatorId: by.id, isGroup: true, members, admins: [by.id] }
  const chat = await openLocked(tx, group, making)
  const change = encodeStruct({ 1: { struct: encodeStruct({ 1: { texts: members } }) } })
  const detail = encodeStruct({ 3: { struct: encodeStruct({ 1: { struct: change } }) } })
  const event = { kind: 'group', messageId: ids.next(), senderId: by.id, detail } as const
  const { row } = await addEvent(tx, chat, event, making)
  return { row, users }
}

export const chatMakers = [
  makerFor(sent, async (user, making) => messageOf(user, await otherThan(user, making), making)),
  makerFor(received, async (user, making) => messageOf(await otherThan(user, making), user, making)),
  makerFor(joined, async (user, making) => groupOf(await otherThan(user, making), [user], making)),
  makerFor(memberAdded, async (user, making) => groupOf(user, [await otherThan(user, making)], making)),
]
