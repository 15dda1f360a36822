import { bytes } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, SNAPSHOT, SnapshotName } from './parts.ts'

/** GET /admin/v1/snapshots/{name}/export: a snapshot as one file. */
export const exportSnapshot = endpoint({
  ...SNAPSHOT,
  id: 'exportSnapshot',
  method: 'GET',
  path: '/admin/v1/snapshots/{name}/export',
  summary: 'Export a snapshot',
  description:
    'Returns a snapshot as a tar archive. Secrets in it are encrypted with the master key, so only a Plaza with the same master key, of the same version, can import it.',
  params: { name: SnapshotName },
  replyKind: 'file',
  reply: closedObject({}),
  async handle({ params: { name } }, { snapshots }) {
    const file = await answered(() => snapshots.export(name))
    return bytes({
      status: 200,
      headers: {
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename="${name}.tar"`,
      },
      body: file,
    })
  },
})
