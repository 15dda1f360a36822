import { Type } from 'typebox'
import { messagesOfBroadcast } from '../../../../domain/broadcasts/chat/queries.ts'
import { timeOfId } from '../../../../platform/common/ids.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'
import { ID_TOKENS, pageParameters, readPage } from '../../paging.ts'
import {
  BROADCAST,
  broadcastId,
  ForwardMeta,
  LIMITS,
  owns,
  READ_SCOPES,
  SOURCE,
  unknownBroadcast,
} from '../subject.ts'
import { MESSAGE } from './message.ts'

const DEFAULT_RESULTS = 100
const MAX_RESULTS = 200

/** GET /2/broadcasts/{id}/chat: the messages in the chat of a broadcast of the caller. */
export const getBroadcastChat = objectEndpoint({
  id: 'getBroadcastChat',
  path: '/2/broadcasts/{id}/chat',
  summary: 'Read the chat of a broadcast',
  description:
    'Returns the messages in the chat of a broadcast of the user in pages, newest first. Those of suspended users are left out. A broadcast that does not exist, or that another user has, is reported in `errors` with status 200.',
  source: SOURCE,
  auth: ['user'],
  scopes: READ_SCOPES,
  limits: LIMITS,
  params: { id: broadcastId },
  query: pageParameters({
    ...{ default: DEFAULT_RESULTS, min: 1, max: MAX_RESULTS },
    ...{ what: 'messages', tokens: ID_TOKENS },
  }),
  returns: { object: 'broadcast_chat_message', count: 'many', meta: Type.Optional(ForwardMeta) },
  example: { params: { id: BROADCAST.id }, data: [MESSAGE], meta: { result_count: 1 } },
  async find({ principal: { userId }, params: { id: of }, query }, { store, naming }, shownKeys) {
    if (!(await owns({ id: of, userId }, store))) return { problem: unknownBroadcast(of, naming) }
    const { rows, tokens } = await readPage(query, {
      tokens: ID_TOKENS,
      defaultLimit: DEFAULT_RESULTS,
      async read({ direction, id, limit }) {
        const found = await store.all(messagesOfBroadcast[direction], { of, id, limit })
        return found.map((row) => ({ ...row, created_at: timeOfId(row.id) }))
      },
      async shown(messages) {
        const keys = await shownKeys(messages.map((row) => row.id))
        return messages.filter((row) => keys.has(row.id))
      },
    })
    const next = tokens.next_token === undefined ? {} : { next_token: tokens.next_token }
    const meta = (shown: readonly unknown[]) => ({ result_count: shown.length, ...next })
    return { keys: rows.map((row) => row.id), meta }
  },
})
