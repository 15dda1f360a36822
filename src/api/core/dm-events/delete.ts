import { Type } from 'typebox'
import { deleteForUser } from '../../../domain/direct-messages/delete.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { notFoundProblem, ResourceProblem } from '../../../platform/protocols/problem/resource.ts'
import { actionEndpoint } from '../actions.ts'
import { Deleted } from '../deleted.ts'

/** DELETE /2/dm_events/{event_id}: removes an event from the view of the caller. */
export const deleteDmEvent = actionEndpoint({
  id: 'deleteDmEvent',
  host: 'core',
  method: 'DELETE',
  path: '/2/dm_events/{event_id}',
  summary: 'Delete a direct-message event',
  description:
    'Removes an event from the view of the user; the other participants still see it. Any other id, whether the event exists or not, is reported in `errors` with status 200.',
  source: 'Events',
  auth: ['user'],
  scopes: ['dm.read', 'dm.write'],
  limits: { user: '300/15m' },
  params: { event_id: id('The event.') },
  reply: Type.Object(
    {
      data: Type.Optional(Deleted),
      errors: Type.Optional(Type.Array(ResourceProblem, { minItems: 1 })),
    },
    { additionalProperties: false },
  ),
  example: { params: { event_id: '1900000000000000050' }, reply: { data: { deleted: true } } },
  async handle({ principal, params }, { store, naming }) {
    if (await store.write((tx) => deleteForUser(tx, params.event_id, principal.userId)))
      return json({ data: { deleted: true } })
    const event = {
      type: 'dm_event',
      noun: 'DmEvent',
      value: params.event_id,
      parameter: 'event_id',
    } as const
    return json({ errors: [notFoundProblem(event, naming)] })
  },
})
