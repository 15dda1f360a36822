import { Type } from 'typebox'
import { CHAT_ID_WITH_COLON } from '../../../../domain/chat/ids.ts'
import { memberOf } from '../../../../domain/chat/queries.ts'
import { apiError } from '../../../../platform/protocols/catalogue.ts'
import type { Store } from '../../../../platform/storage/store.ts'
import { named, SOURCE } from '../endpoint.ts'

/** What calls about files of chats share. */
export const uploading = {
  host: 'core',
  method: 'POST',
  source: SOURCE,
  auth: ['user'],
  scopes: ['media.write'],
  limits: { user: '500/15m' },
} as const

export const conversationId = Type.String({
  pattern: CHAT_ID_WITH_COLON,
  description: 'The conversation, with a hyphen or a colon between two user ids.',
})
export const hashKey = Type.String({ pattern: '^[a-zA-Z0-9]{1,50}$', description: 'The file.' })
export const sessionId = Type.String({ pattern: '^[0-9]{1,19}$', description: 'The upload session.' })

export const EXAMPLE_PAIR = '2244994945:6253282'
export const EXAMPLE_HASH_KEY = 'afbz0jb3ktq8'

/** The conversation with an id, of which the caller must be a member. */
export async function requireChat(store: Pick<Store, 'first'>, id: string, userId: string): Promise<string> {
  const chat = named(id, userId).id
  if (!(await store.first(memberOf, { id: chat, user: userId }))) throw apiError('not in conversation')
  return chat
}
