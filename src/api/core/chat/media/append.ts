import { Type } from 'typebox'
import { appendChatSegment, MAX_CHAT_SEGMENT_BYTES } from '../../../../domain/chat/files/files.ts'
import { uploadError } from '../../../../domain/media/upload-rules.ts'
import { msg } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import {
  base64,
  contentOf,
  MAX_FORM_BYTES,
  MAX_MULTIPART_BYTES,
  requireParameter,
  segmentIndex,
} from '../../media/parameters.ts'
import { dataReply, endpoint } from '../endpoint.ts'
import { conversationId, hashKey, requireChat, sessionId, uploading } from './common.ts'

/** POST /2/chat/media/upload/{id}/append: a part of an encrypted file. */
export const appendChatMediaUpload = endpoint({
  ...uploading,
  id: 'appendChatMediaUpload',
  path: '/2/chat/media/upload/{id}/append',
  summary: 'Send a part of an encrypted file',
  description:
    'Stores a part of up to 5 MB. Parts may come in any order; one that is sent again replaces the earlier one.',
  params: { id: sessionId },
  form: {
    media: base64(MAX_CHAT_SEGMENT_BYTES, 'The part in Base64. In a multipart body: the part, as bytes.'),
    segment_index: segmentIndex,
    conversation_id: Type.Optional(conversationId),
    media_hash_key: Type.Optional(hashKey),
  },
  maxBodyBytes: MAX_FORM_BYTES,
  multipart: { maxBytes: MAX_MULTIPART_BYTES, file: 'media' },
  reply: dataReply('AppendedChatMedia', {
    expires_at: Type.Integer({ description: 'When the upload expires: seconds since the epoch.' }),
  }),
  errors: [
    ...(['not in conversation', 'media not found', 'media not readable'] as const),
    ...(['media too large', 'media segments wrong', 'media quota exceeded'] as const),
  ],
  example: { params: { id: '1900000000000000080' }, reply: { data: { expires_at: 1_767_225_600 } } },
  async handle({ principal: { userId }, params, form, files }, context) {
    const need = requireParameter(context)
    const index = need(form, 'segment_index')
    const hash = need(form, 'media_hash_key')
    const chat = await requireChat(context.store, need(form, 'conversation_id'), userId)
    const content = await contentOf(form, files, 'media', need)
    if (content.length > MAX_CHAT_SEGMENT_BYTES) {
      const why = msg`A part has up to ${MAX_CHAT_SEGMENT_BYTES} bytes, this one has ${content.length}.`
      throw uploadError('media too large', { name: 'media', why })
    }
    const at = { id: params.id, chat, hashKey: hash, userId, index }
    const { expires_at } = await appendChatSegment(at, content, context)
    return json({ data: { expires_at: Math.floor((expires_at ?? 0) / 1000) } })
  },
})
