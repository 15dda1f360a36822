import { Type } from 'typebox'
import { ENDPOINT_NAMES } from '../../../delivery/streams/connections/endpoint-names.ts'
import { openConnections } from '../../../delivery/streams/connections/queries.ts'
import type { ConnectionDependencies } from '../../../delivery/streams/dependencies.ts'
import type { StreamConnectionRow } from '../../../delivery/streams/tables.ts'
import type { App } from '../../../identity/apps/app.ts'
import type { PlazaTerms } from '../../../identity/auth/endpoint.ts'
import { objectTime } from '../../../platform/common/time.ts'
import { endpointsOf } from '../../../platform/http/endpoint.ts'
import { component, storedChoice, time } from '../../../platform/http/schema.ts'
import { protocolOf } from '../../../platform/protocols/protocols.ts'

/** Declares an endpoint for stream connections. */
export const endpoint = endpointsOf<PlazaTerms<ConnectionDependencies>>(protocolOf)

export const uuid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'A connection: a UUID.',
})

/** A connection to a stream (core reference, 04 section 4.1). */
export const Connection = component(
  'StreamConnection',
  Type.Object(
    {
      id: Type.Optional(uuid),
      endpoint_name: storedChoice([...ENDPOINT_NAMES], 'The stream.', 'StreamEndpoint'),
      connected_at: time('When it was opened.'),
      client_ip: Type.Optional(Type.String({ description: 'The address of the client.' })),
      disconnected_at: Type.Optional(time('When it ended.')),
      disconnect_reason: Type.Optional(Type.String({ description: 'Why it ended.' })),
    },
    { additionalProperties: false },
  ),
)

export const CONNECTION_FIELDS = [
  'client_ip',
  'connected_at',
  'disconnect_reason',
  'disconnected_at',
  'endpoint_name',
  'id',
] as const
type ConnectionField = (typeof CONNECTION_FIELDS)[number]

/**
 * What a reply shows of a connection: the members that are always present, and the requested ones.
 */
export function presentConnection(row: StreamConnectionRow, fields: readonly ConnectionField[] = ['id']) {
  const { client_ip, disconnected_at, disconnect_reason } = row
  const shows = (name: ConnectionField) => fields.includes(name)
  return {
    ...(shows('id') && { id: row.id }),
    endpoint_name: row.endpoint_name,
    connected_at: objectTime(row.connected_at),
    ...(shows('client_ip') && { client_ip }),
    ...(shows('disconnected_at') &&
      disconnected_at !== null && { disconnected_at: objectTime(disconnected_at) }),
    ...(shows('disconnect_reason') && disconnect_reason !== null && { disconnect_reason }),
  }
}

const count = Type.Integer({ minimum: 0 })

/** The outcome for the connections that a call ends (core reference, 04 section 4.2). */
export const killReply = Type.Object(
  {
    data: component(
      'KilledConnections',
      Type.Object(
        {
          successful_kills: count,
          failed_kills: count,
          results: Type.Array(
            component(
              'KilledConnection',
              Type.Object(
                {
                  uuid: Type.String({ description: 'The connection.' }),
                  success: Type.Boolean({ description: 'Whether this call ended the open connection.' }),
                  error_message: Type.Optional(Type.String({ description: 'Why not.' })),
                },
                { additionalProperties: false },
              ),
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const killExample = {
  data: {
    successful_kills: 1,
    failed_kills: 0,
    results: [{ uuid: '5b6f1c9e-8a53-4c7b-9d0f-2f4e6a8c0b1d', success: true }],
  },
}

/** Ends connections of an app, and reports the outcome for each. */
export async function endConnections(app: App, uuids: readonly string[], { kills }: ConnectionDependencies) {
  const results = await kills.end(app.id, uuids)
  const successful = results.filter(({ success }) => success).length
  return {
    data: { successful_kills: successful, failed_kills: results.length - successful, results },
  }
}

/** Ends all open connections of an app, or those to one stream, oldest first. */
export async function endAllConnections(
  app: App,
  endpointName: string | undefined,
  parts: ConnectionDependencies,
) {
  // Connections of a node that has died are still recorded as open.
  await parts.connections.records.closeOfDead()
  const rows = await parts.store.all(openConnections, { app: app.id })
  const chosen = rows.filter(
    ({ endpoint_name }) => endpointName === undefined || endpoint_name === endpointName,
  )
  return endConnections(
    app,
    chosen.map(({ id }) => id),
    parts,
  )
}
