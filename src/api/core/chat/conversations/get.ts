import { Type } from 'typebox'
import { CHAT_OR_RECIPIENT_ID } from '../../../../domain/chat/ids.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { LIMITS, named, PAIR_ID, READ_SCOPES, SOURCE } from '../endpoint.ts'

const MAX_LENGTH = 100
const IS_ID = new RegExp(CHAT_OR_RECIPIENT_ID)

/** GET /2/chat/conversations/{id}: an encrypted conversation of the caller. */
export const getChatConversation = objectEndpoint({
  id: 'getChatConversation',
  path: '/2/chat/conversations/{id}',
  summary: 'Get an encrypted conversation',
  description:
    'Returns an encrypted conversation of the user. A group of other users does not exist for them; a conversation of two other users is rejected.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  params: {
    id: Type.String({
      minLength: 1,
      maxLength: MAX_LENGTH,
      description: 'The conversation, or the other user of a conversation of two.',
    }),
  },
  returns: { object: 'chat_conversation', count: 'one' },
  errors: ['not in conversation'],
  example: { params: { id: PAIR_ID }, data: { id: PAIR_ID, type: 'direct' } },
  find: async ({ principal, params }) => ({
    keys: [IS_ID.test(params.id) ? named(params.id, principal.userId).id : params.id],
    parameter: 'id',
  }),
})
