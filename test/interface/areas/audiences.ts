import { createHash } from 'node:crypto'
import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { base36, keep, strings, time } from '../support/match.ts'

/** A value that was normalised, and hashed with SHA-256. */
const hashed = (value: string) => createHash('sha256').update(value).digest('hex')
const users = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: [hashed(`user${n}@example.com`)] }))

const audience = {
  id: '{audience}',
  name: 'developers {run}',
  description: null,
  audience_type: 'CRM',
  targetable_types: ['CRM', 'EXCLUDED_CRM'],
  targetable: false,
  reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
  audience_size: null,
  permission_level: 'READ_WRITE',
  owner_account_id: '{account}',
  is_owner: true,
  partner_source: 'OTHER',
  created_at: time,
  updated_at: time,
  deleted: false,
}

const customAudiences: Exchange[] = [
  {
    it: 'one is made',
    send: 'POST /accounts/{account}/custom_audiences',
    form: { name: 'developers {run}' },
    status: 201,
    reply: ads.single(own({ name: 'developers {run}' }), { ...audience, id: keep('audience', base36) }),
    limit: WRITES,
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/custom_audiences/{audience}',
    status: 200,
    reply: ads.single(own({ custom_audience_id: '{audience}' }), audience),
    limit: READS,
  },
  {
    it: 'the list',
    send: 'GET /accounts/{account}/custom_audiences',
    query: { q: 'DEV', permission_scope: 'OWNER' },
    status: 200,
    reply: ads.list(own({ q: 'DEV', permission_scope: 'OWNER' }), [audience]),
    limit: READS,
  },
  {
    it: 'one is changed',
    send: 'PUT /accounts/{account}/custom_audiences/{audience}',
    form: { description: 'of apps' },
    status: 200,
    reply: ads.single(own({ custom_audience_id: '{audience}', description: 'of apps' }), {
      ...audience,
      description: 'of apps',
    }),
    limit: WRITES,
  },
  {
    it: 'a name is given once',
    send: 'POST /accounts/{account}/custom_audiences',
    form: { name: 'developers {run}' },
    status: 400,
    reply: ads.errors(
      own({ name: 'developers {run}' }),
      ads.error(
        'INVALID_PARAMETER',
        'Expected a name that no other audience of Account {account} has, got "developers {run}" for name',
        { parameter: 'name' },
      ),
    ),
  },
  {
    it: 'one that is not there',
    send: 'GET /accounts/{account}/custom_audiences/zzz',
    status: 404,
    reply: ads.errors(
      own({ custom_audience_id: 'zzz' }),
      ads.error('TAILORED_AUDIENCE_NOT_FOUND', 'Custom Audience zzz was not found for Account {account}', {
        parameter: 'custom_audience_id',
      }),
    ),
  },
  {
    it: 'nothing targets it',
    send: 'GET /accounts/{account}/custom_audiences/{audience}/targeted',
    query: { with_active: 'false' },
    status: 200,
    reply: ads.list(own({ custom_audience_id: '{audience}', with_active: false }), []),
    limit: READS,
  },
]

const former = { ...audience, id: '{former}', name: 'testers {run}' }
const batched = { ...audience, id: keep('batched', base36), name: 'batched {run}' }
const ofFormer = (params: object = {}) => own({ tailored_audience_id: '{former}', ...params })

/** Source: advertising reference, 08 sections 5 and 10. */
const formerName: Exchange[] = [
  {
    it: 'one is made under the former name',
    send: 'POST /accounts/{account}/tailored_audiences',
    form: { name: 'testers {run}' },
    status: 201,
    reply: ads.single(own({ name: 'testers {run}' }), { ...former, id: keep('former', base36) }),
    limit: WRITES,
  },
  {
    it: 'it is the same one',
    send: 'GET /accounts/{account}/custom_audiences/{former}',
    status: 200,
    reply: ads.single(own({ custom_audience_id: '{former}' }), former),
  },
  {
    it: 'one is read under the former name',
    send: 'GET /accounts/{account}/tailored_audiences/{former}',
    status: 200,
    reply: ads.single(ofFormer(), former),
    limit: READS,
  },
  {
    it: 'the list under the former name',
    send: 'GET /accounts/{account}/tailored_audiences',
    query: { tailored_audience_ids: '{former}' },
    status: 200,
    reply: ads.list(own({ tailored_audience_ids: ['{former}'] }), [former]),
    limit: READS,
  },
  {
    it: 'one is changed under the former name',
    send: 'PUT /accounts/{account}/tailored_audiences/{former}',
    form: { description: 'of apps' },
    status: 200,
    reply: ads.single(ofFormer({ description: 'of apps' }), { ...former, description: 'of apps' }),
    limit: WRITES,
  },
  {
    it: 'what targets it under the former name',
    send: 'GET /accounts/{account}/tailored_audiences/{former}/targeted',
    status: 200,
    reply: ads.list(ofFormer(), []),
    limit: READS,
  },
  {
    it: 'users are added under the former name',
    send: 'POST /accounts/{account}/tailored_audiences/{former}/users',
    json: [{ operation_type: 'Update', params: { users: users(1) } }],
    status: 200,
    reply: { request: { params: ofFormer() }, data: { success_count: 1, total_count: 1 } },
    limit: 1500,
  },
  {
    it: 'one is deleted under the former name',
    send: 'DELETE /accounts/{account}/tailored_audiences/{former}',
    status: 200,
    reply: ads.single(ofFormer(), {
      ...former,
      description: 'of apps',
      reasons_not_targetable: ['TOO_SMALL'],
      deleted: true,
    }),
    limit: WRITES,
  },
  {
    it: 'and is then not there',
    send: 'GET /accounts/{account}/tailored_audiences/{former}',
    status: 404,
    reply: ads.errors(
      ofFormer(),
      ads.error(
        'TAILORED_AUDIENCE_NOT_FOUND',
        'Tailored Audience {former} was not found for Account {account}',
        {
          parameter: 'tailored_audience_id',
        },
      ),
    ),
  },
  ...(['custom', 'tailored'] as const).map(
    (kind): Exchange => ({
      it: `a batch of ${kind} audiences`,
      send: `POST /batch/accounts/{account}/${kind}_audiences`,
      json: [
        { operation_type: 'Create', params: { name: 'batched {run}' } },
        {
          operation_type: 'Update',
          params: { [`${kind}_audience_id`]: '{audience}', description: 'of apps' },
        },
      ],
      status: 400,
      ...(kind === 'custom' && { status: 200 }),
      reply: {
        ...(kind === 'custom'
          ? { data: [batched, { ...audience, description: 'of apps' }] }
          : {
              operation_errors: [
                [
                  ads.error(
                    'INVALID_PARAMETER',
                    'Expected a name that no other audience of Account {account} has, got "batched {run}" for name',
                    { parameter: 'name' },
                  ),
                ],
                [],
              ],
            }),
        request: [
          { operation_type: 'Create', params: own({ name: 'batched {run}' }) },
          {
            operation_type: 'Update',
            params: own({ [`${kind}_audience_id`]: '{audience}', description: 'of apps' }),
          },
        ],
      },
    }),
  ),
  {
    it: 'a batch under the former name deletes',
    send: 'POST /batch/accounts/{account}/tailored_audiences',
    json: [{ operation_type: 'Delete', params: { tailored_audience_id: '{batched}' } }],
    status: 200,
    reply: {
      data: [{ ...batched, id: '{batched}', reasons_not_targetable: ['TOO_SMALL'], deleted: true }],
      request: [{ operation_type: 'Delete', params: own({ tailored_audience_id: '{batched}' }) }],
    },
    limit: WRITES,
  },
]

const flexibleBatch = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST /batch/accounts/{account}/custom_audiences',
  ...row,
})
const segments = {
  boolean_operator: 'AND',
  child_segments: [
    { custom_audience_id: '{audience}', lookback_window: 30 },
    { custom_audience_id: '{audience}', lookback_window: 7, negate: true },
  ],
}
const flexibleParams = { name: 'lapsed {run}', audience_type: 'FLEXIBLE', segments }
const segmentDefaults = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false, child_segments: [] }
const flexible = {
  ...audience,
  id: '{flexible}',
  name: 'lapsed {run}',
  audience_type: 'FLEXIBLE',
  targetable_types: ['FLEXIBLE', 'EXCLUDED_FLEXIBLE'],
  metadata: [
    {
      custom_audience_id: '{flexible}',
      account_id: '{account}',
      name: 'lapsed {run}',
      audience_source: 'FLEXIBLE_AUDIENCE',
      upload_status: 'UPLOADED',
      segments: {
        ...segmentDefaults,
        boolean_operator: 'AND',
        child_segments: [
          { ...segmentDefaults, custom_audience_id: '{audience}', lookback_window: 30 },
          { ...segmentDefaults, custom_audience_id: '{audience}', lookback_window: 7, negate: true },
        ],
      },
    },
  ],
}

/** A batch of one creation with an error. `echo` is what of it is repeated. */
const wrongFlexible = (it: string, params: object, error: unknown, echo: object = params): Exchange =>
  flexibleBatch({
    it,
    json: [{ operation_type: 'Create', params }],
    status: 400,
    reply: {
      operation_errors: [[error]],
      request: [{ operation_type: 'Create', params: own(echo as Record<string, unknown>) }],
    },
  })
const incomplete = { name: 'wrong {run}', audience_type: 'FLEXIBLE' }
const immutable = ads.error('INVALID', 'Custom Audience {flexible} combines others, and cannot be changed', {
  attribute: 'audience_type',
})

/** Source: advertising reference, 08 section 5. */
const combinations: Exchange[] = [
  flexibleBatch({
    it: 'one that combines others',
    json: [{ operation_type: 'Create', params: flexibleParams }],
    status: 200,
    reply: {
      data: [
        {
          ...flexible,
          id: keep('flexible', base36),
          metadata: [{ ...flexible.metadata[0], custom_audience_id: base36 }],
        },
      ],
      request: [{ operation_type: 'Create', params: own(flexibleParams) }],
    },
    limit: WRITES,
  }),
  {
    it: 'one that combines others is read',
    send: 'GET /accounts/{account}/custom_audiences/{flexible}',
    status: 200,
    reply: ads.single(own({ custom_audience_id: '{flexible}' }), {
      ...flexible,
      reasons_not_targetable: strings,
    }),
  },
  wrongFlexible(
    'an audience in it that is not there',
    { ...incomplete, segments: { custom_audience_id: 'zzz' } },
    ads.error('TAILORED_AUDIENCE_NOT_FOUND', 'Custom Audience zzz was not found for Account {account}', {
      parameter: 'segments.custom_audience_id',
    }),
  ),
  wrongFlexible(
    'an audience in it that combines others itself',
    { ...incomplete, segments: { custom_audience_id: '{flexible}' } },
    ads.error(
      'INVALID_TAILORED_AUDIENCE_TYPE',
      'Expected an audience of uploaded users, got "{flexible}", which combines others',
      { parameter: 'segments.custom_audience_id' },
    ),
  ),
  wrongFlexible(
    'it needs segments',
    incomplete,
    ads.error('MISSING_PARAMETER', '"segments" is a required parameter', { parameter: 'segments' }),
  ),
  wrongFlexible(
    'segments need an operator',
    { ...incomplete, segments: { child_segments: segments.child_segments } },
    ads.error('MISSING_PARAMETER', '"segments.boolean_operator" is a required parameter', {
      parameter: 'segments.boolean_operator',
    }),
    incomplete,
  ),
  wrongFlexible(
    'a segment is an audience or combines others',
    { ...incomplete, segments: { ...segments, custom_audience_id: '{audience}' } },
    ads.error('EXCLUSIVE_PARAMETERS', 'custom_audience_id and child_segments are exclusive parameters', {
      parameter: 'segments.custom_audience_id',
    }),
    incomplete,
  ),
  wrongFlexible(
    'a look-back of another length',
    { ...incomplete, segments: { custom_audience_id: '{audience}', lookback_window: 2 } },
    ads.error('INVALID_PARAMETER', 'Expected a value in 1, 7, 14, 30, got "2" for segments.lookback_window', {
      parameter: 'segments.lookback_window',
    }),
    incomplete,
  ),
  wrongFlexible(
    'more than 10 audiences',
    {
      ...incomplete,
      segments: {
        boolean_operator: 'OR',
        child_segments: Array.from({ length: 11 }, () => ({ custom_audience_id: '{audience}' })),
      },
    },
    ads.error('INVALID_PARAMETER', 'A maximum of 10 segments may name an audience', {
      parameter: 'segments',
    }),
    incomplete,
  ),
  wrongFlexible(
    'a type that cannot be created',
    { ...incomplete, audience_type: 'WEB' },
    ads.error(
      'INVALID_PARAMETER',
      'Expected a value in CRM, FLEXIBLE, MOBILE_AUDIENCE, got "WEB" for audience_type',
      { parameter: 'audience_type' },
    ),
    { name: 'wrong {run}' },
  ),
  flexibleBatch({
    it: 'one that combines others cannot be changed',
    json: [
      {
        operation_type: 'Update',
        params: { custom_audience_id: '{flexible}', description: 'of apps' },
      },
    ],
    status: 400,
    reply: {
      operation_errors: [[immutable]],
      request: [
        {
          operation_type: 'Update',
          params: own({ custom_audience_id: '{flexible}', description: 'of apps' }),
        },
      ],
    },
  }),
  {
    it: 'nor by its own path',
    send: 'PUT /accounts/{account}/custom_audiences/{flexible}',
    form: { description: 'of apps' },
    status: 400,
    reply: ads.errors(own({ custom_audience_id: '{flexible}', description: 'of apps' }), immutable),
  },
  {
    it: 'and has no users of its own',
    send: 'POST /accounts/{account}/custom_audiences/{flexible}/users',
    json: [{ operation_type: 'Update', params: { users: users(1) } }],
    status: 400,
    reply: ads.errors(
      own({ custom_audience_id: '{flexible}' }),
      ads.error(
        'INVALID_TAILORED_AUDIENCE_TYPE',
        'Custom Audience {flexible} combines others, and has no users of its own',
        { parameter: 'custom_audience_id' },
      ),
    ),
  },
  flexibleBatch({
    it: 'one that combines others is deleted',
    json: [{ operation_type: 'Delete', params: { custom_audience_id: '{flexible}' } }],
    status: 200,
    reply: {
      data: [{ ...flexible, reasons_not_targetable: ['TOO_SMALL'], deleted: true }],
      request: [{ operation_type: 'Delete', params: own({ custom_audience_id: '{flexible}' }) }],
    },
  }),
]

const upload = (row: Omit<Exchange, 'send'>): Exchange => ({
  send: 'POST /accounts/{account}/custom_audiences/{audience}/users',
  ...row,
})
const uploadEcho = { request: { params: own({ custom_audience_id: '{audience}' }) } }
const wrongOperation = (error: unknown) => ({ operation_errors: [[error]], ...uploadEcho })

const members: Exchange[] = [
  upload({
    it: 'users are counted over all operations',
    json: [
      {
        operation_type: 'Update',
        params: { expires_at: '2027-01-01T07:00:00Z', users: users(2) },
      },
      { operation_type: 'Delete', params: { users: users(1) } },
    ],
    status: 200,
    reply: { ...uploadEcho, data: { success_count: 3, total_count: 3 } },
    limit: 1500,
  }),
  upload({
    it: 'an operation that does not exist, named by its position',
    json: [
      { operation_type: 'Update', params: { users: users(1) } },
      { operation_type: 'Add', params: { users: users(1) } },
    ],
    status: 400,
    reply: {
      operation_errors: [
        [],
        [
          ads.error('INVALID_PARAMETER', 'Expected a value in Update, Delete, got "Add" for operation_type', {
            parameter: 'operation_type',
          }),
        ],
      ],
      ...uploadEcho,
    },
  }),
  upload({
    it: 'users must be there',
    json: [{ operation_type: 'Update', params: {} }],
    status: 400,
    reply: wrongOperation(
      ads.error('MISSING_PARAMETER', '"users" is a required parameter', { parameter: 'users' }),
    ),
  }),
  upload({
    it: 'a value that is not hashed',
    json: [{ operation_type: 'Update', params: { users: [{ email: ['test@example.com'] }] } }],
    status: 400,
    reply: wrongOperation(
      ads.error(
        'INVALID_PARAMETER',
        'Expected a SHA-256 in 64 hexadecimal digits for email in users, got "test@example.com"',
        { parameter: 'users' },
      ),
    ),
  }),
  upload({
    it: 'an end before the beginning',
    json: [
      {
        operation_type: 'Update',
        params: {
          effective_at: '2027-01-02T00:00:00Z',
          expires_at: '2027-01-01T00:00:00Z',
          users: users(1),
        },
      },
    ],
    status: 400,
    reply: wrongOperation(
      ads.error(
        'INVALID_PARAMETER',
        'Expected a time later than effective_at 2027-01-02T00:00:00Z, got "2027-01-01T00:00:00Z" for expires_at',
        {
          parameter: 'expires_at',
        },
      ),
    ),
  }),
  upload({
    it: 'a body that is not a list',
    json: {},
    status: 400,
    reply: ads.errors(
      own({ custom_audience_id: '{audience}' }),
      ads.error('INVALID_PARAMETER', 'The body is not a valid Seq: a list of operations', {
        parameter: 'body',
      }),
    ),
  }),
  upload({
    it: 'more than 2500 operations',
    json: Array.from({ length: 2501 }, () => ({ operation_type: 'Delete', params: { users: users(1) } })),
    status: 400,
    reply: ads.errors(
      own({ custom_audience_id: '{audience}' }),
      ads.error('REQUEST_TOO_COMPLEX', 'A maximum of 2500 operations may be sent, got 2501', {
        parameter: 'body',
      }),
    ),
  }),
  upload({
    it: 'more than 5,000,000 bytes',
    body: { type: 'application/json', content: Buffer.alloc(5_000_001, 0x20) },
    status: 413,
    reply: ads.errors(
      own({ custom_audience_id: '{audience}' }),
      ads.error('REQUEST_TOO_COMPLEX', 'The request body is too large'),
    ),
  }),
]

/** Sharing with another account, by the path of version 5 and by those of version 12. */
const permissions = (base: string, name: string): Exchange[] => {
  const kept = `${name}_permission`
  const id = `${name}_audience_id`
  const about = (params: Record<string, unknown> = {}) => own({ [id]: '{audience}', ...params })
  const permission = {
    id: `{${kept}}`,
    [id]: '{audience}',
    granted_account_id: '{granted_account}',
    permission_level: 'READ_ONLY',
    created_at: time,
    updated_at: time,
    deleted: false,
  }
  const form = { granted_account_id: '{granted_account}', permission_level: 'READ_ONLY' }
  return [
    {
      it: 'an audience is shared',
      send: `POST ${base}`,
      form,
      status: 201,
      reply: ads.single(about(form), { ...permission, id: keep(kept, base36) }),
      limit: WRITES,
    },
    {
      it: 'with whom it is shared',
      send: `GET ${base}`,
      query: { granted_account_ids: '{granted_account}' },
      status: 200,
      reply: ads.list(about({ granted_account_ids: ['{granted_account}'] }), [permission]),
      limit: READS,
      has: {
        'x-api-warn': base.includes('/5/') ? 'Version 5 is deprecated. Use version 12.' : null,
      },
    },
    {
      it: 'an account that is not there',
      send: `POST ${base}`,
      form: { ...form, granted_account_id: 'zzz' },
      status: 403,
      reply: ads.errors(
        about({ ...form, granted_account_id: 'zzz' }),
        ads.error('ACCOUNT_NOT_FOUND', 'Account zzz was not found', { parameter: 'granted_account_id' }),
      ),
    },
    {
      it: 'sharing ends',
      send: `DELETE ${base}/{${kept}}`,
      status: 200,
      reply: ads.single(about({ [`${name}_audience_permission_id`]: `{${kept}}` }), {
        ...permission,
        deleted: true,
      }),
      limit: WRITES,
    },
    {
      it: 'and then there is nothing to end',
      send: `DELETE ${base}/{${kept}}`,
      status: 404,
      reply: ads.errors(
        about({ [`${name}_audience_permission_id`]: `{${kept}}` }),
        ads.error('NOT_FOUND', `Permission {${kept}} was not found for Custom Audience {audience}`, {
          parameter: `${name}_audience_permission_id`,
        }),
      ),
    },
  ]
}

const sharing: Exchange[] = [
  {
    it: 'another account',
    send: 'POST /accounts',
    status: 201,
    reply: ads.single(
      {},
      {
        id: keep('granted_account', base36),
        name: 'Sandbox account',
        business_name: null,
        business_id: null,
        timezone: 'America/Los_Angeles',
        timezone_switch_at: null,
        approval_status: 'ACCEPTED',
        industry_type: null,
        created_at: time,
        updated_at: time,
        deleted: false,
      },
    ),
  },
  {
    it: 'sharing with another business needs a feature',
    send: 'POST /accounts/{account}/custom_audiences/{audience}/permissions',
    form: { granted_account_id: '{granted_account}', permission_level: 'READ_ONLY' },
    status: 400,
    reply: ads.errors(
      own({
        custom_audience_id: '{audience}',
        granted_account_id: '{granted_account}',
        permission_level: 'READ_ONLY',
      }),
      ads.error(
        'FEATURE_NOT_AVAILABLE',
        'Account {granted_account} is not of the same business, and Account {account} may not share outside its business',
        { parameter: 'granted_account_id' },
      ),
    ),
  },
  {
    it: 'which the sandbox grants',
    send: 'POST /accounts/{account}/features',
    form: { feature_keys: 'SHARE_AUDIENCE_OUTSIDE_BUSINESS' },
    status: 201,
    reply: ads.single(own({ feature_keys: ['SHARE_AUDIENCE_OUTSIDE_BUSINESS'] }), [
      'CPI_CHARGING',
      'EVENT_TARGETING',
      'INSTALLED_APP_CATEGORY_TARGETING',
      'MOBILE_CONVERSION_TRANSACTION_VALUE',
      'OPTIMIZED_ACTION_BIDDING',
      'SHARE_AUDIENCE_OUTSIDE_BUSINESS',
      'VIDEO_APP_DOWNLOAD_CARD',
    ]),
  },
  ...permissions(
    '{ads_sandbox_url}/5/accounts/{account}/tailored_audiences/{audience}/permissions',
    'tailored',
  ),
  ...permissions('/accounts/{account}/tailored_audiences/{audience}/permissions', 'tailored'),
  ...permissions('/accounts/{account}/custom_audiences/{audience}/permissions', 'custom'),
  {
    it: 'an audience is deleted',
    send: 'DELETE /accounts/{account}/custom_audiences/{audience}',
    status: 200,
    reply: ads.single(own({ custom_audience_id: '{audience}' }), {
      ...audience,
      description: 'of apps',
      reasons_not_targetable: ['TOO_SMALL'],
      deleted: true,
    }),
    limit: WRITES,
  },
]

const list = {
  id: '{list}',
  name: 'Do Not Reach List',
  description: 'test list',
  targetable: false,
  reasons_not_targetable: ['PROCESSING', 'TOO_SMALL'],
  list_size: null,
  created_at: time,
  updated_at: time,
  deleted: false,
}

const NEXT_YEAR = `${new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`

const doNotReach: Exchange[] = [
  {
    it: 'a do-not-reach list is made',
    send: 'POST /accounts/{account}/do_not_reach_lists',
    form: { description: 'test list' },
    status: 201,
    reply: ads.single(own({ description: 'test list' }), { ...list, id: keep('list', base36) }),
    limit: WRITES,
  },
  {
    it: 'the list of an account',
    send: 'GET /accounts/{account}/do_not_reach_lists',
    status: 200,
    reply: ads.list(own(), [list]),
    limit: READS,
  },
  {
    it: 'an account has one at most',
    send: 'POST /accounts/{account}/do_not_reach_lists',
    form: {},
    status: 400,
    reply: ads.errors(
      own(),
      ads.error('INVALID', 'Account {account} already has the do not reach list {list}', {
        attribute: 'account_id',
      }),
    ),
  },
  {
    it: 'a batch of users; the reply counts each operation',
    send: 'POST /batch/accounts/{account}/do_not_reach_lists/{list}/users',
    json: [
      {
        operation_type: 'Update',
        params: {
          expires_at: NEXT_YEAR,
          users: [{ email: [hashed('a@example.com')], phone_number: [hashed('+14155550100')] }],
        },
      },
    ],
    status: 200,
    reply: {
      data: [{ success_count: 1, total_count: 1 }],
      request: [
        {
          params: own({ do_not_reach_list_id: '{list}', expires_at: NEXT_YEAR }),
          operation_type: 'Update',
        },
      ],
    },
    limit: 1500,
  },
  {
    it: 'one is deleted',
    send: 'DELETE /accounts/{account}/do_not_reach_lists/{list}',
    status: 200,
    reply: ads.single(own({ do_not_reach_list_id: '{list}' }), {
      ...list,
      reasons_not_targetable: ['TOO_SMALL'],
      deleted: true,
    }),
    limit: WRITES,
  },
  {
    it: 'and then not found',
    send: 'DELETE /accounts/{account}/do_not_reach_lists/{list}',
    status: 404,
    reply: ads.errors(
      own({ do_not_reach_list_id: '{list}' }),
      ads.error('NOT_FOUND', 'Do Not Reach List {list} was not found for Account {account}', {
        parameter: 'do_not_reach_list_id',
      }),
    ),
  },
]

/** Sources: interface, "Audiences and insights"; advertising reference, 03. */
export const audiences: Area = {
  name: 'audiences',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [...customAudiences, ...formerName, ...combinations, ...members, ...sharing, ...doNotReach],
}
