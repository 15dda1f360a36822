import { id } from '../../../../platform/http/schema.ts'
import { actionEndpoint } from '../../actions.ts'
import { exampleEvent, MadeEvent, made } from '../endpoint.ts'
import { MessageBody, sendToUser } from '../message.ts'

/** POST /2/dm_conversations/with/{participant_id}/messages: a message to another user. */
export const sendMessageToUser = actionEndpoint({
  id: 'sendMessageToUser',
  host: 'core',
  method: 'POST',
  path: '/2/dm_conversations/with/{participant_id}/messages',
  summary: 'Send a message to a user',
  description:
    'Sends a message to another user. The first message creates the conversation. A user who accepts messages only from users they follow also accepts them from users they have written to.',
  source: 'Authentication',
  auth: ['user'],
  scopes: ['dm.write', 'post.read', 'users.read'],
  limits: { user: '15/15m' },
  params: { participant_id: id('The other user.') },
  body: MessageBody,
  status: 201,
  reply: MadeEvent,
  errors: ['cannot message user', 'medium not for messages'],
  example: { params: { participant_id: '2244994945' }, body: { text: 'Hello' }, reply: exampleEvent },
  async handle({ principal: caller, params, body }, dependencies) {
    const to = { caller, other: params.participant_id, name: 'participant_id' }
    return made(await sendToUser(body, to, dependencies))
  },
})
