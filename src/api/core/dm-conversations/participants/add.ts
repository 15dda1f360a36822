import { Type } from 'typebox'
import { MAX_PARTICIPANTS } from '../../../../domain/direct-messages/conversation.ts'
import { join } from '../../../../domain/direct-messages/send.ts'
import { msg } from '../../../../platform/http/message.ts'
import { id } from '../../../../platform/http/schema.ts'
import { actionEndpoint } from '../../actions.ts'
import { wrong } from '../../posts/wrong.ts'
import {
  actorOf,
  conversationId,
  exampleEvent,
  MadeEvent,
  made,
  requireGroup,
  requireRecipients,
} from '../endpoint.ts'

const NAME = 'participant_ids'

/**
 * POST /2/dm_conversations/{dm_conversation_id}/participants: others join a group of the caller.
 */
export const addConversationParticipants = actionEndpoint({
  id: 'addConversationParticipants',
  host: 'core',
  method: 'POST',
  path: '/2/dm_conversations/{dm_conversation_id}/participants',
  summary: 'Add users to a group conversation',
  description:
    'Adds users to a group that the user is in; a group has up to 50 participants. They see what happens from then on. Either all of them join, or none.',
  source: 'Events',
  auth: ['user'],
  scopes: ['dm.write', 'post.read', 'users.read'],
  limits: { user: '15/15m' },
  params: { dm_conversation_id: conversationId },
  body: Type.Object(
    {
      participant_ids: Type.Array(id('A user.'), {
        minItems: 1,
        maxItems: MAX_PARTICIPANTS - 1,
        uniqueItems: true,
        description: 'Who joins.',
      }),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: MadeEvent,
  errors: ['cannot message user', 'not in conversation'],
  example: {
    params: { dm_conversation_id: '1900000000000000049' },
    body: { participant_ids: ['2244994945'] },
    reply: { data: { ...exampleEvent.data, dm_conversation_id: '1900000000000000049' } },
  },
  async handle({ principal, params: { dm_conversation_id: conversation }, body }, dependencies) {
    const { participant_ids: participants } = body
    const actor = actorOf(principal)
    const row = await dependencies.store.write(async (tx) => {
      const present = await requireGroup(tx, conversation, actor.userId)
      const known = participants.find((participant) => present.includes(participant))
      if (known !== undefined) throw wrong(NAME, known, msg`The user ${known} is already a participant.`)
      if (present.length + participants.length > MAX_PARTICIPANTS)
        throw wrong(NAME, participants.join(','), msg`A group has up to ${MAX_PARTICIPANTS} participants.`)
      await requireRecipients(tx, actor.userId, { ids: participants, wrong: wrong.bind(undefined, NAME) })
      return join(tx, { conversation, actor, participants }, dependencies)
    })
    return made(row)
  },
})
