import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, EXAMPLE, SNAPSHOT, SnapshotObject, snapshotObject } from './parts.ts'

/** GET /admin/v1/snapshots: all snapshots. */
export const listSnapshots = endpoint({
  ...SNAPSHOT,
  id: 'listSnapshots',
  method: 'GET',
  path: '/admin/v1/snapshots',
  summary: 'List snapshots',
  description: 'Returns all snapshots, the oldest first. There are at most 100.',
  reply: closedObject({
    data: Type.Array(SnapshotObject),
    meta: closedObject({
      result_count: Type.Integer({ minimum: 0, description: 'The number of snapshots.' }),
    }),
  }),
  example: { reply: { data: [EXAMPLE], meta: { result_count: 1 } } },
  async handle(_call, { snapshots }) {
    const all = await answered(() => snapshots.list())
    return json({ data: all.map(snapshotObject), meta: { result_count: all.length } })
  },
})
