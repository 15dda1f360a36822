import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type LineItemRule, rules } from '../../src/api/ads/line-items/rules.ts'
import { businessCategories } from '../../src/domain/reference-data/business-categories.ts'
import { Advertiser } from '../support/advertiser.ts'
import { productSetOf } from '../support/catalogs.ts'
import { Client, demoKeys } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { makeWebEventTag } from '../support/targeting.ts'

type Form = Record<string, string>

/**
 * A call: `on` makes a line item first and changes it. `campaign` and `first` say what is there
 * already.
 */
interface Case {
  send: Form
  on?: Form
  campaign?: Record<string, unknown>
  /** A line item of the same campaign. */
  first?: Form
  /** Line items of the same campaign, by the hundred. */
  siblings?: number
}

interface Both {
  /**
   * The message for the first call that breaks the rule, with `{user}` and `{campaign}` for ids.
   */
  message: string
  breaks: Case[]
  holds: Case[]
}

const BASE: Form = { objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' }
const ON_NETWORK: Form = { ...BASE, placements: 'PUBLISHER_NETWORK' }
const DOMAIN = { advertiser_domain: 'shop.example.com' }
const CATEGORIES = { categories: 'IAB1-1' }
const WHOLE = { categories: businessCategories()[1]?.iab_categories.join(',') ?? '' }
const PREROLL: Form = { ...BASE, objective: 'PREROLL_VIEWS', product_type: 'MEDIA' }
const REACH: Form = { ...BASE, objective: 'REACH' }
const FOLLOWERS: Form = { ...BASE, objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT' }
const WEBSITE: Form = { ...BASE, objective: 'WEBSITE_CLICKS' }
const INSTALLS: Form = { ...BASE, objective: 'APP_INSTALLS', ios_app_store_identifier: '123456789' }
const BID = { bid_amount_local_micro: '1000000' }
const CAP = { frequency_cap: '3', duration_in_days: '7' }
const CONVERSIONS: Form = { ...WEBSITE, goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: 'OWN' }
const OWN_PRODUCTS = { catalog_id: 'OWN', product_set_id: 'OWN' }
const OF_PRODUCTS: Form = {
  ...CONVERSIONS,
  creative_source: 'DYNAMIC_PRODUCT_CREATIVE',
  ...OWN_PRODUCTS,
}
const three = businessCategories().slice(1, 4)

/** Each rule of the table, by its own words: calls that break it and calls that keep it. */
const cases: Record<string, Both> = {
  'advertiser_domain: required when placement is PUBLISHER_NETWORK': {
    message: '"advertiser_domain" is a required parameter with placements PUBLISHER_NETWORK',
    breaks: [
      { send: { ...ON_NETWORK, ...CATEGORIES } },
      { on: { ...ON_NETWORK, ...CATEGORIES, ...DOMAIN }, send: { advertiser_domain: '' } },
    ],
    holds: [{ send: { ...ON_NETWORK, ...CATEGORIES, ...DOMAIN } }, { send: BASE }],
  },
  'advertiser_domain: a domain without a protocol': {
    message:
      'Expected a domain without protocol and path, got "https://shop.example.com" for advertiser_domain',
    breaks: ['https://shop.example.com', 'shop', 'shop.example.com/path', '-a.com', 'a b.com'].map(
      (domain) => ({
        send: { ...BASE, advertiser_domain: domain },
      }),
    ),
    holds: [{ send: { ...BASE, ...DOMAIN } }, { on: BASE, send: DOMAIN }],
  },
  'advertiser_user_id: only apps with permission can set it': {
    message: 'setting advertiser_user_id is not allowed',
    breaks: [{ send: { ...PREROLL, ...WHOLE, advertiser_user_id: 'OWN, by another app' } }],
    holds: [{ send: { ...PREROLL, ...WHOLE, advertiser_user_id: 'OWN' } }],
  },
  'advertiser_user_id: required for PREROLL_VIEWS objectives': {
    message: 'Expected no value with objective ENGAGEMENTS, got "{user}" for advertiser_user_id',
    breaks: [{ send: { ...BASE, advertiser_user_id: 'OWN' } }],
    holds: [{ send: { ...PREROLL, ...WHOLE, advertiser_user_id: 'OWN' } }],
  },
  'advertiser_user_id: must be a user that the account can promote': {
    message: 'Expected a user that the account may promote, got "12345" for advertiser_user_id',
    breaks: [{ send: { ...PREROLL, ...WHOLE, advertiser_user_id: '12345' } }],
    holds: [{ send: { ...PREROLL, ...WHOLE, advertiser_user_id: 'OWN' } }],
  },
  'android_app_store_identifier: at least one app identifier is required for APP_INSTALLS and APP_ENGAGEMENTS objectives':
    {
      message:
        '"android_app_store_identifier" or "ios_app_store_identifier" is a required parameter with objective APP_INSTALLS',
      breaks: [
        { send: { ...BASE, objective: 'APP_INSTALLS' } },
        { send: { ...BASE, objective: 'APP_ENGAGEMENTS' } },
        { on: INSTALLS, send: { ios_app_store_identifier: '' } },
      ],
      holds: [
        { send: INSTALLS },
        { send: { ...BASE, objective: 'APP_ENGAGEMENTS', android_app_store_identifier: 'com.example.app' } },
        {
          on: INSTALLS,
          send: { ios_app_store_identifier: '', android_app_store_identifier: 'com.example.app' },
        },
      ],
    },
  'bid_amount_local_micro: required when bid_strategy is MAX or TARGET': {
    message: '"bid_amount_local_micro" is a required parameter with bid_strategy MAX',
    breaks: [
      { send: { ...BASE, bid_strategy: 'MAX' } },
      { send: { ...REACH, bid_strategy: 'TARGET' } },
      { on: BASE, send: { bid_strategy: 'MAX' } },
      { on: { ...BASE, ...BID }, send: { bid_amount_local_micro: '' } },
    ],
    holds: [
      { send: { ...BASE, bid_strategy: 'AUTO' } },
      { send: { ...BASE, bid_strategy: 'MAX', ...BID } },
      { on: { ...BASE, ...BID }, send: { bid_strategy: 'AUTO' } },
    ],
  },
  'bid_amount_local_micro: must be a multiple of the smallest unit of the currency, such as 10000 (USD 0.01)':
    {
      message: 'Expected a multiple of 10000, got "15000" for bid_amount_local_micro',
      breaks: [{ send: { ...BASE, bid_amount_local_micro: '15000' } }],
      holds: [{ send: { ...BASE, bid_amount_local_micro: '20000' } }],
    },
  'bid_amount_local_micro: must be within the bidding rules of the currency': {
    message:
      'Expected a value between 10000 and 1000000000 in USD, got "1000010000" for bid_amount_local_micro',
    breaks: [
      { send: { ...BASE, bid_amount_local_micro: '1000010000' } },
      { on: BASE, send: { bid_strategy: 'MAX', bid_amount_local_micro: '9000000000' } },
    ],
    holds: [
      { send: { ...BASE, bid_amount_local_micro: '1000000000' } },
      { send: { ...BASE, bid_amount_local_micro: '10000' } },
    ],
  },
  'bid_amount_local_micro: must not exceed the budgets of the campaign': {
    message:
      'Expected at most 900000, the daily_budget_amount_local_micro of the campaign, got "1000000" for bid_amount_local_micro',
    breaks: [
      { campaign: { daily_budget_amount_local_micro: 900_000 }, send: { ...BASE, ...BID } },
      { campaign: { total_budget_amount_local_micro: 900_000 }, send: { ...BASE, ...BID } },
    ],
    holds: [{ campaign: { daily_budget_amount_local_micro: 1_000_000 }, send: { ...BASE, ...BID } }],
  },
  'bid_strategy: REACH and FOLLOWERS objectives cannot use MAX': {
    message: 'Expected a value in AUTO, TARGET with objective REACH, got "MAX" for bid_strategy',
    breaks: [
      { send: { ...REACH, ...BID, bid_strategy: 'MAX' } },
      { on: REACH, send: { bid_strategy: 'MAX', ...BID } },
      {
        send: {
          ...BASE,
          objective: 'FOLLOWERS',
          product_type: 'PROMOTED_ACCOUNT',
          ...BID,
          bid_strategy: 'MAX',
        },
      },
    ],
    holds: [
      { send: { ...BASE, ...BID, bid_strategy: 'MAX' } },
      { send: { ...REACH, ...BID, bid_strategy: 'AUTO' } },
    ],
  },
  'bid_strategy: only REACH and WEBSITE_CLICKS objectives, and new line items with FOLLOWERS, can use TARGET':
    {
      message: 'Expected a value in AUTO, MAX with objective ENGAGEMENTS, got "TARGET" for bid_strategy',
      breaks: [
        { send: { ...BASE, ...BID, bid_strategy: 'TARGET' } },
        {
          on: { ...BASE, objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT' },
          send: { bid_strategy: 'TARGET', ...BID },
        },
      ],
      holds: [
        { send: { ...REACH, ...BID, bid_strategy: 'TARGET' } },
        { send: { ...WEBSITE, ...BID, bid_strategy: 'TARGET' } },
        { on: WEBSITE, send: { ...BID, bid_strategy: 'TARGET' } },
        {
          send: {
            ...BASE,
            objective: 'FOLLOWERS',
            product_type: 'PROMOTED_ACCOUNT',
            ...BID,
            bid_strategy: 'TARGET',
          },
        },
        {
          on: {
            ...BASE,
            objective: 'FOLLOWERS',
            product_type: 'PROMOTED_ACCOUNT',
            ...BID,
            bid_strategy: 'TARGET',
          },
          send: { name: 'Another name' },
        },
      ],
    },
  'categories: required when placement is PUBLISHER_NETWORK': {
    message: '"categories" is a required parameter with placements PUBLISHER_NETWORK',
    breaks: [
      { send: { ...ON_NETWORK, ...DOMAIN } },
      { on: { ...ON_NETWORK, ...DOMAIN, ...CATEGORIES }, send: { categories: '' } },
    ],
    holds: [{ send: { ...ON_NETWORK, ...DOMAIN, ...CATEGORIES } }],
  },
  'categories: must be IAB categories': {
    message: 'Expected IAB categories, got "IAB99" for categories',
    breaks: [{ send: { ...BASE, categories: 'IAB1-1,IAB99' } }],
    holds: [{ send: { ...BASE, categories: 'IAB1-1,IAB2' } }],
  },
  'categories: required for PREROLL_VIEWS objectives': {
    message: '"categories" is a required parameter with objective PREROLL_VIEWS',
    breaks: [{ send: PREROLL }],
    holds: [{ send: { ...PREROLL, ...WHOLE } }, { send: BASE }],
  },
  'categories: for PREROLL_VIEWS objectives, must be all IAB categories of one or two business categories': {
    message:
      'Expected all IAB categories of one or two business categories with objective PREROLL_VIEWS, got "IAB8-5" for categories',
    breaks: [
      { send: { ...PREROLL, categories: 'IAB8-5' } },
      { send: { ...PREROLL, categories: `${WHOLE.categories},IAB1-1` } },
      { send: { ...PREROLL, categories: three.flatMap((one) => one.iab_categories).join() } },
    ],
    holds: [
      { send: { ...PREROLL, ...WHOLE } },
      {
        send: {
          ...PREROLL,
          categories: three
            .slice(0, 2)
            .flatMap((one) => one.iab_categories)
            .join(),
        },
      },
    ],
  },
  'duration_in_days: frequency_cap and duration_in_days must be set together': {
    message:
      'frequency_cap and duration_in_days are inclusive parameters, got "" for frequency_cap and "7" for duration_in_days',
    breaks: [
      { send: { ...BASE, duration_in_days: '7' } },
      { send: { ...BASE, frequency_cap: '3' } },
      { on: { ...BASE, ...CAP }, send: { duration_in_days: '' } },
    ],
    holds: [
      { send: { ...BASE, ...CAP } },
      { on: { ...BASE, ...CAP }, send: { duration_in_days: '', frequency_cap: '' } },
    ],
  },
  'end_time: must be later than start_time': {
    message:
      'Expected a time later than start_time 2026-04-02T00:00:00Z, got "2026-04-02T00:00:00Z" for end_time',
    breaks: [
      { send: { ...BASE, start_time: '2026-04-02T00:00:00Z', end_time: '2026-04-02T00:00:00Z' } },
      { on: { ...BASE, start_time: '2026-04-02' }, send: { end_time: '2026-04-01' } },
    ],
    holds: [
      { send: { ...BASE, start_time: '2026-04-02T00:00:00Z', end_time: '2026-04-02T00:00:01Z' } },
      { on: { ...BASE, start_time: '2026-04-02' }, send: { end_time: '2026-04-01', start_time: '' } },
    ],
  },
  'frequency_cap: only for REACH, ENGAGEMENTS, VIDEO_VIEWS and PREROLL_VIEWS objectives': {
    message: 'Expected no value with objective WEBSITE_CLICKS, got "3" for frequency_cap',
    breaks: [{ send: { ...WEBSITE, ...CAP } }, { on: WEBSITE, send: CAP }],
    holds: [{ send: { ...REACH, ...CAP } }, { send: { ...BASE, objective: 'VIDEO_VIEWS', ...CAP } }],
  },
  'goal: must be allowed for the objective': {
    message:
      'Expected a value in MAX_REACH, REACH_WITH_ENGAGEMENT with objective REACH, got "APP_INSTALLS" for goal',
    breaks: [
      { send: { ...REACH, goal: 'APP_INSTALLS' } },
      { send: { ...FOLLOWERS, goal: 'VIEW_6S' } },
      { send: { ...BASE, goal: 'SITE_VISITS' } },
      { on: INSTALLS, send: { goal: 'LINK_CLICKS' } },
    ],
    holds: [
      { send: { ...WEBSITE, goal: 'SITE_VISITS' } },
      { send: { ...REACH, goal: 'REACH_WITH_ENGAGEMENT' } },
      { send: { ...PREROLL, ...WHOLE, goal: 'VIEW_6S' } },
      { on: INSTALLS, send: { goal: 'APP_CLICKS' } },
      { on: { ...BASE, objective: 'VIDEO_VIEWS' }, send: { goal: 'VIEW_15S' } },
    ],
  },
  'name: must contain a visible character': {
    message: 'Expected a visible character, got "  " for name',
    breaks: [{ send: { ...BASE, name: '  ' } }, { on: BASE, send: { name: '\u200b' } }],
    holds: [{ send: { ...BASE, name: ' a ' } }, { on: { ...BASE, name: 'a' }, send: { name: '' } }],
  },
  'pay_by: can be changed only for APP_INSTALLS objectives': {
    message:
      'Expected ENGAGEMENT, which cannot change with objective ENGAGEMENTS, got "IMPRESSION" for pay_by',
    breaks: [{ on: BASE, send: { pay_by: 'IMPRESSION' } }],
    holds: [
      { on: INSTALLS, send: { pay_by: 'APP_CLICK' } },
      { on: WEBSITE, send: { pay_by: 'IMPRESSION' } },
    ],
  },
  'pay_by: IMPRESSION is not allowed with bid_strategy TARGET': {
    message: 'Expected a value in LINK_CLICK with bid_strategy TARGET, got "IMPRESSION" for pay_by',
    breaks: [
      { send: { ...WEBSITE, ...BID, bid_strategy: 'TARGET', pay_by: 'IMPRESSION' } },
      { send: { ...REACH, ...BID, bid_strategy: 'TARGET', pay_by: 'IMPRESSION' } },
    ],
    holds: [
      { send: { ...WEBSITE, ...BID, bid_strategy: 'TARGET', pay_by: 'LINK_CLICK' } },
      // What no one chose moves out of the way.
      {
        on: { ...WEBSITE, goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: 'OWN' },
        send: { ...BID, bid_strategy: 'TARGET' },
      },
    ],
  },
  'pay_by: must be allowed for the goal': {
    message: 'Expected a value in IMPRESSION with goal SITE_VISITS, got "LINK_CLICK" for pay_by',
    breaks: [
      { send: { ...WEBSITE, goal: 'SITE_VISITS', pay_by: 'LINK_CLICK' } },
      { send: { ...BASE, pay_by: 'APP_CLICK' } },
      { send: { ...REACH, pay_by: 'LINK_CLICK' } },
      { on: INSTALLS, send: { pay_by: 'LINK_CLICK' } },
    ],
    holds: [
      { send: { ...WEBSITE, goal: 'SITE_VISITS', pay_by: 'IMPRESSION' } },
      { send: { ...WEBSITE, pay_by: 'LINK_CLICK' } },
      { send: { ...INSTALLS, pay_by: 'APP_CLICK' } },
      { send: { ...REACH, ...BID, bid_strategy: 'TARGET', pay_by: 'LINK_CLICK' } },
    ],
  },
  'total_budget_amount_local_micro: must be a multiple of the smallest unit of the currency, such as 10000 (USD 0.01)':
    {
      message: 'Expected a multiple of 10000, got "1000001" for total_budget_amount_local_micro',
      breaks: [{ send: { ...BASE, total_budget_amount_local_micro: '1000001' } }],
      holds: [{ send: { ...BASE, total_budget_amount_local_micro: '1000000' } }],
    },
  'total_budget_amount_local_micro: must not exceed the total budget of the campaign': {
    message:
      'Expected at most 5000000, the total_budget_amount_local_micro of the campaign, got "5010000" for total_budget_amount_local_micro',
    breaks: [
      {
        campaign: { total_budget_amount_local_micro: 5_000_000 },
        send: { ...BASE, total_budget_amount_local_micro: '5010000' },
      },
    ],
    holds: [
      {
        campaign: { total_budget_amount_local_micro: 5_000_000 },
        send: { ...BASE, total_budget_amount_local_micro: '5000000' },
      },
    ],
  },
  'daily_budget_amount_local_micro: must not exceed the total budget': {
    message:
      'Expected at most 1000000, the total_budget_amount_local_micro, got "2000000" for daily_budget_amount_local_micro',
    breaks: [
      {
        send: {
          ...BASE,
          daily_budget_amount_local_micro: '2000000',
          total_budget_amount_local_micro: '1000000',
        },
      },
      {
        on: { ...BASE, total_budget_amount_local_micro: '1000000' },
        send: { daily_budget_amount_local_micro: '2000000' },
      },
    ],
    holds: [
      {
        send: {
          ...BASE,
          daily_budget_amount_local_micro: '1000000',
          total_budget_amount_local_micro: '1000000',
        },
      },
    ],
  },
  'daily_budget_amount_local_micro: only if the campaign has budget_optimization LINE_ITEM': {
    message:
      'Expected no value with budget_optimization CAMPAIGN of the campaign, got "1000000" for daily_budget_amount_local_micro',
    breaks: [
      {
        campaign: { budget_optimization: 'CAMPAIGN' },
        send: { ...BASE, daily_budget_amount_local_micro: '1000000' },
      },
    ],
    holds: [
      {
        campaign: { budget_optimization: 'LINE_ITEM' },
        send: { ...BASE, daily_budget_amount_local_micro: '1000000' },
      },
      { campaign: { budget_optimization: 'CAMPAIGN' }, send: BASE },
    ],
  },
  'daily_budget_amount_local_micro: must be a multiple of the smallest unit of the currency, such as 10000 (USD 0.01)':
    {
      message: 'Expected a multiple of 10000, got "1000001" for daily_budget_amount_local_micro',
      breaks: [{ send: { ...BASE, daily_budget_amount_local_micro: '1000001' } }],
      holds: [{ send: { ...BASE, daily_budget_amount_local_micro: '1010000' } }],
    },
  'primary_web_event_tag: required when goal is WEBSITE_CONVERSIONS': {
    message: '"primary_web_event_tag" is a required parameter with goal WEBSITE_CONVERSIONS',
    breaks: [
      { send: { ...WEBSITE, goal: 'WEBSITE_CONVERSIONS' } },
      { on: WEBSITE, send: { goal: 'WEBSITE_CONVERSIONS' } },
      {
        on: { ...WEBSITE, goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: 'OWN' },
        send: { primary_web_event_tag: '' },
      },
    ],
    holds: [
      { send: { ...WEBSITE, goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: 'OWN' } },
      { on: WEBSITE, send: { goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: 'OWN' } },
    ],
  },
  'goal: must be WEBSITE_CONVERSIONS with creative_source DYNAMIC_PRODUCT_CREATIVE': {
    message:
      'Expected WEBSITE_CONVERSIONS with creative_source DYNAMIC_PRODUCT_CREATIVE, got "LINK_CLICKS" for goal',
    breaks: [
      { send: { ...OF_PRODUCTS, goal: 'LINK_CLICKS' } },
      { on: OF_PRODUCTS, send: { goal: 'LINK_CLICKS' } },
      { send: { ...OF_PRODUCTS, ...BASE, goal: 'ENGAGEMENT' } },
    ],
    holds: [
      { send: OF_PRODUCTS },
      { on: CONVERSIONS, send: { creative_source: 'DYNAMIC_PRODUCT_CREATIVE', ...OWN_PRODUCTS } },
      { on: OF_PRODUCTS, send: { creative_source: 'MANUAL', catalog_id: '', product_set_id: '' } },
    ],
  },
  ...Object.fromEntries(
    (['catalog_id', 'product_set_id'] as const).flatMap((name): [string, Both][] => [
      [
        `${name}: required with creative_source DYNAMIC_PRODUCT_CREATIVE`,
        {
          message: `"${name}" is a required parameter with creative_source DYNAMIC_PRODUCT_CREATIVE`,
          breaks: [
            { send: { ...OF_PRODUCTS, [name]: '' } },
            { on: OF_PRODUCTS, send: { [name]: '' } },
            { on: CONVERSIONS, send: { creative_source: 'DYNAMIC_PRODUCT_CREATIVE' } },
          ],
          holds: [{ send: OF_PRODUCTS }],
        },
      ],
      [
        `${name}: only with creative_source DYNAMIC_PRODUCT_CREATIVE`,
        {
          message: `Expected no value with creative_source MANUAL, got "77" for ${name}`,
          breaks: [
            { send: { ...CONVERSIONS, [name]: '77' } },
            { on: OF_PRODUCTS, send: { creative_source: 'MANUAL' } },
          ],
          holds: [{ send: CONVERSIONS }],
        },
      ],
    ]),
  ),
  'objective: all line items of a campaign have the same objective': {
    message: 'Expected ENGAGEMENTS as in the other line items of the campaign, got "REACH" for objective',
    breaks: [{ first: BASE, send: REACH }],
    holds: [{ first: BASE, send: BASE }],
  },
  'product_type: all line items of a campaign have the same product type': {
    message:
      'Expected PROMOTED_POSTS as in the other line items of the campaign, got "PROMOTED_ACCOUNT" for product_type',
    breaks: [{ first: BASE, send: { ...BASE, product_type: 'PROMOTED_ACCOUNT' } }],
    holds: [{ first: BASE, send: BASE }],
  },
  'product_type: must be allowed for the objective': {
    message:
      'Expected a value in PROMOTED_POSTS, MEDIA with objective ENGAGEMENTS, got "PROMOTED_ACCOUNT" for product_type',
    breaks: [
      { send: { ...BASE, product_type: 'PROMOTED_ACCOUNT' } },
      { send: { ...FOLLOWERS, product_type: 'MEDIA' } },
    ],
    holds: [
      { send: FOLLOWERS },
      { send: { ...FOLLOWERS, product_type: 'PROMOTED_POSTS' } },
      { send: { ...PREROLL, ...WHOLE } },
    ],
  },
  'product_type: must be compatible with the placements': {
    message:
      'Expected a product type that is compatible with placements SERVICE_SEARCH, got "PROMOTED_ACCOUNT" for product_type',
    breaks: [
      { send: { ...FOLLOWERS, placements: 'SERVICE_SEARCH' } },
      { send: { ...BASE, product_type: 'MEDIA', placements: 'TAP_FULL,TAP_BANNER' } },
      { send: { ...BASE, placements: 'TAP_FULL' } },
    ],
    holds: [
      { send: { ...FOLLOWERS, placements: 'SERVICE_TIMELINE' } },
      { send: { ...BASE, product_type: 'MEDIA', placements: 'TAP_FULL' } },
      { send: { ...BASE, placements: 'SERVICE_TIMELINE,SERVICE_PROFILE' } },
    ],
  },
  'placements: SERVICE_PROFILE cannot be the only placement': {
    message: 'Expected more than SERVICE_PROFILE, got "SERVICE_PROFILE" for placements',
    breaks: [{ send: { ...BASE, placements: 'SERVICE_PROFILE' } }],
    holds: [{ send: { ...BASE, placements: 'SERVICE_PROFILE,SERVICE_TIMELINE' } }],
  },
  'placements: REACH objectives require SERVICE_TIMELINE or ALL_ON_SERVICE': {
    message:
      'Expected a list with SERVICE_TIMELINE or ALL_ON_SERVICE with objective REACH, got "SERVICE_SEARCH" for placements',
    breaks: [{ send: { ...REACH, placements: 'SERVICE_SEARCH' } }],
    holds: [{ send: REACH }, { send: { ...REACH, placements: 'SERVICE_TIMELINE' } }],
  },
  'placements: line items of a campaign cannot mix placement types': {
    message:
      'Expected the type of placements of the other line items of the campaign, such as ALL_ON_SERVICE, got "PUBLISHER_NETWORK" for placements',
    breaks: [{ first: BASE, send: { ...ON_NETWORK, ...DOMAIN, ...CATEGORIES } }],
    holds: [{ first: BASE, send: { ...BASE, placements: 'SERVICE_TIMELINE' } }],
  },
  'campaign_id: a campaign has at most 100 line items': {
    message: 'Expected a campaign with fewer than 100 line items, got "{campaign}" for campaign_id',
    breaks: [{ siblings: 100, send: BASE }],
    holds: [{ siblings: 99, send: BASE }],
  },
}

const nameOf = ({ parameter, rule }: LineItemRule) => `${parameter}: ${rule}`

test('every rule of the table is tried both ways', () => {
  assert.deepEqual(Object.keys(cases).sort(), rules.map(nameOf).sort())
  for (const [name, { breaks, holds }] of Object.entries(cases)) {
    assert.ok(breaks.length > 0 && holds.length > 0, name)
  }
})

describe('the rules of line items', () => {
  let opened: Opened
  /** Where no app may choose the advertiser: the default. */
  let strict: Opened
  before(async () => {
    const [memory] = stages
    if (!memory) throw new Error('there is no stage')
    opened = await memory.open({ rateLimits: 'off', advertiserUserApps: ['all'] })
    strict = await memory.open({ rateLimits: 'off' })
  })
  after(() => Promise.all([opened?.close(), strict?.close()]))

  async function play({ send, on, campaign, first, siblings = 0 }: Case) {
    const { advertiser_user_id: advertiserUser, ...others } = send
    const { plaza } = advertiserUser?.includes('another app') ? strict : opened
    const client = new Client(plaza)
    const user = plaza.seeded?.apps[0]?.grants[0]?.userId ?? ''
    const advertiser = await Advertiser.open(plaza.context, user)
    const { id: campaign_id } = await advertiser.campaign(campaign)
    for (let made = 0; made < siblings; made++) await advertiser.lineItem({ campaign_id })
    const path = `${plaza.urls.ads}/12/accounts/${advertiser.account.id}/line_items`
    const keys = demoKeys(plaza)
    const tag = (await makeWebEventTag(advertiser)).id
    const own: Form = { primary_web_event_tag: tag, ...(await productSetOf(plaza.context, user)) }
    const named = (form: Form): Form =>
      Object.fromEntries(
        Object.entries(form).map(([name, value]) => [name, value === 'OWN' ? (own[name] ?? value) : value]),
      )
    const post = (form: Form) => client.signed('POST', path, keys, { form: { campaign_id, ...named(form) } })
    const form = {
      ...others,
      ...(advertiserUser !== undefined && {
        advertiser_user_id: advertiserUser.startsWith('OWN') ? user : advertiserUser,
      }),
    }
    try {
      if (first) assert.equal((await post(first)).status, 201)
      if (!on) return await post(form)
      const made = await post(on)
      assert.equal(made.status, 201, made.text)
      const { id } = (made.json as { data: { id: string } }).data
      return await client.signed('PUT', `${path}/${id}`, keys, { form: named(form) })
    } finally {
      await client.close()
    }
  }

  for (const rule of rules) {
    const both = cases[nameOf(rule)] ?? { message: '', breaks: [], holds: [] }
    for (const [index, one] of both.breaks.entries()) {
      test(`${nameOf(rule)}: rejects ${JSON.stringify(one.send).slice(0, 200)}`, async () => {
        const reply = await play(one)
        const { errors, request } = reply.json as {
          errors?: Record<string, string>[]
          request: { params: Record<string, string> }
        }
        const { parameter, code = 'INVALID_PARAMETER', attribute } = rule
        const found = errors?.find(
          (error) => error.code === code && error[attribute ? 'attribute' : 'parameter'] === parameter,
        )
        assert.ok(found, `${reply.status} ${reply.text}`)
        const { advertiser_user_id = '', campaign_id = '' } = request.params
        if (index === 0)
          assert.equal(
            found.message,
            both.message.replace('{user}', advertiser_user_id).replace('{campaign}', campaign_id),
          )
        assert.ok(reply.status === 400 || reply.status === 404)
      })
    }
    for (const one of both.holds) {
      test(`${nameOf(rule)}: takes ${JSON.stringify(one.send).slice(0, 200)}`, async () => {
        const reply = await play(one)
        assert.equal(reply.status, one.on ? 200 : 201, reply.text)
      })
    }
  }
})
