import { empty } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'

/** DELETE /admin/v1/faults: removes all fault rules. */
export const clearFaults = endpoint({
  ...ADMIN,
  id: 'clearFaults',
  method: 'DELETE',
  path: '/admin/v1/faults',
  summary: 'Remove all fault rules',
  description: 'Removes all rules, on all nodes.',
  replyKind: 'empty',
  status: 204,
  reply: closedObject({}),
  async handle(_call, { faults }) {
    await faults.clear()
    return empty()
  },
})
