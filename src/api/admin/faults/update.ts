import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import {
  checked,
  EXAMPLE,
  FaultBody,
  FaultId,
  FaultObject,
  faultObject,
  noSuchFault,
  settingsOf,
} from './parts.ts'

/** PUT /admin/v1/faults/{id}: replaces or moves a fault rule. */
export const updateFault = endpoint({
  ...ADMIN,
  id: 'updateFault',
  method: 'PUT',
  path: '/admin/v1/faults/{id}',
  summary: 'Replace or move a fault rule',
  description:
    'Replaces all members of a rule. Without `position`, it keeps its place. The counts of a rule that changes begin again.',
  params: { id: FaultId },
  body: FaultBody,
  reply: closedObject({ data: FaultObject }),
  errors: [...ADMIN.errors, 'not found'],
  reasons: ['FaultInvalid'],
  example: {
    params: { id: EXAMPLE.id },
    body: { route: 'POST /2/posts', kind: 'error', status: 429, times: 3, position: 1 },
    reply: { data: EXAMPLE },
  },
  async handle({ params: { id }, body }, { faults }) {
    const changed = await checked(() => faults.replace(id, settingsOf(body), body.position))
    if (!changed) throw noSuchFault(id)
    return json({ data: faultObject(changed) })
  },
})
