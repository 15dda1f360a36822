import { type Static, Type } from 'typebox'
import { addEvent, hideEvent } from '../../../../domain/chat/chats.ts'
import { removeMediaByKeys } from '../../../../domain/chat/files/files.ts'
import { describesDeletion } from '../../../../domain/chat/message-event.ts'
import { chatEventSent, chatEventsSeenBy, removeChatEvents } from '../../../../domain/chat/queries.ts'
import { msg } from '../../../../platform/http/message.ts'
import { choice, id } from '../../../../platform/http/schema.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Transaction } from '../../../../platform/storage/store.ts'
import { wrong } from '../../posts/wrong.ts'
import { actionOf, actionSignatures, readSignatures } from '../body.ts'
import type { ChatApiDependencies, OwnChat } from '../endpoint.ts'

const MAX_DELETED = 100

/** What is deleted. */
export const DeletionBody = Type.Object({
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

export async function remove(
  tx: Transaction,
  body: Static<typeof DeletionBody>,
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
