import { Type } from 'typebox'
import { CONVERSATION_ID } from '../../../domain/direct-messages/conversation.ts'
import { eventList, eventParameters, exampleEvents, readEvents } from '../dm-events/page.ts'
import { objectEndpoint } from '../objects/endpoint.ts'

/** GET /2/dm_conversations/{id}/dm_events: what happened in a conversation of the caller. */
export const listEventsOfConversation = objectEndpoint({
  ...eventList,
  id: 'listEventsOfConversation',
  path: '/2/dm_conversations/{id}/dm_events',
  summary: 'List the events of a conversation',
  description:
    'Returns the events of a conversation that the user saw in the last 30 days, newest first. For a conversation of other users, or one that does not exist, the list is empty.',
  params: { id: Type.String({ pattern: CONVERSATION_ID, description: 'The conversation.' }) },
  query: eventParameters,
  example: { params: { id: '6253282-2244994945' }, ...exampleEvents },
  find: ({ principal: { userId }, params, query }, dependencies) =>
    readEvents({ user: userId, conversation: params.id, query }, dependencies),
})
