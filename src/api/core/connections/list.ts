import { Type } from 'typebox'
import { ENDPOINT_NAMES } from '../../../delivery/streams/connections/endpoint-names.ts'
import { type ConnectionPlace, listConnections } from '../../../delivery/streams/connections/records.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { choice, choices } from '../../../platform/http/schema.ts'
import { CONNECTION_FIELDS, Connection, endpoint, presentConnection } from './endpoint.ts'

const MAX_RESULTS = 100
const RESULTS = 10

/**
 * GET /2/connections: connections to streams of the calling app, the newest first (core reference,
 * 04 section 4.1).
 */
export const listStreamConnections = endpoint({
  id: 'listStreamConnections',
  host: 'core',
  method: 'GET',
  path: '/2/connections',
  summary: 'List connections to streams',
  description:
    'Returns the stream connections of the calling app, newest first: open connections, ended connections, or all. The last 1,000 ended connections are kept for 30 days.',
  source: 'Other core endpoints named in release notes',
  auth: ['app'],
  limits: { app: '25/15m' },
  query: {
    status: Type.Optional(
      choice(['active', 'inactive', 'all'], 'Which connections to return; `active` by default.'),
    ),
    endpoints: Type.Optional(choices([...ENDPOINT_NAMES], 'Streams; all by default.', 'StreamEndpoint')),
    max_results: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_RESULTS,
        default: RESULTS,
        description: 'Number of connections in a page.',
      }),
    ),
    pagination_token: Type.Optional(Type.String({ description: '`next_token` of the previous page.' })),
    'connection.fields': Type.Optional(
      choices(
        [...CONNECTION_FIELDS],
        'Members to return in addition to `endpoint_name` and `connected_at`; `id` by default.',
        'ConnectionField',
      ),
    ),
  },
  reply: Type.Object(
    {
      data: Type.Array(Connection),
      meta: Type.Object(
        { result_count: Type.Integer({ minimum: 0 }), next_token: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
  example: {
    reply: {
      data: [
        {
          id: '5b6f1c9e-8a53-4c7b-9d0f-2f4e6a8c0b1d',
          endpoint_name: 'filtered_stream',
          connected_at: '2026-02-03T04:05:06.000Z',
        },
      ],
      meta: { result_count: 1 },
    },
  },
  async handle({ principal: { app }, query }, dependencies) {
    const { status = 'active', endpoints, max_results: limit = RESULTS, pagination_token: token } = query
    const after = token === undefined ? undefined : positionOf(token)
    await dependencies.connections.records.closeOfDead()
    const listed = { app: app.id, status, endpoints }
    const rows = await listConnections(listed, { after, limit: limit + 1 }, dependencies)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return json({
      data: page.map((row) => presentConnection(row, query['connection.fields'])),
      meta: {
        result_count: page.length,
        ...(rows.length > limit && last && { next_token: tokenOf(last) }),
      },
    })
  },
})

/** Opaque to clients. */
const tokenOf = ({ connected_at, id }: ConnectionPlace) =>
  Buffer.from(`${connected_at}.${id}`).toString('base64url')

const MAX_TOKEN_LENGTH = 100

function positionOf(token: string): ConnectionPlace {
  const text = token.length > MAX_TOKEN_LENGTH ? '' : Buffer.from(token, 'base64url').toString('latin1')
  const [, time, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text) ?? []
  if (time === undefined || id === undefined)
    throw invalid({ place: 'query', name: 'pagination_token', value: token, fault: { kind: 'invalid' } })
  return { connected_at: Number(time), id }
}
