import { Type } from 'typebox'
import { chatPages } from '../../../../domain/chat/queries.ts'
import { timeOfId } from '../../../../platform/common/ids.ts'
import { component } from '../../../../platform/http/schema.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { pageParameters, readPage } from '../../paging.ts'
import { closed, LIMITS, PAIR_ID, SOURCE } from '../endpoint.ts'

const DEFAULT_RESULTS = 10
const MAX_RESULTS = 100

/** GET /2/chat/conversations: the encrypted conversations of the caller. */
export const listChatConversations = objectEndpoint({
  id: 'listChatConversations',
  path: '/2/chat/conversations',
  summary: 'List your encrypted conversations',
  description: 'Returns the encrypted conversations of the user; the one joined last comes first.',
  source: SOURCE,
  auth: ['user'],
  scopes: ['dm.read', 'users.read'],
  limits: LIMITS,
  query: pageParameters({ default: DEFAULT_RESULTS, min: 1, max: MAX_RESULTS, what: 'conversations' }),
  returns: {
    object: 'chat_conversation',
    count: 'many',
    sendsEmpty: true,
    meta: component(
      'ChatConversationsMeta',
      Type.Object(
        {
          result_count: Type.Integer({ minimum: 0, description: 'Entries of the page.' }),
          has_more: Type.Boolean({ description: 'Whether there is another page.' }),
          has_message_requests: Type.Boolean({ description: 'Always false.' }),
          next_token: Type.Optional(Type.String({ description: 'Token for the next page.' })),
          previous_token: Type.Optional(Type.String({ description: 'Token for the page before.' })),
        },
        closed,
      ),
    ),
  },
  example: {
    data: [{ id: PAIR_ID, type: 'direct' }],
    meta: { result_count: 1, has_more: false, has_message_requests: false },
  },
  async find({ principal: { userId }, query }, { store }) {
    const { rows, tokens } = await readPage(query, {
      defaultLimit: DEFAULT_RESULTS,
      async read({ direction, id, limit }) {
        const found = await store.all(chatPages[direction], { user: userId, position: id, limit })
        return found.map(({ conversation_id, position }) => ({
          ...{ conversation_id, id: position, created_at: timeOfId(position) },
        }))
      },
    })
    const has_more = tokens.next_token !== undefined
    return {
      keys: rows.map(({ conversation_id }) => conversation_id),
      meta: (shown) => ({ result_count: shown.length, has_more, has_message_requests: false, ...tokens }),
    }
  },
})
