import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { closedObject } from '../../../platform/http/schema.ts'
import { endpoint } from '../endpoint.ts'
import { answered, EXAMPLE, NAME_RULE, SNAPSHOT, SnapshotObject, snapshotObject } from './parts.ts'

/** POST /admin/v1/snapshots: saves the present data. */
export const saveSnapshot = endpoint({
  ...SNAPSHOT,
  id: 'saveSnapshot',
  method: 'POST',
  path: '/admin/v1/snapshots',
  summary: 'Save a snapshot',
  description:
    'Saves all data as it is at one moment: the database, the search index, audience members, media, nonces, windows of rate limits, and the clock. Requests wait until it is copied; streams stay open. The journal is not part of it. Not available on PostgreSQL, and with `--media`.',
  body: closedObject({
    name: Type.Optional(
      Type.String({ description: `The name: ${NAME_RULE} Default: \`snapshot-\` and a number.` }),
    ),
    replace: Type.Optional(
      Type.Boolean({ description: 'Whether to replace a snapshot that has this name. Default: false.' }),
    ),
  }),
  optionalBody: true,
  reply: closedObject({ data: SnapshotObject }),
  status: 201,
  reasons: ['SnapshotInvalid'],
  example: { body: { name: EXAMPLE.name }, reply: { data: EXAMPLE } },
  async handle({ body = {} }, { snapshots }) {
    const saved = await answered(() => snapshots.save(body), { place: 'body', value: body.name })
    return json({ data: snapshotObject(saved) })
  },
})
