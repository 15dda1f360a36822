import { Type } from 'typebox'
import { chatMediaByKeys } from '../../../../domain/chat/files/queries.ts'
import { bytes } from '../../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import { chatId, endpoint } from '../endpoint.ts'
import { hashKey, requireChat, uploading } from './common.ts'

/** GET /2/chat/media/{id}/{media_hash_key}: an encrypted file. */
export const downloadChatMedia = endpoint({
  ...uploading,
  method: 'GET',
  id: 'downloadChatMedia',
  path: '/2/chat/media/{id}/{media_hash_key}',
  summary: 'Download an encrypted file',
  description: 'Returns the bytes of an encrypted file to members of its conversation.',
  params: { id: chatId, media_hash_key: hashKey },
  replyKind: 'file',
  reply: Type.Object({}, { additionalProperties: false }),
  errors: ['not in conversation', 'not found'],
  async handle({ principal: { userId }, params }, { store, files, clock }) {
    const chat = await requireChat(store, params.id, userId)
    const key = params.media_hash_key
    const [row] = await store.all(chatMediaByKeys, { chat, keys: JSON.stringify([key]), now: clock.now() })
    const hash = row?.hash ?? undefined
    const size = hash === undefined ? undefined : await files.size(hash)
    if (hash === undefined || size === undefined) throw apiError('not found', key)
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'cache-control': 'no-cache, no-store, max-age=0',
    }
    return bytes({ status: 200, headers, body: files.stream(hash, 0, size) })
  },
})
