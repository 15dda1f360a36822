import { pairId } from '../../../domain/direct-messages/conversation.ts'
import { addGroup, addLeaving, addMessage, openPair } from '../../../domain/direct-messages/send.ts'
import type { DmEventRow } from '../../../domain/direct-messages/tables.ts'
import { NO_APP } from '../../../domain/posts/insert.ts'
import type { ProfileRow } from '../../../identity/users/tables.ts'
import { joined, left, read, received, sent, typing } from '../kinds/direct-messages.ts'
import type { About, Making } from './maker.ts'
import { makerFor, otherThan } from './maker.ts'

const actorOf = ({ id }: ProfileRow) => ({ userId: id, appId: NO_APP })

/** Sends a message. Only the emitted activity tells of it. */
async function messageOf(from: ProfileRow, to: ProfileRow, making: Making): Promise<DmEventRow> {
  const actor = actorOf(from)
  const conversation = await openPair(making.tx, actor, to.id)
  const message = { text: 'This is a sample message.', medium: undefined }
  return addMessage(making.tx, { conversation, actor, message }, making)
}

/** Who acts, and the other user. */
async function bothOf(user: ProfileRow, making: Making, { direction }: About) {
  const other = await otherThan(user, making)
  return direction === 'inbound' ? ([other, user] as const) : ([user, other] as const)
}

const between = (sender: ProfileRow, recipient: ProfileRow) => ({
  conversation_id: pairId(sender.id, recipient.id),
  sender_id: sender.id,
  recipient_id: recipient.id,
})

export const messageMakers = [
  makerFor(received, async (user, making) => ({
    row: await messageOf(await otherThan(user, making), user, making),
    recipients: [user.id],
  })),
  makerFor(sent, async (user, making) => {
    const other = await otherThan(user, making)
    return { row: await messageOf(user, other, making), recipients: [other.id] }
  }),
  makerFor(joined, async (user, making) =>
    addGroup(making.tx, actorOf(user), [(await otherThan(user, making)).id], making),
  ),
  makerFor(left, async (user, making) => {
    const other = await otherThan(user, making)
    const { conversation_id: conversation } = await addGroup(making.tx, actorOf(user), [other.id], making)
    return addLeaving(making.tx, { conversation, actor: actorOf(other) }, making)
  }),
  makerFor(typing, async (user, making, about) => ({
    data: between(...(await bothOf(user, making, about))),
    at: making.clock.now(),
  })),
  makerFor(read, async (user, making, about) => {
    const [reader, other] = await bothOf(user, making, about)
    const { id } = await messageOf(other, reader, making)
    return { data: { ...between(reader, other), last_read_event_id: id }, at: making.clock.now() }
  }),
]
