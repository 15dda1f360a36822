import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import type { Area, Story } from '../support/exchange.ts'
import { base36, keep, time } from '../support/match.ts'
import { send } from '../support/world.ts'

const own = (params: Record<string, unknown> = {}) => ({ account_id: '{crowded}', ...params })

/** Creates as many as allowed, 40 or 20 at a time. */
const fill = (it: string, what: string, batches: number, params: readonly object[]): Story => ({
  it,
  async run(world) {
    const row = {
      send: `POST {ads_sandbox_url}/12/batch/accounts/{crowded}/${what}`,
      as: 'advertiser',
      json: params.map((one) => ({ operation_type: 'Create', params: one })),
    } as const
    for (let n = 0; n < batches; n++) {
      const reply = await send(world, row)
      assert.equal(reply.status, 200, reply.text)
    }
  },
})

const campaign = { funding_instrument_id: '{crowded_funding}', name: 'One of many' }
const lineItem = {
  campaign_id: '{crowded_campaign}',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_SERVICE'],
}
const funding = { type: 'CREDIT_LINE', currency: 'USD', start_time: '2026-01-01T00:00:00Z' }

const fundingInstrument = {
  id: '{crowded_funding}',
  account_id: '{crowded}',
  type: 'CREDIT_LINE',
  description: '(no payment method has been set up yet)',
  currency: 'USD',
  credit_limit_local_micro: null,
  credit_remaining_local_micro: null,
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

/** Source: advertising reference, 00 section 14. */
export const crowds: Area = {
  name: 'how many there may be',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    {
      it: 'an account of its own',
      send: 'POST /accounts',
      status: 201,
      reply: ads.single(
        {},
        {
          id: keep('crowded', base36),
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
      it: 'an instrument that ended funds nothing',
      send: 'POST /accounts/{crowded}/funding_instruments',
      form: { ...funding, end_time: '2026-02-01T00:00:00Z' },
      status: 201,
      reply: ads.single(own({ ...funding, end_time: '2026-02-01T00:00:00Z' }), {
        ...fundingInstrument,
        id: keep('ended_funding', base36),
        end_time: '2026-02-01T00:00:00Z',
        able_to_fund: false,
        reasons_not_able_to_fund: ['EXPIRED'],
      }),
    },
    {
      it: 'no campaign either',
      send: 'POST /accounts/{crowded}/campaigns',
      form: { funding_instrument_id: '{ended_funding}', name: 'x' },
      status: 400,
      reply: ads.errors(
        own({ funding_instrument_id: '{ended_funding}', name: 'x' }),
        ads.error('INVALID_FUNDING_INSTRUMENT', 'Funding Instrument {ended_funding} has expired', {
          parameter: 'funding_instrument_id',
        }),
      ),
    },
    {
      it: 'one that does',
      send: 'POST /accounts/{crowded}/funding_instruments',
      form: funding,
      status: 201,
      reply: ads.single(own(funding), { ...fundingInstrument, id: keep('crowded_funding', base36) }),
    },
    fill('an account has 200 campaigns', 'campaigns', 5, Array(40).fill(campaign)),
    {
      it: 'the next one is too many',
      send: 'POST /accounts/{crowded}/campaigns',
      form: campaign,
      status: 400,
      reply: ads.errors(
        own(campaign),
        ads.error('TOO_MANY_CAMPAIGNS', 'An account may have 200 active campaigns'),
      ),
    },
    {
      it: 'one of them',
      async run(world) {
        const reply = await send(world, {
          send: 'GET {ads_sandbox_url}/12/accounts/{crowded}/campaigns',
          as: 'advertiser',
          query: { count: '1' },
        })
        const { data } = JSON.parse(reply.text) as { data: { id: string }[] }
        world.variables.crowded_campaign = data[0]?.id
      },
    },
    fill('a campaign has 100 line items', 'line_items', 5, Array(20).fill(lineItem)),
    {
      it: 'the next one is too many',
      send: 'POST /accounts/{crowded}/line_items',
      form: { ...lineItem, placements: 'ALL_ON_SERVICE' },
      status: 400,
      reply: ads.errors(
        own(lineItem),
        ads.error(
          'TOO_MANY_LINE_ITEMS',
          'Expected a campaign with fewer than 100 line items, got "{crowded_campaign}" for campaign_id',
          {
            parameter: 'campaign_id',
          },
        ),
      ),
    },
  ],
}
