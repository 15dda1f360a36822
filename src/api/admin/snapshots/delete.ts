import { empty } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, SNAPSHOT, SnapshotName } from './parts.ts'

/** DELETE /admin/v1/snapshots/{name}: removes a snapshot. */
export const deleteSnapshot = endpoint({
  ...SNAPSHOT,
  id: 'deleteSnapshot',
  method: 'DELETE',
  path: '/admin/v1/snapshots/{name}',
  summary: 'Delete a snapshot',
  description: 'Removes a snapshot. The present data stays as it is.',
  params: { name: SnapshotName },
  replyKind: 'empty',
  status: 204,
  reply: closedObject({}),
  async handle({ params: { name } }, { snapshots }) {
    await answered(() => snapshots.remove(name))
    return empty()
  },
})
