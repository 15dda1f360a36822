import { Type } from 'typebox'
import { withColon } from '../../../../domain/chat/ids.ts'
import { MAX_CHAT_MEDIUM_BYTES, openChatUpload } from '../../../../domain/chat/files/files.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
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

/** POST /2/chat/media/upload/initialize: the beginning of an upload of an encrypted file. */
export const initializeChatMediaUpload = endpoint({
  ...uploading,
  id: 'initializeChatMediaUpload',
  path: '/2/chat/media/upload/initialize',
  summary: 'Begin an upload of an encrypted file',
  description:
    'Announces an encrypted file of a conversation of the user, of up to 512 MB. The upload expects its parts within a day. The file counts towards the media quota of the user.',
  body: Type.Object({
    conversation_id: conversationId,
    total_bytes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_CHAT_MEDIUM_BYTES,
        description: 'Size of the encrypted file in bytes.',
      }),
    ),
  }),
  reply: dataReply('InitializedChatMedia', {
    session_id: sessionId,
    media_hash_key: hashKey,
    conversation_id: Type.String({ description: 'The conversation, with a colon.' }),
  }),
  errors: ['not in conversation', 'media quota exceeded'],
  example: {
    body: { conversation_id: EXAMPLE_PAIR, total_bytes: 1_048_576 },
    reply: {
      data: {
        ...{ session_id: '1900000000000000080', media_hash_key: EXAMPLE_HASH_KEY },
        conversation_id: EXAMPLE_PAIR,
      },
    },
  },
  async handle({ principal: { userId }, body }, context) {
    const chat = await requireChat(context.store, body.conversation_id, userId)
    const upload = { chat, userId, bytes: body.total_bytes }
    const row = await context.store.write((tx) => openChatUpload(tx, upload, context))
    const data = { session_id: row.id, media_hash_key: row.hash_key, conversation_id: withColon(chat) }
    return json({ data })
  },
})
