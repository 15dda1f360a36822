import type { Area, Exchange } from '../support/exchange.ts'
import { objectTime } from '../support/match.ts'
import * as problem from '../support/problems.ts'
import { exchange } from '../support/run.ts'

/** What a successful reply reports about a space that does not exist. */
const missing = (parameter: string, value: string) => ({
  title: 'Not Found Error',
  type: '{problem_base}/2/problems/resource-not-found',
  detail: `Could not find space with ${parameter}: [${value}].`,
  value,
  parameter,
  resource_id: value,
  resource_type: 'space',
})

const live = { id: '{space}', state: 'live' }

const FIELDS =
  'created_at,creator_id,ended_at,host_ids,id,invited_user_ids,is_ticketed,lang,participant_count,scheduled_start,speaker_ids,started_at,state,subscriber_count,title,topic_ids,updated_at'

/** A space that an operator has started. */
const STARTED: readonly (Exchange & { as: 'app' | 'user' | 'advertiser' })[] = [
  {
    it: 'every field may be requested, and what is empty is left out',
    send: 'GET {base_url}/2/spaces/{space}',
    as: 'app',
    query: { 'space.fields': FIELDS, expansions: 'host_ids' },
    status: 200,
    reply: {
      data: {
        ...live,
        created_at: objectTime,
        creator_id: '{user}',
        host_ids: ['{user}'],
        is_ticketed: false,
        participant_count: 1,
        started_at: objectTime,
        subscriber_count: 0,
        title: 'Cats {run}',
        updated_at: objectTime,
      },
      includes: { users: [{ id: '{user}', name: 'Demo Developer', username: 'demo' }] },
    },
  },
  {
    it: 'spaces by their ids',
    send: 'GET {base_url}/2/spaces',
    as: 'user',
    query: { ids: 'none,{space}' },
    status: 200,
    reply: { data: [live], errors: [missing('ids', 'none')] },
    limit: 300,
  },
  {
    it: 'spaces of a user',
    send: 'GET {base_url}/2/spaces/by/creator_ids',
    as: 'app',
    query: { user_ids: '{user}' },
    status: 200,
    reply: { data: [live], meta: { result_count: 1 } },
  },
  {
    it: 'spaces by the words of their titles; fields of topics, which no space has, may be requested',
    send: 'GET {base_url}/2/spaces/search',
    as: 'user',
    query: {
      query: 'cats {run}',
      state: 'live',
      expansions: 'topic_ids',
      'topic.fields': 'description,id,name',
    },
    status: 200,
    reply: { data: [live], meta: { result_count: 1 } },
    limit: 300,
  },
  {
    it: 'it sells no tickets',
    send: 'GET {base_url}/2/spaces/{space}/buyers',
    as: 'user',
    status: 200,
    reply: { meta: { result_count: 0 } },
    limit: 300,
  },
  {
    it: 'who buys tickets is for its creator alone',
    send: 'GET {base_url}/2/spaces/{space}/buyers',
    as: 'advertiser',
    status: 403,
    reply: problem.forbidden('Only the creator of a space may see who bought its tickets.'),
  },
  {
    it: 'buyers need a user',
    send: 'GET {base_url}/2/spaces/{space}/buyers',
    as: 'app',
    status: 403,
    reply: problem.unsupportedAuthentication('OAuth 2.0 Application-Only', problem.USERS),
  },
  {
    it: 'nothing was shared in it',
    send: 'GET {base_url}/2/spaces/{space}/posts',
    as: 'app',
    status: 200,
    reply: { meta: { result_count: 0 } },
  },
]

/** Sources: core reference, 00 sections 3.3 and 8; 02 section 6.2. */
export const spaces: Area = {
  name: 'spaces',
  base: '{base_url}',
  as: 'app',
  rows: [
    {
      it: 'a space that there is not',
      send: 'GET /2/spaces/none',
      status: 200,
      reply: { errors: [missing('id', 'none')] },
      limit: 300,
    },
    {
      it: 'an id that is none',
      send: 'GET /2/spaces/1-2',
      status: 400,
      reply: problem.invalidRequest([{ id: ['1-2'] }, 'The `id` path parameter value [1-2] is not valid']),
    },
    {
      it: 'spaces that there are not',
      send: 'GET /2/spaces',
      query: { ids: 'none' },
      status: 200,
      reply: { errors: [missing('ids', 'none')] },
      limit: 300,
    },
    {
      it: 'a user without spaces',
      send: 'GET /2/spaces/by/creator_ids',
      query: { user_ids: '{advertiser}' },
      status: 200,
      reply: { meta: { result_count: 0 } },
      limit: 300,
    },
    {
      it: 'a search that finds nothing',
      send: 'GET /2/spaces/search',
      query: { query: 'nothing like {run}' },
      status: 200,
      reply: { meta: { result_count: 0 } },
      limit: 300,
    },
    {
      it: 'a search without words',
      send: 'GET /2/spaces/search',
      query: { query: '!' },
      status: 400,
      reply: problem.invalidRequest([
        { query: ['!'] },
        'The `query` query parameter value [!] must have 1 to 35 words',
      ]),
    },
    {
      it: 'a state that cannot be searched',
      send: 'GET /2/spaces/search',
      query: { query: 'cats', state: 'ended' },
      status: 400,
      reply: problem.invalidRequest([
        { state: ['ended'] },
        'The `state` query parameter value [ended] is not one of [all,live,scheduled]',
      ]),
    },
    {
      it: 'posts of a space that there is not',
      send: 'GET /2/spaces/none/posts',
      status: 200,
      reply: { errors: [missing('id', 'none')] },
      limit: 300,
    },
    {
      it: 'an operator starts a space, and everyone finds it',
      needs: 'a command',
      async run(world) {
        const title = `--title=Cats ${String(world.variables.run)}`
        const printed = await world.server.command?.('space', 'start', '--creator=demo', title, '--json')
        world.variables.space = (JSON.parse(printed ?? '') as { id: string }).id
        for (const row of STARTED) await exchange(row, world)
      },
    },
  ],
}
