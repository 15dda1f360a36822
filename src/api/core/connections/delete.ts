import { Type } from 'typebox'
import { invalid } from '../../../platform/http/errors.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ids } from '../../../platform/http/schema.ts'
import { endConnections, endpoint, killExample, killReply, uuid } from './endpoint.ts'

const MAX_UUIDS = 100

/** DELETE /2/connections: ends connections by their UUIDs (core reference, 04 section 4.2). */
export const endStreamConnections = endpoint({
  id: 'endStreamConnections',
  host: 'core',
  method: 'DELETE',
  path: '/2/connections',
  summary: 'End connections to streams',
  description:
    'Ends open connections of the calling app to streams; their last line is a Problem. Send the UUIDs in the body or, if the client cannot send a body with a DELETE, in the query.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '25/15m' },
  query: { uuids: Type.Optional(ids(uuid, 'Connections to end, instead of a body.', MAX_UUIDS)) },
  optionalBody: true,
  body: Type.Object(
    { uuids: Type.Array(uuid, { minItems: 1, maxItems: MAX_UUIDS, description: 'Connections.' }) },
    { additionalProperties: false },
  ),
  reply: killReply,
  example: { body: { uuids: [killExample.data.results[0]?.uuid ?? ''] }, reply: killExample },
  async handle({ principal: { app }, query, body }, dependencies) {
    const uuids = query.uuids ?? (body as typeof body | undefined)?.uuids
    if (uuids === undefined || (query.uuids && body)) throw notOnce(query.uuids)
    return json(await endConnections(app, [...new Set(uuids)], dependencies))
  },
})

const notOnce = (inQuery: readonly string[] | undefined) =>
  inQuery
    ? invalid({ place: 'query', name: 'uuids', value: inQuery.join(), fault: { kind: 'repeated' } })
    : invalid({ place: 'body', name: '$.uuids', value: undefined, fault: { kind: 'missing' } })
