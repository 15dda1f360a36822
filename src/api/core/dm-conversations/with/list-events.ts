import { pairId } from '../../../../domain/direct-messages/conversation.ts'
import { id } from '../../../../platform/http/schema.ts'
import { eventList, eventParameters, exampleEvents, readEvents } from '../../dm-events/page.ts'
import { objectEndpoint } from '../../objects/endpoint.ts'

/**
 * GET /2/dm_conversations/with/{participant_id}/dm_events: the conversation of the caller with
 * another user.
 */
export const listEventsWithUser = objectEndpoint({
  ...eventList,
  id: 'listEventsWithUser',
  path: '/2/dm_conversations/with/{participant_id}/dm_events',
  summary: 'List the messages between two users',
  description: 'Returns the messages of the last 30 days between the user and another user, newest first.',
  params: { participant_id: id('The other user.') },
  query: eventParameters,
  example: { params: { participant_id: '2244994945' }, ...exampleEvents },
  find: ({ principal: { userId }, params, query }, dependencies) => {
    const conversation = pairId(userId, params.participant_id)
    return readEvents({ user: userId, conversation, query }, dependencies)
  },
})
