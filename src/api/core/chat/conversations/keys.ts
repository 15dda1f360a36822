import { Type } from 'typebox'
import { addEvent, openLocked } from '../../../../domain/chat/chats.ts'
import { isGroupId, type NamedChat, pairOf, withColon } from '../../../../domain/chat/ids.ts'
import { chatEventSent, membersOfChats } from '../../../../domain/chat/queries.ts'
import type { ChatConversationRow, ChatEventRow } from '../../../../domain/chat/tables.ts'
import { profilesByIds } from '../../../../identity/users/queries.ts'
import { compareIds } from '../../../../platform/common/ids.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import {
  actionSignatures,
  keyRotation,
  MAX_BODY_BYTES,
  participantKeys,
  readKeyChange,
  readSignatures,
  requireNumber,
  type SignedAction,
  version,
} from '../body.ts'
import {
  type ChatApiDependencies,
  chatId,
  closedTo,
  dataReply,
  endpoint,
  named,
  PAIR_ID,
  requireMember,
  writing,
} from '../endpoint.ts'

/** POST /2/chat/conversations/{id}/keys: the first key of a conversation of two, or a new one. */
export const addChatKeys = endpoint({
  ...writing,
  id: 'addChatKeys',
  path: '/2/chat/conversations/{id}/keys',
  summary: 'Change the key of an encrypted conversation',
  description:
    'Adds a version of the key of a conversation, encrypted for each member. The first one begins a conversation of two users: the other must accept messages from the user. The version must be higher than the present one. Sending the same change again changes nothing.',
  params: { id: chatId },
  maxBodyBytes: MAX_BODY_BYTES,
  body: Type.Object({
    conversation_key_version: version('Version of the key, usually the time in milliseconds.'),
    conversation_participant_keys: participantKeys,
    action_signatures: Type.Optional(actionSignatures),
    base64_encoded_key_rotation: keyRotation,
  }),
  reply: dataReply('AddedChatKeys', {
    conversation_id: Type.String({ description: 'The conversation.' }),
    sequence_id: id('The event of the change.'),
  }),
  errors: ['not in conversation', 'cannot message user', 'chat key not newer'],
  example: {
    params: { id: PAIR_ID },
    body: { conversation_key_version: '1767225600000', conversation_participant_keys: [] },
    reply: { data: { conversation_id: PAIR_ID, sequence_id: '1900000000000000070' } },
  },
  async handle({ principal: { userId }, params, body }, context) {
    const row = await context.store.write(async (tx) => {
      const { chat, members } = await openFor(tx, named(params.id, userId), userId, context)
      const actions = await readSignatures(tx, userId, body.action_signatures)
      const change = {
        version: requireNumber('conversation_key_version', body.conversation_key_version),
        keys: body.conversation_participant_keys,
      }
      const action = await readKeyChange(tx, change, { members, actions })
      return addKeyChange(tx, chat, { action, version: change.version, userId }, context)
    })
    return json({ data: { conversation_id: row.conversation_id, sequence_id: row.id } })
  },
})

/** Locks the conversation of which the key changes. One of two users begins with its first key. */
async function openFor(
  tx: Transaction,
  { id: chatKey, other }: NamedChat,
  userId: string,
  context: ChatApiDependencies,
): Promise<{ chat: ChatConversationRow; members: string[] }> {
  if (other === undefined || isGroupId(chatKey)) {
    const { chat } = await requireMember(tx, chatKey, userId)
    return { chat, members: await memberIds(tx, chatKey) }
  }
  const known = await tx.all(profilesByIds, { ids: JSON.stringify([other]) })
  const explanation = msg`There is no user with the id ${other}.`
  if (known.length === 0)
    throw invalid({ place: 'path', name: 'id', value: other, fault: { kind: 'rule', explanation } })
  if ((await closedTo(tx, userId, [other])).length > 0)
    throw apiError('cannot message user', `closed to the sender: ${other}`)
  const members = [...new Set([userId, other])]
  const pair = { id: pairOf(userId, other), creatorId: userId, isGroup: false, members, admins: [] }
  return { chat: await openLocked(tx, pair, context), members }
}

export const memberIds = async (tx: Pick<Transaction, 'all'>, chat: string): Promise<string[]> =>
  (await tx.all(membersOfChats, { ids: JSON.stringify([chat]) })).map(({ user_id }) => user_id)

interface NewKey {
  action: SignedAction
  version: string
  userId: string
}

/** Adds a key change. A client that did not receive the reply sends it again. */
export async function addKeyChange(
  tx: Transaction,
  chat: ChatConversationRow,
  { action: { signed, bytes }, version: key, userId }: NewKey,
  context: ChatApiDependencies,
): Promise<ChatEventRow> {
  const message = signed.message_id
  const sent = await tx.first(chatEventSent, { id: chat.id, message, sender: userId })
  if (sent?.kind === 'key' && sent.key_version === key) return sent
  if (compareIds(key, chat.key_version) <= 0)
    throw apiError('chat key not newer', `${withColon(chat.id)} has ${chat.key_version}, not ${key}`)
  const { row } = await addEvent(
    tx,
    chat,
    {
      ...{ kind: 'key', messageId: message, senderId: userId, detail: bytes, keyVersion: key },
      signature: signed.message_event_signature,
    },
    context,
  )
  return row
}
