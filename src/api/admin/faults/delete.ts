import { empty } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE, FaultId, noSuchFault } from './parts.ts'

/** DELETE /admin/v1/faults/{id}: removes a fault rule. */
export const deleteFault = endpoint({
  ...ADMIN,
  id: 'deleteFault',
  method: 'DELETE',
  path: '/admin/v1/faults/{id}',
  summary: 'Remove a fault rule',
  description: 'Removes a rule. Requests that already wait because of it go on waiting.',
  params: { id: FaultId },
  replyKind: 'empty',
  status: 204,
  reply: closedObject({}),
  errors: [...ADMIN.errors, 'not found'],
  example: { params: { id: EXAMPLE.id }, reply: {} },
  async handle({ params: { id } }, { faults }) {
    if (!(await faults.remove(id))) throw noSuchFault(id)
    return empty()
  },
})
