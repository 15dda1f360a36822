import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { checked, EXAMPLE, FaultBody, FaultObject, faultObject, settingsOf } from './parts.ts'

/** POST /admin/v1/faults: adds a fault rule. */
export const addFault = endpoint({
  ...ADMIN,
  id: 'addFault',
  method: 'POST',
  path: '/admin/v1/faults',
  summary: 'Add a fault rule',
  description:
    'From now on, requests or deliveries that satisfy all conditions fail. An error is one that the endpoint documents, with the body and the headers that its real cause would have. Rules are stored and in force on all nodes; each node counts its own hits.',
  body: FaultBody,
  status: 201,
  reply: closedObject({ data: FaultObject }),
  reasons: ['FaultInvalid'],
  example: {
    body: { route: 'POST /2/posts', kind: 'error', status: 429, times: 3 },
    reply: { data: { ...EXAMPLE, matches: 0, hits: 0 } },
  },
  async handle({ body }, { faults }) {
    const added = await checked(() => faults.add(settingsOf(body), body.position))
    return json({ data: faultObject(added) })
  },
})
