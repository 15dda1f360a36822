import type { Area, Exchange } from '../support/exchange.ts'
import { id64, keep, like, oneOf } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { exchange } from '../support/run.ts'

/** What a successful reply reports about what does not exist, or that another user has. */
const missing = (type: string, parameter: string, value: string) => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find ${type} with ${parameter}: [${value}].`,
  value,
  parameter,
  resource_id: value,
  resource_type: type,
})
const unknown = (value: string, parameter = 'id') => ({ errors: [missing('broadcast', parameter, value)] })
const noMessage = (parameter: string) => ({
  errors: [missing('broadcast_chat_message', parameter, '5')],
})
const conflict = (detail: string) => ({
  title: 'Conflict',
  type: '{problem_base}/2/problems/conflict',
  status: 409,
  detail,
})
const NOT_RUNNING = conflict('The broadcast is not running.')
const STARTED = conflict('Only a broadcast that has not started can be changed or deleted.')

const times = { scheduled_start_ms: '{broadcast_start}', scheduled_end_ms: '{broadcast_end}' }
const record = {
  broadcast_id: '{scheduled}',
  scheduled_broadcast_id: '{scheduled_number}',
  state: oneOf('Created', 'Scheduled'),
  title: 'Bread {run}',
  source_id: '{source}',
  ...times,
  manual_publish: true,
  available_for_replay: false,
}

/** With a source that receives, and a broadcast `live` that runs. */
const MADE: readonly (Exchange & { as: 'user' | 'advertiser' })[] = [
  {
    it: 'a broadcast is scheduled',
    send: 'POST {base_url}/2/broadcasts/scheduled',
    as: 'user',
    json: { source_id: '{source}', ...times, manual_publish: true, title: 'Bread {run}' },
    status: 201,
    reply: {
      data: {
        ...record,
        broadcast_id: keep('scheduled', like(/^[a-zA-Z0-9]{1,13}$/)),
        scheduled_broadcast_id: keep('scheduled_number', id64),
      },
    },
    limit: 300,
  },
  {
    it: 'and read',
    send: 'GET {base_url}/2/broadcasts/scheduled/{scheduled}',
    as: 'user',
    status: 200,
    reply: { data: record },
    limit: 300,
  },
  {
    it: 'and listed',
    send: 'GET {base_url}/2/broadcasts/scheduled',
    as: 'user',
    query: {
      oldest_start_time: '{broadcast_start}',
      newest_start_time: '{broadcast_start}',
      max_results: '1',
    },
    status: 200,
    reply: { data: [record] },
    limit: 300,
  },
  {
    it: 'and replaced',
    send: 'PUT {base_url}/2/broadcasts/scheduled/{scheduled}',
    as: 'user',
    json: {
      ...{ scheduled_broadcast_id: '{scheduled_number}', ...times, source_id: '{source}' },
      ...{ title: 'Bread {run}', manual_publish: true, available_for_replay: true },
    },
    status: 200,
    reply: { data: { ...record, available_for_replay: true } },
    limit: 300,
  },
  {
    it: 'it starts with a call',
    send: 'POST {base_url}/2/broadcasts/scheduled/{scheduled}/live',
    as: 'user',
    status: 200,
    reply: { data: { ...record, available_for_replay: true, state: 'Running' } },
    limit: 300,
  },
  {
    it: 'once',
    send: 'POST {base_url}/2/broadcasts/scheduled/{scheduled}/live',
    as: 'user',
    status: 409,
    reply: conflict('Only a broadcast that has not started can go live.'),
  },
  {
    it: 'one that runs is not replaced',
    send: 'PUT {base_url}/2/broadcasts/scheduled/{scheduled}',
    as: 'user',
    json: { scheduled_broadcast_id: '{scheduled_number}', ...times },
    status: 409,
    reply: STARTED,
  },
  {
    it: 'nor deleted',
    send: 'DELETE {base_url}/2/broadcasts/scheduled/{scheduled}',
    as: 'user',
    status: 409,
    reply: STARTED,
  },
  {
    it: 'a source that receives no video',
    send: 'POST {base_url}/2/broadcasts/scheduled/{silent}/live',
    as: 'user',
    status: 409,
    reply: conflict('The source of the broadcast is not receiving video.'),
  },
  {
    it: 'one that has not started is deleted',
    send: 'DELETE {base_url}/2/broadcasts/scheduled/{silent}',
    as: 'user',
    query: { roll_forward: 'true' },
    status: 200,
    reply: { data: { deleted: true } },
    limit: 300,
  },
  {
    it: 'a broadcast with fields; what is empty is left out',
    send: 'GET {base_url}/2/broadcasts/{live}',
    as: 'user',
    query: {
      'broadcast.fields': 'service_user_id,total_watching,language,media_key,share_url,post_id,end_ms',
    },
    status: 200,
    reply: {
      data: {
        ...{ id: '{live}', broadcast_id: '{live}', state: 'Running', title: 'Live {run}' },
        ...{ service_user_id: '{user}', total_watching: '0', language: 'en' },
      },
    },
    limit: 300,
  },
  {
    it: 'broadcasts by their ids',
    send: 'GET {base_url}/2/broadcasts',
    as: 'user',
    query: { ids: '{live},none' },
    status: 200,
    reply: {
      data: [{ id: '{live}', broadcast_id: '{live}', state: 'Running', title: 'Live {run}' }],
      ...unknown('none', 'ids'),
      meta: { result_count: 1 },
    },
    limit: 300,
  },
  {
    it: 'only its owner finds it',
    send: 'GET {base_url}/2/broadcasts/{live}',
    as: 'advertiser',
    status: 200,
    reply: unknown('{live}'),
  },
  {
    it: 'any user writes in the chat',
    send: 'POST {base_url}/2/broadcasts/{live}/chat',
    as: 'advertiser',
    json: { text: 'Hello {run}' },
    status: 200,
    reply: { data: { success: true, timestamp: keep('message', id64) } },
    limit: 100,
  },
  {
    it: 'a reply to no message',
    send: 'POST {base_url}/2/broadcasts/{live}/chat',
    as: 'user',
    json: { text: 'Hello', reply_to: '5' },
    status: 200,
    reply: noMessage('reply_to'),
  },
  {
    it: 'the owner reads the chat',
    send: 'GET {base_url}/2/broadcasts/{live}/chat',
    as: 'user',
    query: { 'broadcast_chat_message.fields': 'author_username,broadcast_id', expansions: 'author_id' },
    status: 200,
    reply: {
      data: [
        {
          ...{ id: '{message}', text: 'Hello {run}', author_id: '{advertiser}' },
          ...{ author_username: 'advertiser', broadcast_id: '{live}' },
        },
      ],
      includes: { users: [{ id: '{advertiser}', name: like(/./), username: 'advertiser' }] },
      meta: { result_count: 1 },
    },
    limit: 300,
  },
  {
    it: 'the chat is moderated by the owner',
    send: 'DELETE {base_url}/2/broadcasts/{live}/chat/{message}',
    as: 'advertiser',
    status: 403,
    reply: problem.forbidden('Only the owner of a broadcast may moderate its chat.'),
  },
  {
    it: 'who mutes a user',
    send: 'POST {base_url}/2/broadcasts/{live}/chat/mutes',
    as: 'user',
    json: { user_id: '{advertiser}' },
    status: 200,
    reply: { data: { muted: true } },
    limit: 300,
  },
  {
    it: 'who no longer writes',
    send: 'POST {base_url}/2/broadcasts/{live}/chat',
    as: 'advertiser',
    json: { text: 'Hello again' },
    status: 403,
    reply: problem.forbidden('The owner of the broadcast has muted you.'),
  },
  {
    it: 'until the mute ends',
    send: 'DELETE {base_url}/2/broadcasts/{live}/chat/mutes/{advertiser}',
    as: 'user',
    status: 200,
    reply: { data: { muted: false } },
    limit: 300,
  },
  {
    it: 'and deletes a message',
    send: 'DELETE {base_url}/2/broadcasts/{live}/chat/{message}',
    as: 'user',
    status: 200,
    reply: { data: { deleted: true } },
    limit: 300,
  },
  {
    it: 'a message that is gone',
    send: 'DELETE {base_url}/2/broadcasts/{live}/chat/5',
    as: 'user',
    status: 200,
    reply: noMessage('message_id'),
  },
]

/** After its end. */
const ENDED: readonly (Exchange & { as: 'user' })[] = [
  {
    it: 'nobody writes after the end',
    send: 'POST {base_url}/2/broadcasts/{live}/chat',
    as: 'user',
    json: { text: 'Hello' },
    status: 409,
    reply: NOT_RUNNING,
  },
  {
    it: 'nor deletes',
    send: 'DELETE {base_url}/2/broadcasts/{live}/chat/5',
    as: 'user',
    status: 409,
    reply: NOT_RUNNING,
  },
  {
    it: 'nor mutes',
    send: 'POST {base_url}/2/broadcasts/{live}/chat/mutes',
    as: 'user',
    json: { user_id: '{advertiser}' },
    status: 409,
    reply: NOT_RUNNING,
  },
]

const HOUR_MS = 3_600_000
const changed = {
  scheduled_broadcast_id: '5',
  scheduled_start_ms: '9999999999999',
  scheduled_end_ms: '9999999999999',
}

/** Core reference, 09 part C. */
export const broadcasts: Area = {
  name: 'broadcasts',
  base: '{base_url}',
  as: 'user',
  rows: [
    ...(
      [
        ['GET /2/broadcasts/none', undefined],
        ['GET /2/broadcasts/none/chat', undefined],
        ['POST /2/broadcasts/none/chat', { text: 'Hello' }],
        ['DELETE /2/broadcasts/none/chat/5', undefined],
        ['POST /2/broadcasts/none/chat/mutes', { user_id: '5' }],
        ['DELETE /2/broadcasts/none/chat/mutes/5', undefined],
        ['GET /2/broadcasts/scheduled/none', undefined],
        ['PUT /2/broadcasts/scheduled/none', changed],
        ['DELETE /2/broadcasts/scheduled/none', undefined],
        ['POST /2/broadcasts/scheduled/none/live', undefined],
      ] as const
    ).map(
      ([send, json]): Exchange => ({
        it: `a broadcast that there is not: ${send}`,
        send,
        ...(json && { json }),
        status: 200,
        reply: unknown('none'),
      }),
    ),
    {
      it: 'ids exclude paging',
      send: 'GET /2/broadcasts',
      query: { ids: 'none', pagination_token: 'none' },
      status: 400,
      reply: problem.invalidRequest([
        { pagination_token: ['none'] },
        'The `pagination_token` query parameter cannot be combined with `ids`',
      ]),
    },
    {
      it: 'a source that the user has not',
      send: 'POST /2/broadcasts/scheduled',
      json: { source_id: 'none', scheduled_start_ms: '1', scheduled_end_ms: '2' },
      status: 400,
      reply: problem.invalidRequest([{ scheduled_start_ms: ['1'] }, 'The start must be in the future.']),
    },
    {
      it: 'an app has no broadcasts',
      send: 'GET /2/broadcasts',
      as: 'app',
      status: 403,
      reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
    },
    {
      it: 'an operator makes sources and broadcasts, and users work with them',
      needs: 'a command',
      async run(world) {
        const { server, variables } = world
        const command = async (...words: string[]) =>
          JSON.parse((await server.command?.('broadcast', ...words, '--json')) ?? '') as { id: string }
        const start = Date.now() + HOUR_MS
        const source = `studio-${String(variables.run)}`
        const spans = { broadcast_start: String(start), broadcast_end: String(start + HOUR_MS) }
        Object.assign(variables, { source, ...spans })
        await command('source', source, '--owner=demo', '--receiving')
        await command('source', `off-${source}`, '--owner=demo')
        const title = `--title=Live ${String(variables.run)}`
        variables.live = (await command('start', '--owner=demo', title)).id
        const at = `--at=${new Date(start + HOUR_MS).toISOString()}`
        const silent = [
          at,
          '--minutes=60',
          '--owner=demo',
          '--title=Off',
          '--manual',
          `--source=off-${source}`,
        ]
        variables.silent = (await command('schedule', ...silent)).id
        for (const row of MADE) await exchange(row, world)
        await command('end', String(variables.live))
        for (const row of ENDED) await exchange(row, world)
      },
    },
  ],
}
