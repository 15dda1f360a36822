import { id } from '../../../platform/http/schema.ts'
import { objectEndpoint } from '../objects/endpoint.ts'

/** GET /2/dm_events/{event_id}: one event of a conversation of the caller. */
export const getDmEvent = objectEndpoint({
  id: 'getDmEvent',
  path: '/2/dm_events/{event_id}',
  summary: 'Get a direct-message event',
  description:
    'Returns one event that the user can see, of any age. Any other id, whether the event exists or not, is reported in `errors` with status 200.',
  source: 'Events',
  auth: ['user'],
  scopes: ['dm.read', 'post.read', 'users.read'],
  limits: { user: '15/15m' },
  params: { event_id: id('The event.') },
  returns: { object: 'dm_event', count: 'one' },
  example: {
    params: { event_id: '1900000000000000050' },
    data: { id: '1900000000000000050', event_type: 'MessageCreate', text: 'Hello' },
  },
  find: ({ params }) => ({ keys: [params.event_id], parameter: 'event_id' }),
})
