import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, EXAMPLE, NAME_RULE, SNAPSHOT, SnapshotObject, snapshotObject } from './parts.ts'

/** POST /admin/v1/snapshots/import: adds a snapshot from a file. */
export const importSnapshot = endpoint({
  ...SNAPSHOT,
  id: 'importSnapshot',
  method: 'POST',
  path: '/admin/v1/snapshots/import',
  summary: 'Import a snapshot',
  description:
    'Adds a snapshot from an exported file, which is the body of the request. All of it is checked first: that it is complete, of this version and of this master key. The present data stays as it is until the snapshot is restored.',
  contentTypes: ['application/x-tar', 'application/octet-stream'],
  query: {
    name: Type.Optional(
      Type.String({ description: `The name: ${NAME_RULE} Default: the name that it was exported with.` }),
    ),
    replace: Type.Optional(
      Type.Boolean({ description: 'Whether to replace a snapshot that has this name. Default: false.' }),
    ),
  },
  reply: closedObject({ data: SnapshotObject }),
  status: 201,
  reasons: ['SnapshotInvalid'],
  example: { reply: { data: EXAMPLE } },
  async handle({ query, content }, { snapshots }) {
    const imported = await answered(() => snapshots.import(content, query), {
      place: 'query',
      value: query.name,
    })
    return json({ data: snapshotObject(imported) })
  },
})
