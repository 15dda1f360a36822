import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, EXAMPLE, SNAPSHOT, SnapshotName, SnapshotObject, snapshotObject } from './parts.ts'

/** GET /admin/v1/snapshots/{name}: one snapshot. */
export const getSnapshot = endpoint({
  ...SNAPSHOT,
  id: 'getSnapshot',
  method: 'GET',
  path: '/admin/v1/snapshots/{name}',
  summary: 'Get a snapshot',
  description: 'Returns the name, time and size of a snapshot.',
  params: { name: SnapshotName },
  reply: closedObject({ data: SnapshotObject }),
  example: { params: { name: EXAMPLE.name }, reply: { data: EXAMPLE } },
  async handle({ params: { name } }, { snapshots }) {
    return json({ data: snapshotObject(await answered(() => snapshots.find(name))) })
  },
})
