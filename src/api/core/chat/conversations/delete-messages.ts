import { type Static, Type } from 'typebox'
import { addEvent, hideEvent } from '../../../../domain/chat/chats.ts'
import { removeMediaByKeys } from '../../../../domain/chat/files/files.ts'
import { describesDeletion } from '../../../../domain/chat/message-event.ts'
import { chatEventSent, chatEventsSeenBy, removeChatEvents } from '../../../../domain/chat/queries.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { choice, id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { wrong } from '../../posts/wrong.ts'
import { actionOf, actionSignatures, MAX_BODY_BYTES, readSignatures } from '../body.ts'
import {
  type ChatApiDependencies,
  chatId,
  dataReply,
  endpoint,
  named,
  type OwnChat,
  PAIR_ID,
  requireMember,
  writing,
} from '../endpoint.ts'

const MAX_DELETED = 100

const Body = Type.Object({
  sequence_ids: Type.Array(id('A message.'), {
    minItems: 1,
    maxItems: MAX_DELETED,
    uniqueItems: true,
    description: 'The messages.',
  }),
  delete_message_action: choice(['delete_for_all', 'delete_for_self'], 'For whom.', 'ChatDeleteAction'),
  action_signatures: actionSignatures,
  media_hash_keys: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-zA-Z0-9]{1,50}$' }), {
      maxItems: MAX_DELETED,
      description: 'Files of the messages, with `delete_for_all`.',
    }),
  ),
})

/** POST /2/chat/conversations/{id}/messages/delete: deletes encrypted messages. */
export const deleteChatMessages = endpoint({
  ...writing,
  id: 'deleteChatMessages',
  path: '/2/chat/conversations/{id}/messages/delete',
  summary: 'Delete encrypted messages',
  description:
    'Deletes messages: for all members, those that the user sent, or any in a group of which the user is an admin; or only for the user. Messages that are gone already are passed over.',
  params: { id: chatId },
  maxBodyBytes: MAX_BODY_BYTES,
  body: Body,
  reply: dataReply('DeletedChatMessages', { deleted: Type.Boolean({ description: 'Always true.' }) }),
  errors: ['not in conversation', 'not own chat message', 'not chat medium owner'],
  example: {
    params: { id: PAIR_ID },
    body: {
      sequence_ids: ['1900000000000000070'],
      delete_message_action: 'delete_for_self',
      action_signatures: [],
    },
    reply: { data: { deleted: true } },
  },
  async handle({ principal: { userId }, params, body }, context) {
    const { id: chatKey } = named(params.id, userId)
    await context.store.write(async (tx) => {
      const own = await requireMember(tx, chatKey, userId)
      await remove(tx, body, own, context)
    })
    return json({ data: { deleted: true } })
  },
})

async function remove(
  tx: Transaction,
  body: Static<typeof Body>,
  { chat, member: { user_id: userId, is_admin } }: OwnChat,
  context: ChatApiDependencies,
): Promise<void> {
  const { sequence_ids: ids, delete_message_action: action, media_hash_keys: media = [] } = body
  const isForAll = action === 'delete_for_all'
  const actions = await readSignatures(tx, userId, body.action_signatures)
  const isDescribed = (detail: Parameters<typeof describesDeletion>[0]) =>
    describesDeletion(detail, { ids, action }) || undefined
  const { signed, bytes } = actionOf(actions, isDescribed, 'deletion')
  const seen = await tx.all(chatEventsSeenBy, { ids: JSON.stringify(ids), viewer: userId, now: tx.now })
  const rows = seen.filter((row) => row.conversation_id === chat.id && row.kind === 'message')
  const mayAny = chat.is_group === 1 && is_admin === 1
  if (isForAll && !mayAny && rows.some((row) => row.sender_id !== userId))
    throw apiError('not own chat message')
  if (!isForAll && media.length > 0)
    throw wrong('media_hash_keys', media.join(','), msg`Files are deleted for all members only.`)
  const isDone = await removeMediaByKeys(tx, { chat: chat.id, keys: media, userId, mayAny })
  if (!isDone) throw apiError('not chat medium owner')
  if (isForAll) await tx.run(removeChatEvents, { ids: JSON.stringify(rows.map((row) => row.id)) })
  else for (const row of rows) await hideEvent(tx, row.id, userId)
  const message = signed.message_id
  if (await tx.first(chatEventSent, { id: chat.id, message, sender: userId })) return
  const event = { kind: 'delete', messageId: message, senderId: userId, detail: bytes } as const
  const signature = signed.message_event_signature
  await addEvent(tx, chat, { ...event, signature, ...(!isForAll && { onlyFor: userId }) }, context)
}
