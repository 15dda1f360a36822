import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { dataOf, Desk } from '../support/ads-desk.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza } from '../support/plaza.ts'
import { stages } from '../support/stages.ts'
import { makeWebEventTag } from '../support/targeting.ts'

// What a seed advertises is like what the advertising API wrote: with rules, servability, history.

type Data = Record<string, unknown>

const HOUR_MS = 3_600_000
const UNITED_STATES = '96683cc9126741d1'

const lineItem = {
  name: 'Morning',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['ALL_ON_SERVICE'],
  bid_strategy: 'MAX',
  bid_amount_local_micro: 250_000,
  start_time: '-1d',
  end_time: '+7d',
}

const account = {
  name: 'Bakery',
  owner: 'ann',
  environment: 'production',
  funding: [
    {
      id: 'old',
      currency: 'USD',
      type: 'CREDIT_LINE',
      credit_limit_local_micro: 5_000_000_000,
      start_time: '-90d',
      end_time: '-1h',
    },
    { id: 'card', currency: 'EUR', type: 'CREDIT_CARD', credit_limit_local_micro: 9_000_000_000 },
  ],
  audiences: [
    { name: 'Regulars', description: 'They come every day', created_at: '-9d' },
    { name: 'Newsletter', created_at: '-8d' },
    {
      name: 'Regulars without news',
      created_at: '-7d',
      audience_type: 'FLEXIBLE',
      segments: {
        boolean_operator: 'AND',
        child_segments: [
          { custom_audience_id: 'regulars', lookback_window: 30 },
          { custom_audience_id: 'Newsletter', negate: true },
        ],
      },
    },
  ],
  campaigns: [
    {
      name: 'Spring bread',
      funding: 'card',
      created_at: '-2d',
      daily_budget_amount_local_micro: 50_000_000,
      line_items: [
        {
          ...lineItem,
          targeting: [
            { targeting_type: 'LOCATION', targeting_value: UNITED_STATES },
            { targeting_type: 'FOLLOWERS_OF_USER', targeting_value: '@Ann' },
            { targeting_type: 'BROAD_KEYWORD', targeting_value: 'sourdough' },
            { targeting_type: 'BROAD_KEYWORD', targeting_value: 'politics', operator_type: 'NE' },
          ],
          promoted_posts: ['loaf', 'rolls'],
        },
        { ...lineItem, name: 'Later', start_time: '+2d', entity_status: 'PAUSED' },
      ],
    },
    {
      name: 'Winter bread',
      funding: 'old',
      created_at: '-60d',
      line_items: [{ ...lineItem, start_time: '-60d', end_time: '-30d' }],
    },
    { name: 'Not yet', funding: 'card', entity_status: 'DRAFT' },
  ],
}

const seed = {
  users: [
    { screen_name: 'ann', name: 'Ann', created_at: '-100d' },
    { screen_name: 'bob', name: 'Bob', can_sign_in: false },
  ],
  apps: [
    {
      ...{ name: 'Tool', website: 'https://tool.example/', owner: 'ann', callbacks: [] },
      ...{ permission: 'read-write', kind: 'web', sign_in: false },
      grants: [{ user: 'ann', access: 'read-write' }],
    },
  ],
  posts: [
    { id: 'loaf', author: 'ann', text: 'A loaf', lang: 'en', created_at: '-3d' },
    { id: 'rolls', author: 'ann', text: 'Rolls', lang: 'en', created_at: '-2d' },
    { id: 'foreign', author: 'bob', text: 'No baker', lang: 'en', created_at: '-2d' },
  ],
  accounts: [account],
}

for (const stage of stages) {
  describe(`what a seed advertises on ${stage.name}`, { skip: stage.skip }, () => {
    test('is served by the advertising API', async () => {
      const config = { seed, historyApps: ['all'], rateLimits: 'off' as const }
      const opened = await stage.open(config, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        const { urls, seeded } = opened.plaza
        const id = seeded?.accounts[0]?.id
        const read = async (path: string) => {
          const reply = await client.signed(
            'GET',
            `${urls.ads}/12/accounts/${id}/${path}`,
            demoKeys(opened.plaza),
          )
          assert.equal(reply.status, 200, reply.text)
          return (reply.json as { data: Data[] }).data
        }
        const nowMs = Date.now()
        const second = (ms: number) => new Date(ms).toISOString().slice(0, 19)
        const isAbout = (text: unknown, ms: number) =>
          assert.ok(Math.abs(Date.parse(String(text)) - ms) < 60_000, `${text} instead of ${second(ms)}`)

        const found = await read('campaigns?q=spring&sort_by=created_at-asc')
        assert.equal(found.length, 1)
        const [spring] = found
        assert.deepEqual(
          [spring?.name, spring?.currency, spring?.servable, spring?.effective_status],
          ['Spring bread', 'EUR', true, 'RUNNING'],
        )
        assert.equal(spring?.daily_budget_amount_local_micro, 50_000_000)
        isAbout(spring?.created_at, nowMs - 48 * HOUR_MS)

        const all = await read('campaigns?with_draft=true&sort_by=created_at-asc')
        assert.deepEqual(
          all.map(({ name, reasons_not_servable, entity_status }) => [
            name,
            reasons_not_servable,
            entity_status,
          ]),
          [
            ['Winter bread', ['INCOMPLETE', 'EXPIRED', 'FUNDING_PROBLEM'], 'ACTIVE'],
            ['Spring bread', [], 'ACTIVE'],
            ['Not yet', ['AWAITING_APPROVAL_BY_ADVERTISER', 'INCOMPLETE'], 'DRAFT'],
          ],
        )

        const items = await read(`line_items?campaign_ids=${spring?.id}&sort_by=created_at-asc`)
        assert.deepEqual(
          items.map((one) => [one.name, one.servable, one.reasons_not_servable, one.pay_by]),
          [
            ['Morning', true, [], 'ENGAGEMENT'],
            ['Later', false, ['PAUSED_BY_ADVERTISER', 'INCOMPLETE', 'STARTS_IN_FUTURE'], 'ENGAGEMENT'],
          ],
        )
        const [morning] = items
        isAbout(morning?.start_time, nowMs - 24 * HOUR_MS)
        isAbout(morning?.end_time, nowMs + 7 * 24 * HOUR_MS)

        const criteria = await read(`targeting_criteria?line_item_ids=${morning?.id}&sort_by=created_at-asc`)
        assert.deepEqual(
          criteria.map((one) => [one.targeting_type, one.name, one.operator_type].join(' ')).sort(),
          [
            'BROAD_KEYWORD politics NE',
            'BROAD_KEYWORD sourdough EQ',
            'FOLLOWERS_OF_USER ann EQ',
            'LOCATION United States EQ',
          ],
        )
        const promoted = await read(`promoted_posts?line_item_ids=${morning?.id}`)
        assert.deepEqual(
          promoted.map(({ approval_status }) => approval_status),
          ['ACCEPTED', 'ACCEPTED'],
        )
        const posts = await client.signed(
          'GET',
          `/2/posts?ids=${promoted.map(({ post_id }) => post_id).join()}`,
          demoKeys(opened.plaza),
        )
        assert.deepEqual((posts.json as { data: Data[] }).data.map(({ text }) => text).sort(), [
          'A loaf',
          'Rolls',
        ])

        const hour = (ms: number) =>
          `${new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString().slice(0, 19)}Z`
        const window = `start_time=${hour(nowMs - 50 * HOUR_MS)}&end_time=${hour(nowMs - 46 * HOUR_MS)}`
        const history = await read(`account_history?entity_type=LINE_ITEM&entity_id=${morning?.id}&${window}`)
        assert.deepEqual(
          history.map(({ change_type, change_by }) => [change_type, (change_by as Data).user_id]),
          [['CREATE', seeded?.users[0]?.id]],
        )
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('is exported as a seed that gives the same export', async () => {
      const opened = await stage.open({ seed }, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        const first = await new Admin(opened.plaza, client).call<Data>('GET', '/seed')
        const [exported] = first.accounts as (typeof account)[]
        assert.deepEqual(
          exported?.campaigns.map(({ name, funding, line_items = [] }) => [
            name,
            funding,
            ...line_items.map((one) => one.name),
          ]),
          [
            ['Winter bread', 'funding1', 'Morning'],
            ['Spring bread', 'funding2', 'Morning', 'Later'],
            ['Not yet', 'funding2'],
          ],
        )
        assert.deepEqual(
          exported?.audiences.map(({ name, description }) => [name, description]),
          [
            ['Regulars', 'They come every day'],
            ['Newsletter', undefined],
            ['Regulars without news', undefined],
          ],
        )
        const combined = exported?.audiences[2] as Data | undefined
        const defaults = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false, child_segments: [] }
        assert.deepEqual(
          [combined?.audience_type, combined?.segments],
          [
            'FLEXIBLE',
            {
              ...defaults,
              boolean_operator: 'AND',
              child_segments: [
                { ...defaults, custom_audience_id: 'Regulars', lookback_window: 30 },
                { ...defaults, custom_audience_id: 'Newsletter', negate: true },
              ],
            },
          ],
        )
        const [morning] = exported?.campaigns[1]?.line_items ?? []
        assert.deepEqual(morning && 'targeting' in morning && morning.targeting, [
          { targeting_type: 'LOCATION', targeting_value: UNITED_STATES },
          { targeting_type: 'FOLLOWERS_OF_USER', targeting_value: '@ann' },
          { targeting_type: 'BROAD_KEYWORD', targeting_value: 'sourdough' },
          { targeting_type: 'BROAD_KEYWORD', targeting_value: 'politics', operator_type: 'NE' },
        ])
        const again = await startPlaza({ seed: first }, { usesOwnClock: true })
        try {
          assert.deepEqual(await new Admin(again, new Client(again)).call<Data>('GET', '/seed'), first)
        } finally {
          await again.close()
        }
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('is exported without line items that need what a seed has no names for', async () => {
      const opened = await stage.open({ seed, rateLimits: 'off' }, { usesOwnClock: true })
      const client = new Client(opened.plaza)
      try {
        const ann = await Desk.open(opened.plaza, client)
        const [both, one] = [await ann.advertiser.campaign(), await ann.advertiser.campaign()]
        const form = {
          objective: 'WEBSITE_CLICKS',
          product_type: 'PROMOTED_POSTS',
          placements: 'ALL_ON_SERVICE',
        }
        const primary_web_event_tag = (await makeWebEventTag(ann.advertiser)).id
        for (const { id: campaign_id } of [both, one]) {
          const conversions = { ...form, campaign_id, goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag }
          assert.equal((await ann.post('/line_items', conversions)).status, 201)
        }
        const clicks = { ...form, campaign_id: both.id, name: 'Clicks', primary_web_event_tag }
        const made = await ann.post('/line_items', clicks)
        assert.equal(made.status, 201, made.text)
        assert.equal(dataOf(made).goal, 'LINK_CLICKS')
        const first = await new Admin(opened.plaza, client).call<Data>('GET', '/seed')
        const exported = (first.accounts as { campaigns: { line_items?: Data[] }[] }[]).at(-1)
        assert.deepEqual(
          exported?.campaigns.map(({ line_items }) => line_items?.map(({ name }) => name)),
          [['Clicks'], undefined],
        )
        const again = await startPlaza({ seed: first }, { usesOwnClock: true })
        await again.close()
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('is exported with audiences that combine others after these', async () => {
      const audiences = account.audiences.map((one) =>
        'segments' in one ? { ...one, created_at: '-10d' } : one,
      )
      const opened = await stage.open(
        { seed: { ...seed, accounts: [{ ...account, audiences }] } },
        { usesOwnClock: true },
      )
      const client = new Client(opened.plaza)
      try {
        const first = await new Admin(opened.plaza, client).call<Data>('GET', '/seed')
        const [exported] = first.accounts as (typeof account)[]
        assert.deepEqual(
          exported?.audiences.map(({ name }) => name),
          ['Regulars', 'Newsletter', 'Regulars without news'],
        )
        const again = await startPlaza({ seed: first }, { usesOwnClock: true })
        await again.close()
      } finally {
        await client.close()
        await opened.close()
      }
    })

    test('fails the start with its place if it breaks a rule', async () => {
      const fails = async (change: object, ...messages: string[]) => {
        const [campaign] = account.campaigns
        const changed = { ...campaign, line_items: [lineItem, { ...lineItem, ...change }] }
        const wrong = { ...seed, accounts: [{ ...account, campaigns: [changed] }] }
        await assert.rejects(stage.open({ seed: wrong }), (error: Error) => {
          assert.deepEqual(
            error.message.replaceAll(/ Post \d+| up to [-0-9:.TZ]+/g, '').split('\n'),
            messages,
          )
          return true
        })
      }
      const place = 'seed: at /accounts/0/campaigns/0/line_items/1'
      await fails(
        { objective: 'REACH', bid_strategy: 'MAX' },
        `${place}: Expected a value in AUTO, TARGET with objective REACH, got "MAX" for bid_strategy`,
        `${place}: Expected ENGAGEMENTS as in the other line items of the campaign, got "REACH" for objective`,
      )
      await fails(
        { targeting: [{ targeting_type: 'LOCATION', targeting_value: 'nowhere' }] },
        `${place}/targeting/0: Got "nowhere" for targeting_value, which is not a place`,
      )
      await fails(
        { promoted_posts: ['loaf', 'foreign'] },
        `${place}/promoted_posts/1: The author of is not a promotable user of the account`,
      )
      await fails(
        {
          start_time: 'soon',
          promoted_posts: ['cake'],
          targeting: [{ targeting_type: 'FOLLOWERS_OF_USER', targeting_value: '@cyd' }],
        },
        `${place}/start_time: "soon" is not a time such as 2026-03-01T12:00:00Z or -2h,`,
        `${place}/targeting/0/targeting_value: the user "cyd" is not among the users of this file`,
        `${place}/promoted_posts/0: there is no post with the id "cake" in this file`,
      )
      const failsWith = (segments: object, message: string) => {
        const audiences = [...account.audiences, { name: 'Wrong', audience_type: 'FLEXIBLE', segments }]
        const wrong = { ...seed, accounts: [{ ...account, audiences }] }
        return assert.rejects(stage.open({ seed: wrong }), (error: Error) => {
          assert.equal(
            error.message.replace(/Account \w+/, 'Account'),
            `seed: at /accounts/0/audiences/3: ${message}`,
          )
          return true
        })
      }
      await failsWith(
        { custom_audience_id: 'strangers' },
        'Custom Audience strangers was not found for Account',
      )
      await failsWith(
        { custom_audience_id: 'Regulars', lookback_window: 2 },
        'Expected a value in 1, 7, 14, 30, got "2" for segments.lookback_window',
      )
    })
  })
}
