import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, EXAMPLE, SNAPSHOT, SnapshotName, SnapshotObject, snapshotObject } from './parts.ts'

/** POST /admin/v1/snapshots/{name}/restore: replaces the data by that of a snapshot. */
export const restoreSnapshot = endpoint({
  ...SNAPSHOT,
  id: 'restoreSnapshot',
  method: 'POST',
  path: '/admin/v1/snapshots/{name}/restore',
  summary: 'Restore a snapshot',
  description:
    'Replaces all data by that of a snapshot. Requests in progress are answered first; those that arrive meanwhile wait; streams end as when Plaza stops. Ports, URLs and certificates stay. The clock shows the time of the snapshot again, if it was adjusted then. Returns when everything can be searched.',
  params: { name: SnapshotName },
  reply: closedObject({ data: SnapshotObject }),
  reasons: ['SnapshotInvalid'],
  example: { params: { name: EXAMPLE.name }, reply: { data: EXAMPLE } },
  async handle({ params: { name } }, { snapshots }) {
    const restored = await answered(() => snapshots.restore(name), { place: 'path', value: name })
    return json({ data: snapshotObject(restored) })
  },
})
