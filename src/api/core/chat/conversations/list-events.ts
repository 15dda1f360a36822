import { Type } from 'typebox'
import { component } from '../../../../platform/http/schema.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { pageParameters } from '../../paging.ts'
import { chatId, closed, LIMITS, named, PAIR_ID, READ_SCOPES, SOURCE } from '../endpoint.ts'

import { DEFAULT_RESULTS, keyEventsOf, pageOf } from './event-page.ts'

const MAX_RESULTS = 100

/** GET /2/chat/conversations/{id}/events: what happened in a conversation, newest first. */
export const listChatEvents = objectEndpoint({
  id: 'listChatEvents',
  path: '/2/chat/conversations/{id}/events',
  summary: 'List the events of an encrypted conversation',
  description:
    'Returns the events of an encrypted conversation that the user has seen, newest first. Key changes are in `meta.conversation_key_events`: those that the messages of the page need, and the newest 20. Messages that have expired are left out. For a group of other users, or a conversation that does not exist, the list is empty.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  params: { id: chatId },
  query: pageParameters({ default: DEFAULT_RESULTS, min: 1, max: MAX_RESULTS, what: 'events' }),
  returns: {
    object: 'chat_message_event',
    count: 'many',
    sendsEmpty: true,
    meta: component(
      'ChatEventsMeta',
      Type.Object(
        {
          result_count: Type.Integer({ minimum: 0, description: 'Entries of the page.' }),
          has_more: Type.Boolean({ description: 'Whether there is another page.' }),
          next_token: Type.Optional(Type.String({ description: 'Token for older events.' })),
          previous_token: Type.Optional(Type.String({ description: 'Token for newer events.' })),
          conversation_key_events: Type.Array(Type.String(), {
            description: 'Base64 of key changes, newest first.',
          }),
        },
        closed,
      ),
    ),
  },
  errors: ['not in conversation'],
  example: {
    params: { id: PAIR_ID },
    data: [{ id: '1900000000000000070', encoded_event: 'CwABAAAAATEA', sender_id: '2244994945' }],
    meta: { result_count: 1, has_more: false, conversation_key_events: [] },
  },
  async find({ principal: { userId: user }, params, query }, { store, clock }, shownKeys) {
    const at = { user, conversation: named(params.id, user).id }
    const { keys, tokens } = await pageOf(query, at, { store, shownKeys })
    const conversation_key_events = await keyEventsOf(keys, { ...at, now: clock.now() }, store)
    const has_more = tokens.next_token !== undefined
    return {
      keys,
      meta: (shown) => ({ result_count: shown.length, has_more, ...tokens, conversation_key_events }),
    }
  },
})
