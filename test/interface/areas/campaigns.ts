import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import { CORE_READS, own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange, Story } from '../support/exchange.ts'
import { base36, keep, time } from '../support/match.ts'
import { resolve } from '../support/variables.ts'
import { send } from '../support/world.ts'

const notFound = (params: Record<string, string>, code: string, what: string) => {
  const [[parameter, id] = ['', '']] = Object.entries(params)
  return ads.errors(
    own(params),
    ads.error(code, `${what} ${id} was not found for Account {account}`, { parameter }),
  )
}
const wrong = (params: Record<string, unknown>, ...errors: readonly unknown[]) =>
  ads.errors(own(params), ...errors)

const fundingInstrument = {
  id: '{funding}',
  account_id: '{account}',
  type: 'CREDIT_LINE',
  description: '(no payment method has been set up yet)',
  currency: 'USD',
  credit_limit_local_micro: 10_000_000_000,
  credit_remaining_local_micro: 10_000_000_000,
  funded_amount_local_micro: null,
  io_header: null,
  start_time: '2026-01-01T00:00:00Z',
  end_time: null,
  entity_status: 'ACTIVE',
  able_to_fund: true,
  reasons_not_able_to_fund: [],
  created_at: time,
  updated_at: time,
  deleted: false,
}

const fundingForm = {
  type: 'CREDIT_LINE',
  currency: 'USD',
  start_time: '2026-01-01T00:00:00Z',
  credit_limit_local_micro: '10000000000',
}
const fundingEcho = { ...fundingForm, credit_limit_local_micro: 10_000_000_000 }

/** Sources: advertising reference, 01 section 6. */
export const fundingInstruments: Area = {
  name: 'funding instruments',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    {
      it: 'one is made on the sandbox',
      send: 'POST /accounts/{account}/funding_instruments',
      form: fundingForm,
      status: 201,
      reply: ads.single(own(fundingEcho), { ...fundingInstrument, id: keep('funding', base36) }),
      limit: WRITES,
    },
    {
      it: 'another one is made',
      send: 'POST /accounts/{account}/funding_instruments',
      form: fundingForm,
      status: 201,
      reply: ads.single(own(fundingEcho), { ...fundingInstrument, id: keep('other_funding', base36) }),
    },
    {
      it: 'one is read',
      send: 'GET /accounts/{account}/funding_instruments/{funding}',
      status: 200,
      reply: ads.single(own({ funding_instrument_id: '{funding}' }), fundingInstrument),
      limit: READS,
    },
    {
      it: 'the list',
      send: 'GET /accounts/{account}/funding_instruments',
      query: { funding_instrument_ids: '{funding}' },
      status: 200,
      reply: ads.list(own({ funding_instrument_ids: ['{funding}'] }), [fundingInstrument]),
      limit: READS,
    },
    {
      it: 'currency, type and start_time must be there',
      send: 'POST /accounts/{account}/funding_instruments',
      form: {},
      status: 400,
      reply: wrong(
        {},
        ...['type', 'currency', 'start_time'].map((parameter) =>
          ads.error('MISSING_PARAMETER', `"${parameter}" is a required parameter`, { parameter }),
        ),
      ),
    },
    {
      it: 'an end before the start',
      send: 'POST /accounts/{account}/funding_instruments',
      form: { ...fundingForm, end_time: '2025-01-01T00:00:00Z' },
      status: 400,
      reply: wrong(
        { ...fundingEcho, end_time: '2025-01-01T00:00:00Z' },
        ads.error(
          'INVALID_TIME_WINDOW',
          'Expected a time later than start_time 2026-01-01T00:00:00Z, got "2025-01-01T00:00:00Z" for end_time',
          { parameter: 'end_time' },
        ),
      ),
    },
    {
      it: 'one that is not there',
      send: 'GET /accounts/{account}/funding_instruments/zzz',
      status: 404,
      reply: notFound({ funding_instrument_id: 'zzz' }, 'FUNDING_INSTRUMENT_NOT_FOUND', 'Funding Instrument'),
    },
    {
      it: 'one is paused on the sandbox',
      send: 'PUT /accounts/{account}/funding_instruments/{other_funding}',
      form: { paused: 'true' },
      status: 200,
      reply: ads.single(own({ funding_instrument_id: '{other_funding}', paused: true }), {
        ...fundingInstrument,
        id: '{other_funding}',
        entity_status: 'PAUSED',
        able_to_fund: false,
        reasons_not_able_to_fund: ['PAUSED'],
      }),
      limit: WRITES,
    },
    {
      it: 'and pays again',
      send: 'PUT /accounts/{account}/funding_instruments/{other_funding}',
      form: { entity_status: 'ACTIVE' },
      status: 200,
      reply: ads.single(own({ funding_instrument_id: '{other_funding}', entity_status: 'ACTIVE' }), {
        ...fundingInstrument,
        id: '{other_funding}',
      }),
    },
    {
      it: 'one is deleted on the sandbox',
      send: 'DELETE /accounts/{account}/funding_instruments/{other_funding}',
      status: 200,
      reply: ads.single(own({ funding_instrument_id: '{other_funding}' }), {
        ...fundingInstrument,
        id: '{other_funding}',
        able_to_fund: false,
        reasons_not_able_to_fund: ['DELETED'],
        deleted: true,
      }),
      limit: WRITES,
    },
  ],
}

const campaign = {
  id: '{campaign}',
  name: 'demo',
  funding_instrument_id: '{funding}',
  budget_optimization: 'LINE_ITEM',
  daily_budget_amount_local_micro: 140_000_000,
  total_budget_amount_local_micro: null,
  purchase_order_number: null,
  duration_in_days: null,
  frequency_cap: null,
  standard_delivery: null,
  currency: 'USD',
  entity_status: 'PAUSED',
  effective_status: 'UNKNOWN',
  servable: false,
  reasons_not_servable: ['PAUSED_BY_ADVERTISER', 'INCOMPLETE'],
  created_at: time,
  updated_at: time,
  deleted: false,
}

const campaignForm = {
  name: 'demo',
  funding_instrument_id: '{funding}',
  daily_budget_amount_local_micro: '140000000',
  entity_status: 'PAUSED',
}
const campaignEcho = { ...campaignForm, daily_budget_amount_local_micro: 140_000_000 }
const batch = '/batch/accounts/{account}'

/** Source: advertising reference, 01 section 7 and 00 section 7. */
export const campaigns: Area = {
  name: 'campaigns',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    {
      it: 'one is made',
      send: 'POST /accounts/{account}/campaigns',
      form: campaignForm,
      status: 201,
      reply: ads.single(own(campaignEcho), { ...campaign, id: keep('campaign', base36) }),
      limit: WRITES,
    },
    {
      it: 'one is read',
      send: 'GET /accounts/{account}/campaigns/{campaign}',
      status: 200,
      reply: ads.single(own({ campaign_id: '{campaign}' }), campaign),
      ...CORE_READS,
    },
    {
      it: 'the list, found by name',
      send: 'GET /accounts/{account}/campaigns',
      query: { q: 'DEM', sort_by: 'name-desc' },
      status: 200,
      reply: ads.list(own({ q: 'DEM', sort_by: ['name-desc'] }), [campaign]),
      ...CORE_READS,
    },
    {
      it: 'with_total_count counts, within its own limit',
      send: 'GET /accounts/{account}/campaigns',
      query: { with_total_count: 'true' },
      status: 200,
      reply: { ...ads.list(own({ with_total_count: true }), [campaign]), total_count: 1 },
      limit: 200,
    },
    {
      it: 'only what is sent is changed; an empty value unsets',
      send: 'PUT /accounts/{account}/campaigns/{campaign}',
      form: {
        name: 'renamed',
        total_budget_amount_local_micro: '9000000000',
        daily_budget_amount_local_micro: '',
      },
      status: 200,
      reply: ads.single(
        own({
          campaign_id: '{campaign}',
          name: 'renamed',
          total_budget_amount_local_micro: 9_000_000_000,
          daily_budget_amount_local_micro: null,
        }),
        {
          ...campaign,
          name: 'renamed',
          total_budget_amount_local_micro: 9_000_000_000,
          daily_budget_amount_local_micro: null,
        },
      ),
      limit: WRITES,
    },
    {
      it: 'an amount that is not a multiple of the smallest step of the currency',
      send: 'PUT /accounts/{account}/campaigns/{campaign}',
      form: { daily_budget_amount_local_micro: '1' },
      status: 400,
      reply: wrong(
        { campaign_id: '{campaign}', daily_budget_amount_local_micro: 1 },
        ads.error(
          'INVALID_DENOMINATION',
          'Expected a multiple of 10000, got "1" for daily_budget_amount_local_micro',
          { parameter: 'daily_budget_amount_local_micro' },
        ),
      ),
    },
    {
      it: 'a type that is wrong',
      send: 'PUT /accounts/{account}/campaigns/{campaign}',
      form: { daily_budget_amount_local_micro: 'x' },
      status: 400,
      reply: wrong(
        { campaign_id: '{campaign}' },
        ads.error('INVALID_PARAMETER', 'Expected Long, got "x" for daily_budget_amount_local_micro', {
          parameter: 'daily_budget_amount_local_micro',
        }),
      ),
    },
    {
      it: 'an instrument that is not there',
      send: 'POST /accounts/{account}/campaigns',
      form: { name: 'x', funding_instrument_id: 'zzz' },
      status: 404,
      reply: wrong(
        { name: 'x', funding_instrument_id: 'zzz' },
        ads.error(
          'FUNDING_INSTRUMENT_NOT_FOUND',
          'Funding Instrument zzz was not found for Account {account}',
          { parameter: 'funding_instrument_id' },
        ),
      ),
    },
    {
      it: 'sort_by names an attribute and a direction',
      send: 'GET /accounts/{account}/campaigns',
      query: { sort_by: 'id-asc' },
      status: 400,
      reply: wrong(
        {},
        ads.error(
          'INVALID_PARAMETER',
          'Expected a value in created_at-asc, created_at-desc, updated_at-asc, updated_at-desc, deleted-asc, deleted-desc, name-asc, name-desc, daily_budget_amount_local_micro-asc, daily_budget_amount_local_micro-desc, total_budget_amount_local_micro-asc, total_budget_amount_local_micro-desc, standard_delivery-asc, standard_delivery-desc, got "id-asc" for sort_by',
          { parameter: 'sort_by' },
        ),
      ),
    },
    {
      it: 'a cursor of no list',
      send: 'GET /accounts/{account}/campaigns',
      query: { cursor: '!' },
      status: 400,
      reply: wrong(
        { cursor: '!' },
        ads.error('INVALID_PARAMETER', 'Expected the next_cursor of this same list, got "!" for cursor', {
          parameter: 'cursor',
        }),
      ),
    },
    {
      it: 'a batch creates and changes, in the order of the request',
      send: `POST ${batch}/campaigns`,
      json: [
        {
          operation_type: 'Create',
          params: {
            funding_instrument_id: '{funding}',
            name: 'batch one',
            entity_status: 'PAUSED',
            daily_budget_amount_local_micro: 140_000_000,
          },
        },
        { operation_type: 'Update', params: { campaign_id: '{campaign}', name: 'demo' } },
      ],
      status: 200,
      reply: {
        data: [
          { ...campaign, id: keep('batch_campaign', base36), name: 'batch one' },
          {
            ...campaign,
            total_budget_amount_local_micro: 9_000_000_000,
            daily_budget_amount_local_micro: null,
          },
        ],
        request: [
          {
            operation_type: 'Create',
            params: own({
              funding_instrument_id: '{funding}',
              name: 'batch one',
              entity_status: 'PAUSED',
              daily_budget_amount_local_micro: 140_000_000,
            }),
          },
          { operation_type: 'Update', params: own({ campaign_id: '{campaign}', name: 'demo' }) },
        ],
      },
      limit: WRITES,
    },
    {
      it: 'a batch with one wrong operation changes nothing and names it by its position',
      send: `POST ${batch}/campaigns`,
      json: [
        { operation_type: 'Create', params: { name: 'batch one' } },
        { operation_type: 'Create', params: { funding_instrument_id: '{funding}', name: 'two' } },
      ],
      status: 400,
      reply: {
        operation_errors: [
          [
            ads.error('MISSING_PARAMETER', '"funding_instrument_id" is a required parameter', {
              parameter: 'funding_instrument_id',
            }),
          ],
          [],
        ],
        request: [
          { operation_type: 'Create', params: own({ name: 'batch one' }) },
          { operation_type: 'Create', params: own({ funding_instrument_id: '{funding}', name: 'two' }) },
        ],
      },
    },
    {
      it: 'a batch holds 40 operations',
      send: `POST ${batch}/campaigns`,
      json: Array.from({ length: 41 }, () => ({ operation_type: 'Delete', params: { campaign_id: 'zzz' } })),
      status: 400,
      reply: wrong(
        {},
        ads.error('REQUEST_TOO_COMPLEX', 'A maximum of 40 operations may be sent, got 41', {
          parameter: 'body',
        }),
      ),
    },
    {
      it: 'one is deleted',
      send: 'DELETE /accounts/{account}/campaigns/{batch_campaign}',
      status: 200,
      reply: ads.single(own({ campaign_id: '{batch_campaign}' }), {
        ...campaign,
        id: '{batch_campaign}',
        name: 'batch one',
        reasons_not_servable: ['DELETED'],
        deleted: true,
      }),
      limit: WRITES,
    },
    {
      it: 'and then not found',
      send: 'DELETE /accounts/{account}/campaigns/{batch_campaign}',
      status: 404,
      reply: notFound({ campaign_id: '{batch_campaign}' }, 'CAMPAIGN_NOT_FOUND', 'Campaign'),
    },
  ],
}

const lineItem = {
  id: '{line_item}',
  name: null,
  campaign_id: '{campaign}',
  funding_instrument_id: '{funding}',
  objective: 'ENGAGEMENTS',
  goal: 'ENGAGEMENT',
  bid_strategy: 'MAX',
  bid_amount_local_micro: 320_000,
  pay_by: 'ENGAGEMENT',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_SERVICE'],
  categories: [],
  currency: 'USD',
  entity_status: 'PAUSED',
  start_time: null,
  end_time: null,
  duration_in_days: null,
  frequency_cap: null,
  standard_delivery: null,
  total_budget_amount_local_micro: null,
  daily_budget_amount_local_micro: null,
  advertiser_user_id: '{advertiser}',
  advertiser_domain: null,
  android_app_store_identifier: null,
  ios_app_store_identifier: null,
  target_cpa_local_micro: null,
  primary_web_event_tag: null,
  automatic_post_promotion: null,
  creative_source: 'MANUAL',
  effective_status: 'UNKNOWN',
  servable: false,
  reasons_not_servable: ['PAUSED_BY_ADVERTISER', 'INCOMPLETE'],
  created_at: time,
  updated_at: time,
  deleted: false,
}

const lineItemForm = {
  campaign_id: '{campaign}',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: 'ALL_ON_SERVICE',
  bid_amount_local_micro: '320000',
  entity_status: 'PAUSED',
}
const lineItemEcho = { ...lineItemForm, placements: ['ALL_ON_SERVICE'], bid_amount_local_micro: 320_000 }

/** A change of a line item that its rules do not allow. */
const rejectedChange = (
  it: string,
  form: Record<string, string>,
  echo: Record<string, unknown>,
  ...errors: readonly ReturnType<typeof ads.error>[]
): Exchange => ({
  it,
  send: 'PUT /accounts/{account}/line_items/{line_item}',
  form,
  status: errors[0]?.code === 'INVALID_IAB_CATEGORY' ? 404 : 400,
  reply: wrong({ line_item_id: '{line_item}', ...echo }, ...errors),
})

/** Another line item of a kind that later areas need. */
const another = (
  kept: string,
  it: string,
  form: Record<string, string>,
  shown: Record<string, unknown>,
  echo: Record<string, unknown> = form,
): Exchange => ({
  it,
  send: 'POST /accounts/{account}/line_items',
  form: { campaign_id: `{${kept}_campaign}`, entity_status: 'PAUSED', ...form },
  status: 201,
  reply: ads.single(own({ campaign_id: `{${kept}_campaign}`, entity_status: 'PAUSED', ...echo }), {
    ...lineItem,
    bid_strategy: 'AUTO',
    bid_amount_local_micro: null,
    ...shown,
    campaign_id: `{${kept}_campaign}`,
    id: keep(kept, base36),
  }),
})

const aCampaign = (kept: string): Exchange => ({
  it: 'a campaign for line items of another kind',
  send: 'POST /accounts/{account}/campaigns',
  form: { name: kept, funding_instrument_id: '{funding}' },
  status: 201,
  reply: ads.single(own({ name: kept, funding_instrument_id: '{funding}' }), {
    ...campaign,
    id: keep(`${kept}_campaign`, base36),
    name: kept,
    daily_budget_amount_local_micro: null,
    entity_status: 'ACTIVE',
    reasons_not_servable: ['INCOMPLETE'],
  }),
})

/** Sources: interface, "Line item update parameters"; advertising reference, 01 section 8. */
const activation: Story = {
  it: 'a draft of a campaign and of its line item are activated',
  needs: 'advertiser',
  async run(world) {
    const base = resolve('/12/accounts/{account}', world.variables)
    const call = async (method: string, path: string, form: Record<string, string> = {}) => {
      const request = { send: `${method} {ads_sandbox_url}${base}${path}`, as: 'advertiser', form } as const
      const reply = await send(world, request)
      assert.ok(reply.status < 300, reply.text)
      world.seen.calls.push({ method, path: base + path })
      return (JSON.parse(reply.text) as { data: { id: string; entity_status: string } }).data
    }
    const draft = { entity_status: 'DRAFT' }
    const funding_instrument_id = resolve('{funding}', world.variables)
    const made = await call('POST', '/campaigns', { name: 'A draft', funding_instrument_id, ...draft })
    const kinds = {
      ...{ objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' },
    }
    const item = await call('POST', '/line_items', { campaign_id: made.id, ...kinds, ...draft })
    for (const path of [`/campaigns/${made.id}`, `/line_items/${item.id}`])
      assert.equal((await call('PUT', `${path}/activate`)).entity_status, 'ACTIVE')
    await call('DELETE', `/campaigns/${made.id}`)
  },
}

export const lineItems: Area = {
  name: 'line items',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    {
      it: 'one is made',
      send: 'POST /accounts/{account}/line_items',
      form: lineItemForm,
      status: 201,
      reply: ads.single(own(lineItemEcho), { ...lineItem, id: keep('line_item', base36) }),
      limit: WRITES,
    },
    {
      it: 'one is read',
      send: 'GET /accounts/{account}/line_items/{line_item}',
      status: 200,
      reply: ads.single(own({ line_item_id: '{line_item}' }), lineItem),
      ...CORE_READS,
    },
    {
      it: 'the list of a campaign',
      send: 'GET /accounts/{account}/line_items',
      query: { campaign_ids: '{campaign}', count: '2' },
      status: 200,
      reply: ads.list(own({ campaign_ids: ['{campaign}'], count: 2 }), [lineItem]),
      ...CORE_READS,
    },
    {
      it: 'one is changed; times are in seconds and UTC',
      send: 'PUT /accounts/{account}/line_items/{line_item}',
      form: {
        name: 'li-18',
        start_time: '2027-07-10T08:00:00-0800',
        frequency_cap: '5',
        duration_in_days: '7',
      },
      status: 200,
      reply: ads.single(
        own({
          line_item_id: '{line_item}',
          name: 'li-18',
          start_time: '2027-07-10T16:00:00Z',
          frequency_cap: 5,
          duration_in_days: 7,
        }),
        {
          ...lineItem,
          name: 'li-18',
          start_time: '2027-07-10T16:00:00Z',
          frequency_cap: 5,
          duration_in_days: 7,
          reasons_not_servable: ['PAUSED_BY_ADVERTISER', 'INCOMPLETE', 'STARTS_IN_FUTURE'],
        },
      ),
      limit: WRITES,
    },
    {
      it: 'and back again',
      send: 'PUT /accounts/{account}/line_items/{line_item}',
      form: { name: '', start_time: '', frequency_cap: '', duration_in_days: '' },
      status: 200,
      reply: ads.single(
        own({
          line_item_id: '{line_item}',
          name: null,
          start_time: null,
          frequency_cap: null,
          duration_in_days: null,
        }),
        lineItem,
      ),
    },
    rejectedChange(
      'MAX is not for REACH or FOLLOWERS, TARGET is for REACH or WEBSITE_CLICKS',
      { bid_strategy: 'TARGET' },
      { bid_strategy: 'TARGET' },
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value in AUTO, MAX with objective ENGAGEMENTS, got "TARGET" for bid_strategy',
        { parameter: 'bid_strategy' },
      ),
    ),
    rejectedChange(
      'a bid is greater than zero',
      { bid_amount_local_micro: '0' },
      {},
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value between 1 and 9223372036854775807, got "0" for bid_amount_local_micro',
        { parameter: 'bid_amount_local_micro' },
      ),
    ),
    rejectedChange(
      'MAX needs a bid',
      { bid_amount_local_micro: '' },
      { bid_amount_local_micro: null },
      ads.error(
        'MISSING_PARAMETER',
        '"bid_amount_local_micro" is a required parameter with bid_strategy MAX',
        { parameter: 'bid_amount_local_micro' },
      ),
    ),
    rejectedChange(
      'pay_by stays as it is',
      { pay_by: 'LINK_CLICK' },
      { pay_by: 'LINK_CLICK' },
      ads.error(
        'INVALID_PARAMETER',
        'Expected ENGAGEMENT, which cannot change with objective ENGAGEMENTS, got "LINK_CLICK" for pay_by',
        {
          parameter: 'pay_by',
        },
      ),
    ),
    rejectedChange(
      'a frequency cap has a window',
      { frequency_cap: '5' },
      { frequency_cap: 5 },
      ads.error(
        'INCLUSIVE_PARAMETERS',
        'frequency_cap and duration_in_days are inclusive parameters, got "5" for frequency_cap and "" for duration_in_days',
        {
          parameter: 'duration_in_days',
        },
      ),
    ),
    rejectedChange(
      'the daily budget is at most the total budget',
      { daily_budget_amount_local_micro: '2000000', total_budget_amount_local_micro: '1000000' },
      { daily_budget_amount_local_micro: 2_000_000, total_budget_amount_local_micro: 1_000_000 },
      ads.error(
        'INVALID',
        'Expected at most 1000000, the total_budget_amount_local_micro, got "2000000" for daily_budget_amount_local_micro',
        {
          attribute: 'daily_budget_amount_local_micro',
        },
      ),
    ),
    rejectedChange(
      'the end is after the start',
      { start_time: '2027-07-10', end_time: '2027-07-09' },
      { start_time: '2027-07-10T00:00:00Z', end_time: '2027-07-09T00:00:00Z' },
      ads.error(
        'INVALID_TIME_WINDOW',
        'Expected a time later than start_time 2027-07-10T00:00:00Z, got "2027-07-09T00:00:00Z" for end_time',
        { parameter: 'end_time' },
      ),
    ),
    rejectedChange(
      'the objective stays as it is',
      { objective: 'REACH' },
      { objective: 'REACH' },
      ads.error('INVALID_PARAMETER', 'setting objective is not allowed', { parameter: 'objective' }),
    ),
    rejectedChange(
      'advertiser_user_id is for some apps only',
      { advertiser_user_id: '{user}' },
      { advertiser_user_id: '{user}' },
      ads.error('INVALID_PARAMETER', 'setting advertiser_user_id is not allowed', {
        parameter: 'advertiser_user_id',
      }),
      ads.error(
        'INVALID',
        'Expected no value with objective ENGAGEMENTS, got "{user}" for advertiser_user_id',
        {
          attribute: 'advertiser_user_id',
        },
      ),
      ads.error(
        'INVALID_USER_ID',
        'Expected a user that the account may promote, got "{user}" for advertiser_user_id',
        {
          attribute: 'advertiser_user_id',
        },
      ),
    ),
    rejectedChange(
      'a domain has no protocol',
      { advertiser_domain: 'https://example.com' },
      { advertiser_domain: 'https://example.com' },
      ads.error(
        'INVALID',
        'Expected a domain without protocol and path, got "https://example.com" for advertiser_domain',
        { attribute: 'advertiser_domain' },
      ),
    ),
    rejectedChange(
      'a category that is not there',
      { categories: 'IAB99' },
      { categories: ['IAB99'] },
      ads.error('INVALID_IAB_CATEGORY', 'Expected IAB categories, got "IAB99" for categories', {
        parameter: 'categories',
      }),
    ),
    rejectedChange(
      'a goal of another objective',
      { goal: 'VIEW_6S' },
      { goal: 'VIEW_6S' },
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value in ENGAGEMENT with objective ENGAGEMENTS, got "VIEW_6S" for goal',
        { parameter: 'goal' },
      ),
    ),
    rejectedChange(
      'a bid above the bidding rules',
      { bid_amount_local_micro: '1000010000' },
      { bid_amount_local_micro: 1_000_010_000 },
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value between 10000 and 1000000000 in USD, got "1000010000" for bid_amount_local_micro',
        { parameter: 'bid_amount_local_micro' },
      ),
    ),
    {
      it: 'a campaign that is not there',
      send: 'POST /accounts/{account}/line_items',
      form: { ...lineItemForm, campaign_id: 'zzz' },
      status: 404,
      reply: wrong(
        { ...lineItemEcho, campaign_id: 'zzz' },
        ads.error('CAMPAIGN_NOT_FOUND', 'Campaign zzz was not found for Account {account}', {
          parameter: 'campaign_id',
        }),
      ),
    },
    {
      it: 'the profile alone is not a valid placement',
      send: 'POST /accounts/{account}/line_items',
      form: { ...lineItemForm, placements: 'SERVICE_PROFILE' },
      status: 400,
      reply: wrong(
        { ...lineItemEcho, placements: ['SERVICE_PROFILE'] },
        ads.error(
          'INVALID_PLACEMENT_TYPE',
          'Expected more than SERVICE_PROFILE, got "SERVICE_PROFILE" for placements',
          {
            parameter: 'placements',
          },
        ),
      ),
    },
    {
      it: 'a web event tag that is not there',
      send: 'POST /accounts/{account}/line_items',
      form: { ...lineItemForm, primary_web_event_tag: 'zzz' },
      status: 404,
      reply: wrong(
        { ...lineItemEcho, primary_web_event_tag: 'zzz' },
        ads.error('WEB_EVENT_TAG_NOT_FOUND', 'Web Event Tag zzz was not found for Account {account}', {
          parameter: 'primary_web_event_tag',
        }),
      ),
    },
    {
      it: 'products need a set, and conversions',
      send: 'POST /accounts/{account}/line_items',
      form: { ...lineItemForm, creative_source: 'DYNAMIC_PRODUCT_CREATIVE' },
      status: 400,
      reply: wrong(
        { ...lineItemEcho, creative_source: 'DYNAMIC_PRODUCT_CREATIVE' },
        ads.error(
          'INVALID_PARAMETER',
          'Expected WEBSITE_CONVERSIONS with creative_source DYNAMIC_PRODUCT_CREATIVE, got "ENGAGEMENT" for goal',
          { parameter: 'goal' },
        ),
        ...['catalog_id', 'product_set_id'].map((parameter) =>
          ads.error(
            'MISSING_PARAMETER',
            `"${parameter}" is a required parameter with creative_source DYNAMIC_PRODUCT_CREATIVE`,
            { parameter },
          ),
        ),
      ),
    },
    aCampaign('media'),
    another(
      'media',
      'one for videos before other videos',
      { objective: 'PREROLL_VIEWS', product_type: 'MEDIA', placements: 'ALL_ON_SERVICE', categories: 'IAB2' },
      {
        objective: 'PREROLL_VIEWS',
        product_type: 'MEDIA',
        goal: 'PREROLL',
        pay_by: 'VIEW_3S_100PCT',
        categories: ['IAB2'],
        entity_status: 'PAUSED',
      },
      {
        objective: 'PREROLL_VIEWS',
        product_type: 'MEDIA',
        placements: ['ALL_ON_SERVICE'],
        categories: ['IAB2'],
      },
    ),
    aCampaign('follow'),
    another(
      'follow',
      'one for an account',
      { objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT', placements: 'ALL_ON_SERVICE' },
      { objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT', goal: 'FOLLOWERS', pay_by: 'FOLLOW' },
      { objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT', placements: ['ALL_ON_SERVICE'] },
    ),
    {
      it: 'a batch',
      send: `POST ${batch}/line_items`,
      json: [
        {
          operation_type: 'Create',
          params: { ...lineItemForm, placements: ['ALL_ON_SERVICE'], bid_amount_local_micro: 320_000 },
        },
      ],
      status: 200,
      reply: {
        data: [{ ...lineItem, id: keep('batch_line_item', base36) }],
        request: [{ operation_type: 'Create', params: own(lineItemEcho) }],
      },
      limit: WRITES,
    },
    {
      it: 'one is deleted',
      send: 'DELETE /accounts/{account}/line_items/{batch_line_item}',
      status: 200,
      reply: ads.single(own({ line_item_id: '{batch_line_item}' }), {
        ...lineItem,
        id: '{batch_line_item}',
        reasons_not_servable: ['DELETED'],
        deleted: true,
      }),
      limit: WRITES,
    },
    {
      it: 'a second delete is 404',
      send: 'DELETE /accounts/{account}/line_items/{batch_line_item}',
      status: 404,
      reply: notFound({ line_item_id: '{batch_line_item}' }, 'LINE_ITEM_NOT_FOUND', 'Line Item'),
    },
    {
      it: 'with_deleted shows it',
      send: 'GET /accounts/{account}/line_items/{batch_line_item}',
      query: { with_deleted: 'true' },
      status: 200,
      reply: ads.single(own({ line_item_id: '{batch_line_item}', with_deleted: true }), {
        ...lineItem,
        id: '{batch_line_item}',
        reasons_not_servable: ['DELETED'],
        deleted: true,
      }),
    },
    activation,
  ],
}
