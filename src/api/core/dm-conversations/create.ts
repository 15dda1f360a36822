import { Type } from 'typebox'
import { MAX_PARTICIPANTS } from '../../../domain/direct-messages/conversation.ts'
import { openGroup, sendMessage } from '../../../domain/direct-messages/send.ts'
import { choice, id } from '../../../platform/http/schema.ts'
import { actionEndpoint } from '../actions.ts'
import { wrong } from '../posts/wrong.ts'
import { actorOf, exampleEvent, MadeEvent, made, requireRecipients } from './endpoint.ts'
import { MessageBody, readMessage } from './message.ts'

/** POST /2/dm_conversations: creates a group, with its first message. */
export const createConversation = actionEndpoint({
  id: 'createConversation',
  host: 'core',
  method: 'POST',
  path: '/2/dm_conversations',
  summary: 'Create a group conversation',
  description:
    'Creates a conversation between the user and 2 to 49 others, and sends its first message. Each of them must accept messages from the user; otherwise nothing is created.',
  source: 'Authentication',
  auth: ['user'],
  scopes: ['dm.write', 'post.read', 'users.read'],
  limits: { user: '15/15m' },
  body: Type.Object(
    {
      conversation_type: choice(['Group'], 'The kind of conversation.'),
      participant_ids: Type.Array(id('A user.'), {
        minItems: 2,
        maxItems: MAX_PARTICIPANTS - 1,
        uniqueItems: true,
        description: 'The others.',
      }),
      message: MessageBody,
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: MadeEvent,
  errors: ['cannot message user', 'medium not for messages'],
  example: {
    body: {
      conversation_type: 'Group',
      participant_ids: ['2244994945', '6253282'],
      message: { text: 'Hello' },
    },
    reply: exampleEvent,
  },
  async handle({ principal, body: { participant_ids: ids, message: input } }, dependencies) {
    const actor = actorOf(principal)
    const row = await dependencies.store.write(async (tx) => {
      const recipients = { ids, wrong: wrong.bind(undefined, 'participant_ids') }
      await requireRecipients(tx, actor.userId, recipients)
      const message = await readMessage(tx, input, { userId: actor.userId, prefix: 'message.' })
      const conversation = await openGroup(tx, actor, ids, dependencies)
      return sendMessage(tx, { conversation, actor, message }, dependencies)
    })
    return made(row)
  },
})
