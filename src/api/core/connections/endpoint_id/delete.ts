import { Type } from 'typebox'
import { ENDPOINT_NAMES } from '../../../../delivery/streams/connections/endpoint-names.ts'
import { invalid } from '../../../../platform/http/errors.ts'
import { msg, word } from '../../../../platform/http/message.ts'
import { json } from '../../../../platform/http/reply-kinds.ts'
import { endAllConnections, endpoint, killExample, killReply } from '../endpoint.ts'

/**
 * DELETE /2/connections/{endpoint_id}: ends the connections to one stream (core reference, 04
 * section 4.2).
 */
export const endConnectionsToStream = endpoint({
  id: 'endConnectionsToStream',
  host: 'core',
  method: 'DELETE',
  path: '/2/connections/{endpoint_id}',
  summary: 'End the connections to one stream',
  description: 'Ends every open connection of the calling app to one stream; their last line is a Problem.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  scopes: ['write'],
  limits: { app: '25/15m' },
  params: {
    endpoint_id: Type.String({
      pattern: '^[a-z0-9_]{1,64}$',
      description: 'The stream, as `endpoint_name` names it.',
    }),
  },
  reply: killReply,
  example: { params: { endpoint_id: 'filtered_stream' }, reply: killExample },
  async handle({ principal: { app }, params: { endpoint_id: value } }, dependencies) {
    const { vocabulary } = dependencies.naming
    const name = ENDPOINT_NAMES.find((endpointName) => vocabulary.spellings(endpointName).includes(value))
    if (name === undefined) throw noStream(value)
    return json(await endAllConnections(app, name, dependencies))
  },
})

const noStream = (value: string) => {
  const explanation = msg`'${word('endpoint_id')}' must be the name of a stream.`
  return invalid({ place: 'path', name: 'endpoint_id', value, fault: { kind: 'rule', explanation } })
}
