import { leave } from '../../../../domain/direct-messages/send.ts'
import { id } from '../../../../platform/http/schema.ts'
import { actionEndpoint, checkOwn } from '../../actions.ts'
import { actorOf, conversationId, exampleEvent, MadeEvent, made, requireGroup } from '../endpoint.ts'

/**
 * DELETE /2/dm_conversations/{dm_conversation_id}/participants/{participant_id}: the caller leaves
 * a group.
 */
export const leaveConversation = actionEndpoint({
  id: 'leaveConversation',
  host: 'core',
  method: 'DELETE',
  path: '/2/dm_conversations/{dm_conversation_id}/participants/{participant_id}',
  summary: 'Leave a group conversation',
  description:
    'Removes the user from a group. Users can only remove themselves. They can still read what they saw, but see nothing new.',
  source: 'Events',
  auth: ['user'],
  scopes: ['dm.write', 'post.read', 'users.read'],
  limits: { user: '15/15m' },
  params: { dm_conversation_id: conversationId, participant_id: id('The user who calls.') },
  reply: MadeEvent,
  errors: ['not in conversation'],
  example: {
    params: { dm_conversation_id: '1900000000000000049', participant_id: '2244994945' },
    reply: { data: { ...exampleEvent.data, dm_conversation_id: '1900000000000000049' } },
  },
  async handle({ principal, params: { dm_conversation_id: conversation, participant_id } }, dependencies) {
    const actor = actorOf(principal)
    checkOwn(principal, 'participant_id', participant_id)
    const row = await dependencies.store.write(async (tx) => {
      await requireGroup(tx, conversation, actor.userId)
      return leave(tx, { conversation, actor }, dependencies)
    })
    return made(row, 200)
  },
})
