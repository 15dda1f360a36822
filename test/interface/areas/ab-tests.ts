import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange, Story } from '../support/exchange.ts'
import { base36, keep, like, time } from '../support/match.ts'
import { resolve } from '../support/variables.ts'
import { send } from '../support/world.ts'

const PATH = '/accounts/{account}/ab_tests'
const TIMES = { start_time: '2031-05-04T07:00:00Z', end_time: '2031-05-11T07:00:00Z' }

/** Three campaigns, and two line items of the third. */
const campaigns: Story = {
  it: 'campaigns and line items to compare',
  needs: 'advertiser',
  async run(world) {
    const base = resolve('/12/accounts/{account}', world.variables)
    const make = async (path: string, form: Record<string, string>) => {
      const request = { send: `POST {ads_sandbox_url}${base}${path}`, as: 'advertiser', form } as const
      const reply = await send(world, request)
      assert.equal(reply.status, 201, reply.text)
      world.seen.calls.push({ method: 'POST', path: base + path })
      return (JSON.parse(reply.text) as { data: { id: string } }).data.id
    }
    const funding_instrument_id = resolve('{funding}', world.variables)
    for (const name of ['blue', 'red', 'green'])
      world.variables[name] = await make('/campaigns', { name, funding_instrument_id })
    const kind = { objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' }
    for (const name of ['light', 'dark'])
      world.variables[name] = await make('/line_items', {
        campaign_id: String(world.variables.green),
        ...kind,
      })
  },
}

const person = { user_id: '{advertiser}', username: keep('creator', like(/^[A-Za-z0-9_]{1,15}$/)) }
const group = (id: unknown, size: string, entity: string) => ({
  ...{ id, name: null, description: null, size, entity_ids: [entity] },
})

const abTest = {
  id: '{ab_test}',
  name: 'Colours',
  description: null,
  entity_type: 'CAMPAIGN',
  ...TIMES,
  status: 'SCHEDULED',
  user_groups: [
    { ...group('{blue_group}', '60.5', '{blue}'), name: 'Blue' },
    group('{red_group}', '39.5', '{red}'),
  ],
  entities: [
    { id: '{blue_group}', account_id: '{account}' },
    { id: '{red_group}', account_id: '{account}' },
  ],
  created_by: person,
  updated_by: person,
  created_at: time,
  updated_at: time,
  deleted: false,
}

const body = {
  name: 'Colours',
  entity_type: 'CAMPAIGN',
  ...TIMES,
  user_groups: [
    { name: 'Blue', size: '60.50', entity_ids: ['{blue}'] },
    { size: 39.5, entity_ids: ['{red}'] },
  ],
}
const echo = {
  ...body,
  user_groups: [
    { name: 'Blue', size: '60.5', entity_ids: ['{blue}'] },
    { size: '39.5', entity_ids: ['{red}'] },
  ],
}

const rejected = (it: string, json: object, ...errors: readonly unknown[]): Exchange => ({
  it,
  send: `POST ${PATH}`,
  json,
  status: 400,
  reply: ads.errors(own(), ...errors),
})
const wrongGroups = (message: string) => ads.error('INVALID', message, { attribute: 'user_groups' })
const wrongWindow = (message: string, parameter: string) =>
  ads.error('INVALID_TIME_WINDOW', message, { parameter })
const notFound = (it: string, method: string, json?: object): Exchange => ({
  it,
  send: `${method} ${PATH}/zzz`,
  ...(json && { json }),
  status: 404,
  reply: ads.errors(
    own({ ab_test_id: 'zzz' }),
    ads.error('NOT_FOUND', 'A/B Test zzz was not found for Account {account}', { parameter: 'ab_test_id' }),
  ),
})
const listed = (it: string, query: Record<string, string>, params: object, data: unknown[]): Exchange => ({
  it,
  send: `GET ${PATH}`,
  query,
  status: 200,
  reply: ads.list(own({ ...query, ...params }), data),
  limit: READS,
})

const writes: Exchange[] = [
  {
    it: 'one is made with a JSON body, which is repeated; sizes have at least one decimal',
    send: `POST ${PATH}`,
    json: body,
    status: 201,
    reply: ads.single(own(echo), {
      ...abTest,
      id: keep('ab_test', base36),
      user_groups: [
        { ...group(keep('blue_group', base36), '60.5', '{blue}'), name: 'Blue' },
        group(keep('red_group', base36), '39.5', '{red}'),
      ],
    }),
    limit: WRITES,
  },
  {
    it: 'one of line items: each in a group of its own, all of one campaign',
    send: `POST ${PATH}`,
    json: {
      ...{ entity_type: 'LINE_ITEM', ...TIMES },
      user_groups: [
        { size: '50', entity_ids: ['{light}'] },
        { size: '50', entity_ids: ['{dark}'] },
      ],
    },
    status: 201,
    reply: ads.single(
      own({
        ...{ entity_type: 'LINE_ITEM', ...TIMES },
        user_groups: [
          { size: '50.0', entity_ids: ['{light}'] },
          { size: '50.0', entity_ids: ['{dark}'] },
        ],
      }),
      {
        ...abTest,
        ...{ id: keep('items_test', base36), name: null, entity_type: 'LINE_ITEM' },
        user_groups: [
          group(keep('light_group', base36), '50.0', '{light}'),
          group(keep('dark_group', base36), '50.0', '{dark}'),
        ],
        entities: [
          { id: '{light_group}', account_id: '{account}' },
          { id: '{dark_group}', account_id: '{account}' },
        ],
      },
    ),
  },
  {
    it: 'a group with an id is changed, and the others are left',
    send: `PUT ${PATH}/{ab_test}`,
    json: { user_groups: [{ id: '{blue_group}', name: null, description: 'Sky' }] },
    status: 200,
    reply: ads.single(
      own({
        ab_test_id: '{ab_test}',
        user_groups: [{ id: '{blue_group}', name: null, description: 'Sky' }],
      }),
      {
        ...abTest,
        user_groups: [
          { ...group('{blue_group}', '60.5', '{blue}'), description: 'Sky' },
          abTest.user_groups[1],
        ],
      },
    ),
    limit: WRITES,
  },
  {
    it: 'groups without ids replace all',
    send: `PUT ${PATH}/{ab_test}`,
    json: { user_groups: body.user_groups },
    status: 200,
    reply: ads.single(own({ ab_test_id: '{ab_test}', user_groups: echo.user_groups }), {
      ...abTest,
      user_groups: [
        { ...group(keep('blue_group', base36), '60.5', '{blue}'), name: 'Blue' },
        group(keep('red_group', base36), '39.5', '{red}'),
      ],
    }),
  },
]

const reads: Exchange[] = [
  {
    it: 'one is read',
    send: `GET ${PATH}/{ab_test}`,
    status: 200,
    reply: ads.single(own({ ab_test_id: '{ab_test}' }), abTest),
    limit: READS,
  },
  listed('the list of some', { ab_test_ids: '{ab_test}' }, { ab_test_ids: ['{ab_test}'] }, [abTest]),
  listed('those whose name begins so', { q: 'COL', status: 'SCHEDULED' }, {}, [abTest]),
  listed('none is live', { status: 'LIVE' }, {}, []),
  listed(
    'none has ended',
    { status: 'COMPLETED', sort_by: 'end_time-asc' },
    { sort_by: ['end_time-asc'] },
    [],
  ),
  listed(
    'those that overlap some time',
    { live_during: '2031-05-01,2031-05-04T08:00:00Z', q: 'colours' },
    { live_during: ['2031-05-01T00:00:00Z', '2031-05-04T08:00:00Z'] },
    [abTest],
  ),
  listed(
    'none of them begins earlier',
    { live_during: '2031-05-01,2031-05-04T07:00:00Z' },
    { live_during: ['2031-05-01T00:00:00Z', '2031-05-04T07:00:00Z'] },
    [],
  ),
  listed('those of a creator', { user_id: '{advertiser}', q: 'c' }, {}, [abTest]),
  listed('the same by name', { username: '{creator}', q: 'c' }, {}, [abTest]),
  {
    it: 'a creator by id or by name',
    send: `GET ${PATH}`,
    query: { user_id: '{advertiser}', username: '{creator}' },
    status: 400,
    reply: ads.errors(
      own({ user_id: '{advertiser}', username: '{creator}' }),
      ads.error('EXCLUSIVE_PARAMETERS', 'user_id and username are exclusive parameters', {
        parameter: 'username',
      }),
    ),
  },
  {
    it: 'the earlier time first',
    send: `GET ${PATH}`,
    query: { live_during: '2031-05-04,2031-05-01' },
    status: 400,
    reply: ads.errors(
      own({ live_during: ['2031-05-04T00:00:00Z', '2031-05-01T00:00:00Z'] }),
      wrongWindow('Expected the earlier time first for live_during', 'live_during'),
    ),
  },
  {
    it: 'a state that does not exist',
    send: `GET ${PATH}`,
    query: { status: 'DRAFT' },
    status: 400,
    reply: ads.errors(
      own(),
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value in SCHEDULED, LIVE, COMPLETED, got "DRAFT" for status',
        { parameter: 'status' },
      ),
    ),
  },
]

const errors: Exchange[] = [
  rejected(
    'the type, the times and the groups must be there',
    {},
    ...['entity_type', 'start_time', 'end_time', 'user_groups'].map((parameter) =>
      ads.error('MISSING_PARAMETER', `"${parameter}" is a required parameter`, { parameter }),
    ),
  ),
  rejected(
    'a size from 1.00 to 99.00',
    { ...body, user_groups: [{ size: '100', entity_ids: ['{blue}'] }] },
    ads.error(
      'INVALID_PARAMETER',
      'Expected a number from 1.00 to 99.00 with up to two decimals, got "100" for user_groups[0].size',
      { parameter: 'user_groups[0].size' },
    ),
  ),
  rejected(
    'a start in the past',
    { ...body, user_groups: [], start_time: '2026-01-01T00:00:00Z' },
    wrongGroups('Expected 2 to 30 groups, got 0 for user_groups'),
    wrongGroups('Expected sizes that add up to 100.0, got 0.0 for user_groups'),
    wrongWindow('Expected a time in the future, got "2026-01-01T00:00:00Z" for start_time', 'start_time'),
  ),
  rejected(
    'campaigns that do not exist, and belong to one test only; at least a day',
    {
      ...{ ...body, end_time: '2031-05-05T06:59:59Z' },
      user_groups: [
        { size: 50, entity_ids: ['{blue}', 'zzz'] },
        { size: 49, entity_ids: ['{blue}'] },
      ],
    },
    wrongGroups('Expected sizes that add up to 100.0, got 99.0 for user_groups'),
    wrongGroups('Campaign {blue} is in user_groups twice'),
    wrongGroups('Campaign zzz was not found for Account {account}'),
    wrongGroups('Campaign {blue} belongs to A/B Test {ab_test}'),
    wrongWindow(
      'Expected at least 1 day after start_time, got "2031-05-05T06:59:59Z" for end_time',
      'end_time',
    ),
  ),
  {
    it: 'what is compared stays the same',
    send: `PUT ${PATH}/{ab_test}`,
    json: { entity_type: 'LINE_ITEM' },
    status: 400,
    reply: ads.errors(
      own({ ab_test_id: '{ab_test}' }),
      ads.error('INVALID_PARAMETER', 'setting entity_type is not allowed', { parameter: 'entity_type' }),
    ),
  },
  {
    it: 'groups that replace others need what new ones need',
    send: `PUT ${PATH}/{ab_test}`,
    json: { user_groups: [{ name: 'x' }] },
    status: 400,
    reply: ads.errors(
      own({ ab_test_id: '{ab_test}' }),
      ...['size', 'entity_ids'].map((name) =>
        ads.error('MISSING_PARAMETER', `"user_groups[0].${name}" is a required parameter`, {
          parameter: `user_groups[0].${name}`,
        }),
      ),
    ),
  },
  notFound('one that is not there', 'GET'),
  notFound('nor is it changed', 'PUT', { name: 'x' }),
  notFound('nor deleted', 'DELETE'),
]

const deletion: Exchange[] = [
  {
    it: 'one is deleted',
    send: `DELETE ${PATH}/{ab_test}`,
    status: 200,
    reply: ads.single(own({ ab_test_id: '{ab_test}' }), { ...abTest, deleted: true }),
    limit: WRITES,
  },
  {
    it: 'and then not found',
    send: `DELETE ${PATH}/{ab_test}`,
    status: 404,
    reply: ads.errors(
      own({ ab_test_id: '{ab_test}' }),
      ads.error('NOT_FOUND', 'A/B Test {ab_test} was not found for Account {account}', {
        parameter: 'ab_test_id',
      }),
    ),
  },
  {
    it: 'unless deleted ones are asked for',
    send: `GET ${PATH}`,
    query: { ab_test_ids: '{ab_test}', with_deleted: 'true' },
    status: 200,
    reply: ads.list(own({ ab_test_ids: ['{ab_test}'], with_deleted: true }), [{ ...abTest, deleted: true }]),
  },
]

/** Source: advertising reference, 08 section 7. What depends on the time is in the journeys. */
export const abTests: Area = {
  name: 'A/B tests',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [campaigns, ...writes, ...reads, ...errors, ...deletion],
}
