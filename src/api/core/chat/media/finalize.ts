import { Type } from 'typebox'
import { finalizeChatUpload } from '../../../../domain/chat/files/files.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { messageId, ttl, ttlIn } from '../body.ts'
import { dataReply, endpoint } from '../endpoint.ts'
import {
  conversationId,
  EXAMPLE_HASH_KEY,
  EXAMPLE_PAIR,
  hashKey,
  requireChat,
  sessionId,
  uploading,
} from './common.ts'

/** POST /2/chat/media/upload/{id}/finalize: the end of an upload of an encrypted file. */
export const finalizeChatMediaUpload = endpoint({
  ...uploading,
  id: 'finalizeChatMediaUpload',
  path: '/2/chat/media/upload/{id}/finalize',
  summary: 'End an upload of an encrypted file',
  description:
    'Makes a file of the parts, which members of the conversation may then download. Calling it again changes nothing.',
  params: { id: sessionId },
  body: Type.Object({
    conversation_id: conversationId,
    media_hash_key: hashKey,
    num_parts: Type.Optional(Type.String({ pattern: '^[0-9]{1,4}$', description: 'Number of parts.' })),
    message_id: Type.Optional(messageId),
    ttl_msec: ttl,
  }),
  reply: dataReply('FinalizedChatMedia', { success: Type.Boolean({ description: 'Always true.' }) }),
  errors: ['not in conversation', 'media not found', 'media segments wrong'],
  example: {
    params: { id: '1900000000000000080' },
    body: { conversation_id: EXAMPLE_PAIR, media_hash_key: EXAMPLE_HASH_KEY, num_parts: '1' },
    reply: { data: { success: true } },
  },
  async handle({ principal: { userId }, params, body }, context) {
    const chat = await requireChat(context.store, body.conversation_id, userId)
    const { num_parts, message_id: message, ttl_msec } = body
    const at = { id: params.id, chat, hashKey: body.media_hash_key, userId, messageId: message }
    const parts = num_parts === undefined ? undefined : Number(num_parts)
    await finalizeChatUpload({ ...at, parts, ttlMs: ttlIn(ttl_msec) }, context)
    return json({ data: { success: true } })
  },
})
