import { Type } from 'typebox'
import { activityKinds } from '../../../delivery/activities/kinds/kinds.ts'
import { NEEDED } from '../../../delivery/activities/wanted.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'

/** GET /admin/v1/activity_types: what can be emitted, and what each type needs. */
export const listActivityTypes = dataEndpoint({
  ...ADMIN,
  id: 'listActivityTypes',
  method: 'GET',
  path: '/admin/v1/activity_types',
  summary: 'List the types of activities',
  description:
    'Returns every type of activity that `POST /admin/v1/emit` accepts, with the member that it needs: a user, a text or an app.',
  reply: closedObject({
    data: Type.Array(
      closedObject({
        event_type: Type.String({ description: 'In the spelling of the vocabulary.' }),
        needs: choice(['user', 'text', 'app'], 'The member that it needs.'),
        takes_user: Type.Boolean({ description: 'Whether it may also name a user.' }),
        has_direction: Type.Boolean({ description: 'Whether it is inbound or outbound.' }),
      }),
    ),
  }),
  example: {
    reply: {
      data: [{ event_type: 'follow.follow', needs: 'user', takes_user: true, has_direction: true }],
    },
  },
  handle: async (_call, { naming }) =>
    json({
      data: activityKinds.map(({ name, filter, isDirected }) => ({
        event_type: naming.vocabulary.name(name),
        needs: NEEDED[filter],
        // Who revokes an app.
        takes_user: filter !== 'keyword',
        has_direction: isDirected === true,
      })),
    }),
})
