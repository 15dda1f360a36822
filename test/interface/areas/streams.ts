import assert from 'node:assert/strict'
import type { Area, Exchange, Story } from '../support/exchange.ts'
import { assertMatches, id64, integer, keep, like, objectTime, string, timeMs } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { type OpenStream, openStream } from '../support/stream.ts'
import { keepBearer, send, type World } from '../support/world.ts'

const CONNECTIONS = '{base_url}/2/connections'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const uuid = like(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const STREAM = '{base_url}/2/posts/search/stream'
/** A word that only this run uses. */
const WORD = 'stream{run}'
const JSON_TYPE = 'application/json; charset=utf-8'

/** The stream that rows keep open. */
let open: OpenStream | undefined

const connectionProblem = (issue: string, detail: string) => ({
  title: 'ConnectionException',
  detail,
  type: '{problem_base}/2/problems/streaming-connection',
  connection_issue: issue,
})

const wrong = (it: string, parameter: string, value: string, message: unknown): Exchange => ({
  it,
  send: `GET ${STREAM}`,
  query: { [parameter]: value },
  status: 400,
  reply: problem.invalidRequest([{ [parameter]: [value] }, message]),
})

const ended = (disconnect_type: string, detail: string) => ({
  errors: [
    {
      title: 'operational-disconnect',
      disconnect_type,
      detail,
      type: '{problem_base}/2/problems/operational-disconnect',
    },
  ],
})

/** Ends a stream of the second app from outside, and compares its last line. */
const endedBy = (
  it: string,
  [type, detail]: [type: string, detail: string],
  end: (world: World) => Promise<unknown>,
): Story => ({
  it,
  needs: 'a command',
  async run(world) {
    const stream = await openStream(world, STREAM, 'second app')
    assert.equal(stream.status, 200)
    await end(world)
    const line = JSON.parse((await stream.next()) ?? '') as unknown
    assertMatches(line, ended(type, detail), world.variables)
    assert.equal(await stream.next(), undefined)
  },
})

const command =
  (...args: string[]) =>
  ({ server, variables }: World) =>
    server.command?.(...args, String(variables.second_app)) ??
    Promise.reject(new Error('there is no command'))

const REVOKED = 'This stream has been disconnected because its access token was revoked.'
const DEGRADED = 'This stream has been disconnected because the app may no longer use it.'
const TOKEN = { as: 'second basic', form: { grant_type: 'client_credentials' } } as const

const POWERSTREAM = '{base_url}/2/powerstream'

const powerstream: Area['rows'] = [
  {
    it: 'without rules, there is no powerstream',
    send: `GET ${POWERSTREAM}`,
    status: 409,
    reply: connectionProblem(
      'RuleConfigurationIssue',
      'You must define rules to connect to the stream. Add rules and try again.',
    ),
    limit: 50,
  },
  {
    it: 'a rule of the powerstream',
    send: `POST ${POWERSTREAM}/rules`,
    json: { rules: [{ value: 'contains:owerstream{run}' }] },
    status: 201,
    reply: {
      data: { rules: [{ value: 'contains:owerstream{run}', id: keep('power_rule', id64) }] },
    },
  },
  {
    it: 'a line of the powerstream is a list with a post in classic form',
    needs: 'user',
    async run(world) {
      const { seen, variables } = world
      const stream = await openStream(world, `${POWERSTREAM}?localDcOnly=true`)
      assert.equal(stream.status, 200)
      assert.equal(stream.headers['content-type'], JSON_TYPE)
      assert.equal(stream.headers['x-powerstream-localdconly'], 'true')
      const datacenter = stream.headers['x-powerstream-datacenter']
      seen.calls.push({ method: 'GET', path: '/2/powerstream' })
      const first = JSON.parse((await stream.next()) ?? '')
      assertMatches(first, { type: 'connection_metadata', datacenter, timestamp: integer }, variables)
      const text = `A powerstream${variables.run}`
      const reply = await send(world, { send: 'POST {base_url}/2/posts', as: 'user', json: { text } })
      assert.equal(reply.status, 201)
      const { data } = JSON.parse(reply.text) as { data: { id: string } }
      const line = JSON.parse((await stream.next()) ?? '') as Record<string, unknown>[]
      const [{ id_str, truncated, created_at, ...post } = {}] = line
      assert.deepEqual([line.length, id_str, post.text, truncated], [1, data.id, text, false])
      assert.match(String(created_at), /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/)
      stream.close()
    },
  },
  {
    it: 'the rule of the powerstream is deleted',
    send: `DELETE ${POWERSTREAM}/rules`,
    json: { rules: [{ id: '{power_rule}' }] },
    status: 200,
    reply: { data: { deleted: 1, not_deleted: 0 } },
  },
]

const FIREHOSE = '/2/posts/firehose/stream'

/** Streams of all posts, with the number of their partitions. */
const VOLUMES = {
  '/2/posts/sample10/stream': 2,
  [FIREHOSE]: 20,
  '/2/likes/firehose/stream': 20,
  '/2/likes/sample10/stream': 2,
  [`${FIREHOSE}/lang/en`]: 8,
  [`${FIREHOSE}/lang/ja`]: 2,
  [`${FIREHOSE}/lang/ko`]: 2,
  [`${FIREHOSE}/lang/pt`]: 2,
}

const volumes: Area['rows'] = [
  {
    it: 'the small sample needs no partition',
    needs: 'user',
    async run(world) {
      const stream = await openStream(world, '{base_url}/2/posts/sample/stream')
      assert.equal(stream.status, 200)
      assert.equal(stream.headers['content-type'], JSON_TYPE)
      world.seen.calls.push({ method: 'GET', path: '/2/posts/sample/stream' })
      stream.close()
    },
  },
  ...Object.entries(VOLUMES).flatMap(([path, partitions]): Area['rows'] => [
    {
      it: `${path} opens for each of its partitions`,
      needs: 'user',
      async run(world) {
        for (const partition of [1, partitions]) {
          const stream = await openStream(world, `{base_url}${path}?partition=${partition}`)
          assert.equal(stream.status, 200)
          stream.close()
        }
        world.seen.calls.push({ method: 'GET', path })
      },
    },
    {
      it: `${path} has no more`,
      send: `GET {base_url}${path}`,
      query: { partition: `${partitions + 1}` },
      status: 400,
      reply: problem.invalidRequest([{ partition: [`${partitions + 1}`] }, string]),
    },
    {
      it: `${path} is for apps with an enterprise plan`,
      as: 'second app',
      send: `GET {base_url}${path}`,
      query: { partition: '1' },
      status: 403,
      reply: {
        title: 'Client Forbidden',
        detail: 'The app must have an enterprise plan to use this endpoint.',
        type: '{problem_base}/2/problems/client-forbidden',
        reason: 'client-not-enrolled',
        client_id: '{second_app}',
      },
    },
  ]),
  {
    it: 'a post is a line of one partition of the firehose',
    needs: 'user',
    async run(world) {
      const { variables } = world
      const streams = await Promise.all(
        Array.from({ length: 20 }, (_, n) => openStream(world, `{base_url}${FIREHOSE}?partition=${n + 1}`)),
      )
      const text = `A drop of the firehose ${variables.run}`
      const reply = await send(world, { send: 'POST {base_url}/2/posts', as: 'user', json: { text } })
      const { data } = JSON.parse(reply.text) as { data: { id: string } }
      const line = JSON.parse((await Promise.race(streams.map((stream) => stream.next()))) ?? '') as unknown
      assert.deepEqual(line, { data: { id: data.id, text, edit_history_post_ids: [data.id] } })
      for (const stream of streams) stream.close()
    },
  },
]

/** The second app has a rule meanwhile. */
const endedFromOutside: Area['rows'] = [
  {
    it: 'a rule of the second app',
    send: `POST ${STREAM}/rules`,
    as: 'second app',
    json: { add: [{ value: WORD }] },
    status: 201,
    reply: {
      data: [{ value: WORD, id: id64 }],
      meta: { sent: timeMs, summary: { created: 1, not_created: 0, valid: 1, invalid: 0 } },
    },
  },
  endedBy('a bearer that is revoked ends its stream', ['ForceDisconnect', REVOKED], async (world) => {
    const known = world.callers.get('second app')
    const form = { access_token: known?.scheme === 'bearer' ? known.token : '' }
    await send(world, { send: 'POST {base_url}/oauth2/invalidate_token', as: 'second basic', form })
    await keepBearer(world, 'second app', { send: 'POST {base_url}/oauth2/token', ...TOKEN })
  }),
  endedBy(
    'an app that is suspended ends its streams',
    ['ClientApplicationStateDegraded', DEGRADED],
    command('app', 'suspend'),
  ),
  {
    it: 'the suspension ends',
    needs: 'a command',
    run: async (world) => void (await command('app', 'restore')(world)),
  },
  endedBy(
    'an app that is no longer enrolled ends its streams',
    ['ClientApplicationStateDegraded', DEGRADED],
    command('app', 'unenroll'),
  ),
  {
    it: 'the app is enrolled again',
    needs: 'a command',
    run: async (world) => void (await command('app', 'enroll')(world)),
  },
  {
    it: 'the rule is deleted',
    send: `POST ${STREAM}/rules`,
    as: 'second app',
    query: { delete_all: 'true' },
    status: 200,
    reply: { meta: { sent: timeMs, summary: { deleted: 1, not_deleted: 0 } } },
  },
]

/** Sources: core reference, 00 sections 1 and 5.2; 03 sections 2 and 4. */
export const streams: Area = {
  name: 'streams of posts',
  base: '',
  as: 'app',
  rows: [
    {
      it: 'delete_all removes whatever an earlier run left',
      send: `POST ${STREAM}/rules`,
      query: { delete_all: 'true' },
      status: 200,
      reply: { meta: { sent: timeMs, summary: { deleted: integer, not_deleted: 0 } } },
    },
    {
      it: 'without rules, there is no stream',
      send: `GET ${STREAM}`,
      status: 409,
      reply: connectionProblem(
        'RuleConfigurationIssue',
        'You must define rules to connect to the stream. Add rules and try again.',
      ),
      limit: 50,
    },
    {
      it: 'a rule',
      send: `POST ${STREAM}/rules`,
      json: { add: [{ value: WORD, tag: 'mine' }] },
      status: 201,
      reply: {
        data: [{ value: WORD, tag: 'mine', id: keep('stream_rule', id64) }],
        meta: { sent: timeMs, summary: { created: 1, not_created: 0, valid: 1, invalid: 0 } },
      },
    },
    wrong(
      'backfill is at most five minutes',
      'backfill_minutes',
      '6',
      'The `backfill_minutes` query parameter value [6] is not between 0 and 5',
    ),
    wrong(
      'an end needs a start',
      'end_time',
      '2026-01-01T00:00:00Z',
      "Invalid 'end_time':'2026-01-01T00:00:00Z'. 'end_time' must be used with 'start_time'.",
    ),
    wrong(
      'times have an offset from UTC',
      'start_time',
      '2026-01-01T01:00:00',
      'The `start_time` query parameter value [2026-01-01T01:00:00] is not valid',
    ),
    wrong(
      'a recovery begins within the last 24 hours',
      'start_time',
      '2020-01-01T00:00:00Z',
      like(
        /^Invalid 'start_time':'2020-01-01T00:00:00Z'\. 'start_time' must be on or after \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
      ),
    ),
    {
      it: 'only apps may open it',
      send: `GET ${STREAM}`,
      as: 'user',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 1.0a User Context', 'OAuth 2.0 Application-Only'),
    },
    {
      it: 'a post that matches is a line with its rules',
      needs: 'user',
      async run(world) {
        const { seen, variables } = world
        open = await openStream(world, STREAM)
        assert.equal(open.status, 200)
        assert.equal(open.headers['content-type'], JSON_TYPE)
        assert.equal(open.headers['x-rate-limit-limit'], '50')
        seen.calls.push({ method: 'GET', path: '/2/posts/search/stream' })
        const text = `A ${WORD}`
        const reply = await send(world, { send: 'POST {base_url}/2/posts', as: 'user', json: { text } })
        assert.equal(reply.status, 201)
        variables.streamed = (JSON.parse(reply.text) as { data: { id: string } }).data.id
        const line = await open.next()
        assertMatches(
          JSON.parse(line ?? ''),
          {
            data: { id: '{streamed}', text, edit_history_post_ids: ['{streamed}'] },
            matching_rules: [{ id: '{stream_rule}', tag: 'mine' }],
          },
          variables,
        )
      },
    },
    {
      it: 'an app has one connection',
      send: `GET ${STREAM}`,
      status: 429,
      reply: connectionProblem(
        'TooManyConnections',
        'This stream is currently at the maximum allowed connection limit.',
      ),
      limit: 50,
    },
    {
      it: 'a recovery sends the posts of a span and ends',
      needs: 'user',
      async run(world) {
        const start = new Date(Date.now() - 600_000).toISOString()
        const past = await openStream(world, `${STREAM}?start_time=${start}`)
        assert.equal(past.status, 200)
        const line = JSON.parse((await past.next()) ?? '') as { data: { id: string } }
        assert.equal(line.data.id, world.variables.streamed)
        assert.equal(await past.next(), undefined)
      },
    },
    {
      it: 'a stream that is open is listed',
      send: `GET ${CONNECTIONS}`,
      query: { 'connection.fields': 'id,client_ip,disconnected_at', endpoints: 'filtered_stream' },
      status: 200,
      reply: {
        data: [
          {
            id: keep('connection', uuid),
            endpoint_name: 'filtered_stream',
            connected_at: objectTime,
            client_ip: string,
          },
        ],
        meta: { result_count: 1 },
      },
      limit: 25,
    },
    {
      it: 'streams that have ended are listed with their end',
      send: `GET ${CONNECTIONS}`,
      query: {
        status: 'inactive',
        endpoints: 'filtered_stream',
        max_results: '1',
        'connection.fields': 'disconnected_at,disconnect_reason',
      },
      status: 200,
      reply: {
        data: [
          {
            endpoint_name: 'filtered_stream',
            connected_at: objectTime,
            disconnected_at: objectTime,
            disconnect_reason: 'completed',
          },
        ],
        meta: { result_count: 1 },
      },
    },
    {
      it: 'another stream has no connection',
      send: `DELETE ${CONNECTIONS}/sample_stream`,
      status: 200,
      reply: { data: { successful_kills: 0, failed_kills: 0, results: [] } },
      limit: 25,
    },
    {
      it: 'a stream that there is not',
      send: `DELETE ${CONNECTIONS}/no_stream`,
      status: 400,
      reply: problem.invalidRequest([
        { endpoint_id: ['no_stream'] },
        "'endpoint_id' must be the name of a stream.",
      ]),
    },
    {
      it: 'a connection that there is not cannot be ended; others are',
      send: `DELETE ${CONNECTIONS}`,
      json: { uuids: [UNKNOWN, '{connection}'] },
      status: 200,
      reply: {
        data: {
          successful_kills: 1,
          failed_kills: 1,
          results: [
            { uuid: UNKNOWN, success: false, error_message: 'There is no such connection.' },
            { uuid: '{connection}', success: true },
          ],
        },
      },
      limit: 25,
    },
    {
      it: 'the last line of a stream that was ended says so',
      needs: 'user',
      async run({ seen, variables }) {
        const line = JSON.parse((await open?.next()) ?? '') as unknown
        assertMatches(
          line,
          ended('OperationalDisconnect', 'This stream has been disconnected for operational reasons.'),
          variables,
        )
        seen.error(200, line)
        assert.equal(await open?.next(), undefined)
      },
    },
    {
      it: 'the UUIDs may stand in the query',
      send: `DELETE ${CONNECTIONS}`,
      query: { uuids: '{connection}' },
      status: 200,
      reply: {
        data: {
          successful_kills: 0,
          failed_kills: 1,
          results: [
            { uuid: '{connection}', success: false, error_message: 'The connection had ended before.' },
          ],
        },
      },
    },
    {
      it: 'nothing names a connection',
      send: `DELETE ${CONNECTIONS}`,
      status: 400,
      reply: problem.invalidRequest([{ uuids: [] }, '$.uuids: is missing but it is required']),
    },
    {
      it: 'all connections are ended, when there is none as well',
      send: `DELETE ${CONNECTIONS}/all`,
      status: 200,
      reply: { data: { successful_kills: 0, failed_kills: 0, results: [] } },
      limit: 25,
    },
    ...powerstream,
    ...volumes,
    ...endedFromOutside,
  ],
}
