import { objectEndpoint } from '../objects/endpoint.ts'
import { eventList, eventParameters, exampleEvents, readEvents } from './page.ts'

/** GET /2/dm_events: what happened in all conversations of the caller. */
export const listDmEvents = objectEndpoint({
  ...eventList,
  id: 'listDmEvents',
  path: '/2/dm_events',
  summary: 'List direct-message events',
  description:
    'Returns messages, joins and leaves of the last 30 days from all conversations of the user, newest first. Both tokens in `meta` continue from this page, even if new events arrive in the meantime.',
  query: eventParameters,
  example: exampleEvents,
  find: ({ principal: { userId }, query }, dependencies) => readEvents({ user: userId, query }, dependencies),
})
