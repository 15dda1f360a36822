import { Type } from 'typebox'
import { openActivityStream } from '../../../delivery/activities/feed.ts'
import { activityNames } from '../../../delivery/activities/kinds/kinds.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { id, storedChoice } from '../../../platform/http/schema.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'
import { pastOf, pastParameters, pastQueryOf } from '../posts/search/stream/past.ts'
import type { ActivityStreamDependencies } from './dependencies.ts'
import { ActivityFilter, closed } from './subscriptions/endpoint.ts'

const endpoint = endpointsOf<PlazaTerms<ActivityStreamDependencies>>(protocolOf)
const someObject = (description: string) => Type.Object({}, { description })

/**
 * GET /2/activity/stream: what the subscriptions of the app match, as it happens (core reference,
 * 02 section 6.5).
 */
export const streamActivities = endpoint({
  id: 'streamActivities',
  host: 'core',
  method: 'GET',
  path: '/2/activity/stream',
  summary: 'Stream activities',
  description:
    'Sends the activities that match the subscriptions of the app, each as a line of JSON that ends with CR LF. Between activities, an empty line at least every 20 seconds keeps the connection alive. Subscription changes take effect on open streams. When the server ends a stream, the last line has `errors` with a Problem of the type `operational-disconnect`. With `start_time`, the stream sends past activities and ends.',
  source: 'Events; Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '450/15m' },
  replyKind: 'stream',
  query: pastParameters('activities'),
  reply: Type.Object(
    {
      data: Type.Object(
        {
          event_uuid: id('Id of the activity, the same for every matching subscription.'),
          filter: ActivityFilter,
          event_type: storedChoice([...activityNames], 'What happened.', 'ActivityEventType'),
          tag: Type.Optional(Type.String({ description: 'Name that the app gave to the subscription.' })),
          payload: someObject('What happened. The members depend on the type.'),
          includes: Type.Optional(someObject('Posts and users that the payload refers to.')),
        },
        closed,
      ),
    },
    closed,
  ),
  errors: ['too many connections'],
  example: {
    reply: {
      data: {
        event_uuid: '1900000000000000777',
        filter: { user_id: '1900000000000000001' },
        event_type: 'post.delete',
        tag: 'deletions',
        payload: { id: '1900000000000000042', author_id: '1900000000000000001' },
      },
    },
  },
  handle({ principal: { app }, query, address }, dependencies) {
    const { clock, config } = dependencies
    const past = pastOf(pastQueryOf(query), clock.now(), config)
    return openActivityStream({ app, address, past }, dependencies)
  },
})
