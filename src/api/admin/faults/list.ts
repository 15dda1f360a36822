import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { ownNode } from '../own-node.ts'
import { EXAMPLE, FaultObject, faultObject } from './parts.ts'

/** GET /admin/v1/faults: all fault rules. */
export const listFaults = endpoint({
  ...ADMIN,
  id: 'listFaults',
  method: 'GET',
  path: '/admin/v1/faults',
  summary: 'List fault rules',
  description:
    'Returns all rules, in the order in which they are tried. They are in force on every node of the database; each node counts its own hits.',
  reply: closedObject({
    data: Type.Array(FaultObject),
    meta: closedObject({
      result_count: Type.Integer({ description: 'How many rules there are.' }),
      node: ownNode('`matches` and `hits`'),
    }),
  }),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1, node: 0 } } },
  async handle(_call, { faults, config }) {
    const data = faults.list().map(faultObject)
    return json({ data, meta: { result_count: data.length, node: config.node } })
  },
})
