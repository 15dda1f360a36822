import { Type } from 'typebox'
import { addGroupId } from '../../../../domain/chat/queries.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { dataReply, endpoint, GROUP_ID, writing } from '../endpoint.ts'

/** How long a group may be created with an id. */
const GROUP_ID_MS = 86_400_000

/** POST /2/chat/conversations/group/initialize: an id for a new group. */
export const initializeChatGroup = endpoint({
  ...writing,
  id: 'initializeChatGroup',
  path: '/2/chat/conversations/group/initialize',
  summary: 'Get an id for a new group',
  description:
    'Returns an id with which the user may create one encrypted group within 24 hours. Clients need it first, because they sign it.',
  scopes: ['dm.write'],
  reply: dataReply('InitializedChatGroup', {
    conversation_id: Type.String({ description: 'The id of the group.' }),
  }),
  example: { reply: { data: { conversation_id: GROUP_ID } } },
  async handle({ principal: { userId: user_id } }, { store, ids, clock }) {
    const id = `g${ids.next()}`
    const expires_at = clock.now() + GROUP_ID_MS
    await store.write((tx) => tx.run(addGroupId, { id, user_id, expires_at }))
    return json({ data: { conversation_id: id } })
  },
})
