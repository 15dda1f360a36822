import { actionEndpoint } from '../actions.ts'
import { conversationId, exampleEvent, MadeEvent, made, otherIn } from './endpoint.ts'
import { MessageBody, sendToGroup, sendToUser } from './message.ts'

/**
 * POST /2/dm_conversations/{dm_conversation_id}/messages: a message to a conversation of the
 * caller.
 */
export const sendMessageToConversation = actionEndpoint({
  id: 'sendMessageToConversation',
  host: 'core',
  method: 'POST',
  path: '/2/dm_conversations/{dm_conversation_id}/messages',
  summary: 'Send a message to a conversation',
  description:
    'Sends a message to a group that the user is in, or to the other user in a conversation of two. A conversation of other users is rejected like one that does not exist.',
  source: 'Authentication',
  auth: ['user'],
  scopes: ['dm.write', 'post.read', 'users.read'],
  limits: { user: '15/15m' },
  params: { dm_conversation_id: conversationId },
  body: MessageBody,
  status: 201,
  reply: MadeEvent,
  errors: ['cannot message user', 'medium not for messages', 'not in conversation'],
  example: {
    params: { dm_conversation_id: '6253282-2244994945' },
    body: { text: 'Hello' },
    reply: exampleEvent,
  },
  async handle({ principal: caller, params: { dm_conversation_id: id }, body }, dependencies) {
    const other = otherIn(id, caller.userId)
    if (other === undefined) return made(await sendToGroup(body, { caller, group: id }, dependencies))
    return made(await sendToUser(body, { caller, other, name: 'dm_conversation_id' }, dependencies))
  },
})
