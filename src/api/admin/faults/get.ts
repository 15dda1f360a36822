import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE, FaultId, FaultObject, faultObject, noSuchFault } from './parts.ts'

/** GET /admin/v1/faults/{id}: a fault rule. */
export const getFault = endpoint({
  ...ADMIN,
  id: 'getFault',
  method: 'GET',
  path: '/admin/v1/faults/{id}',
  summary: 'Get a fault rule',
  description: 'Returns a rule, with how often it applied on this node since the start or its last change.',
  params: { id: FaultId },
  reply: closedObject({ data: FaultObject }),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { id: EXAMPLE.id }, reply: { data: EXAMPLE } },
  async handle({ params: { id } }, { faults }) {
    const found = faults.find(id)
    if (!found) throw noSuchFault(id)
    return json({ data: faultObject(found) })
  },
})
