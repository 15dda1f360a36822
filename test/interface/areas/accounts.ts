import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area } from '../support/exchange.ts'
import { base36, boolean, each, id64, including, integer, keep, string, time } from '../support/match.ts'
import { exchange } from '../support/run.ts'

/** The account that the areas of the advertising API use: on the sandbox, made for this run. */
const account = {
  id: '{account}',
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
}

/** A separate account, which is deleted. */
const other = { ...account, id: '{other_account}' }

const FEATURES_OF_A_NEW_ACCOUNT = [
  'CPI_CHARGING',
  'EVENT_TARGETING',
  'INSTALLED_APP_CATEGORY_TARGETING',
  'MOBILE_CONVERSION_TRANSACTION_VALUE',
  'OPTIMIZED_ACTION_BIDDING',
  'VIDEO_APP_DOWNLOAD_CARD',
]

const taxSettings = {
  tax_id: null,
  tax_category: null,
  business_relationship: 'SELF',
  bill_to: 'NOT_SET',
  invoice_jurisdiction: 'NOT_SET',
  address_company: null,
  address_first_name: null,
  address_last_name: null,
  address_street1: null,
  address_street2: null,
  address_city: null,
  address_region: null,
  address_postal_code: null,
  address_country: null,
  address_email: null,
}

/** Sources: interface, "Campaign management"; advertising reference, 01 sections 1 to 5 and 11. */
export const accounts: Area = {
  name: 'accounts',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    {
      it: 'a sandbox account is made',
      send: 'POST /accounts',
      status: 201,
      reply: ads.single({}, { ...account, id: keep('account', base36) }),
      limit: WRITES,
    },
    {
      it: 'another one is made',
      send: 'POST /accounts',
      status: 201,
      reply: ads.single({}, { ...other, id: keep('other_account', base36) }),
    },
    {
      it: 'the list shows the accounts of the caller',
      send: 'GET /accounts',
      query: { account_ids: '{account},{other_account}', sort_by: 'created_at-asc' },
      status: 200,
      reply: ads.list({ account_ids: ['{account}', '{other_account}'], sort_by: ['created_at-asc'] }, [
        account,
        other,
      ]),
    },
    {
      it: 'a page ends with a cursor',
      send: 'GET /accounts',
      query: { account_ids: '{account},{other_account}', count: '1' },
      status: 200,
      reply: ads.list(
        { account_ids: ['{account}', '{other_account}'], count: 1 },
        [account],
        keep('accounts_cursor', string),
      ),
    },
    {
      it: 'which leads to the next page',
      send: 'GET /accounts',
      query: { account_ids: '{account},{other_account}', count: '1', cursor: '{accounts_cursor}' },
      status: 200,
      reply: ads.list(
        { account_ids: ['{account}', '{other_account}'], count: 1, cursor: '{accounts_cursor}' },
        [other],
      ),
    },
    {
      it: 'with_total_count counts',
      send: 'GET /accounts',
      query: { account_ids: '{account},{other_account}', with_total_count: 'true' },
      status: 200,
      reply: {
        ...ads.list({ account_ids: ['{account}', '{other_account}'], with_total_count: true }, [
          account,
          other,
        ]),
        total_count: 2,
      },
      limit: 200,
    },
    {
      it: 'with_total_count and cursor exclude each other',
      send: 'GET /accounts',
      query: { with_total_count: 'true', cursor: '{accounts_cursor}' },
      status: 400,
      reply: ads.errors(
        { with_total_count: true, cursor: '{accounts_cursor}' },
        ads.error('EXCLUSIVE_PARAMETERS', 'with_total_count and cursor are exclusive parameters', {
          parameter: 'with_total_count',
        }),
      ),
    },
    {
      it: 'count is 1 to 1000',
      send: 'GET /accounts',
      query: { count: '1001' },
      status: 400,
      reply: ads.errors(
        {},
        ads.error('INVALID_PARAMETER', 'Expected a value between 1 and 1000, got "1001" for count', {
          parameter: 'count',
        }),
      ),
    },
    {
      it: 'one account',
      send: 'GET /accounts/{account}',
      status: 200,
      reply: ads.single(own(), account),
      limit: READS,
    },
    {
      it: 'an account of another user is not found',
      send: 'GET /accounts/{production_account}',
      status: 403,
      reply: ads.errors(
        { account_id: '{production_account}' },
        ads.error('ACCOUNT_NOT_FOUND', 'Account {production_account} was not found', {
          parameter: 'account_id',
        }),
      ),
    },
    {
      it: 'an id holds no other characters than 0-9 and a-z',
      send: 'GET /accounts/ABC',
      status: 404,
      reply: ads.errors(
        {},
        ads.error(
          'INVALID_ID_ILLEGAL_CHARACTERS',
          'Expected an id of the characters 0-9 and a-z, got "ABC" for account_id',
          { parameter: 'account_id' },
        ),
      ),
    },
    {
      it: 'its name and industry can be changed',
      send: 'PUT /accounts/{account}',
      form: { name: 'Renamed', industry_type: 'TRAVEL' },
      status: 200,
      reply: ads.single(own({ name: 'Renamed', industry_type: 'TRAVEL' }), {
        ...account,
        name: 'Renamed',
        industry_type: 'TRAVEL',
      }),
      limit: WRITES,
    },
    {
      it: 'an industry that does not exist',
      send: 'PUT /accounts/{account}',
      form: { industry_type: 'FOO' },
      status: 400,
      reply: ads.errors(
        own(),
        ads.error(
          'INVALID_PARAMETER',
          'Expected a value in AGENCY, BUSINESS_TO_BUSINESS, ONLINE_SERVICES, EDUCATION, FINANCIAL, HEALTH, GOVERNMENT, MEDIA, MOBILE, RESTAURANT, RETAIL, TECHNOLOGY, TRAVEL, OTHER, got "FOO" for industry_type',
          { parameter: 'industry_type' },
        ),
      ),
    },
    {
      it: 'what cannot be set',
      send: 'PUT /accounts/{account}',
      form: { timezone: 'Europe/Rome' },
      status: 400,
      reply: ads.errors(
        own({ timezone: 'Europe/Rome' }),
        ads.error('INVALID_PARAMETER', 'setting timezone is not allowed', { parameter: 'timezone' }),
      ),
    },
    {
      it: 'a role that is too low',
      send: 'PUT {ads_url}/12/accounts/{production_account}',
      as: 'user',
      form: { name: 'Mine' },
      status: 403,
      reply: ads.errors(
        { account_id: '{production_account}' },
        ads.error(
          'ACTION_NOT_ALLOWED',
          'The user has none of the roles ACCOUNT_ADMIN on Account {production_account}',
        ),
      ),
    },
    {
      it: 'a sandbox account is deleted',
      send: 'DELETE /accounts/{other_account}',
      status: 200,
      reply: ads.single({ account_id: '{other_account}' }, { ...other, deleted: true }),
      limit: WRITES,
    },
    {
      it: 'and then not found',
      send: 'DELETE /accounts/{other_account}',
      status: 403,
      reply: ads.errors(
        { account_id: '{other_account}' },
        ads.error('ACCOUNT_NOT_FOUND', 'Account {other_account} was not found', {
          parameter: 'account_id',
        }),
      ),
    },
    {
      it: 'but with_deleted shows it',
      send: 'GET /accounts/{other_account}',
      query: { with_deleted: 'true' },
      status: 200,
      reply: ads.single({ account_id: '{other_account}', with_deleted: true }, { ...other, deleted: true }),
    },
    {
      it: 'production knows its accounts',
      send: 'GET {ads_url}/12/accounts/{production_account}',
      status: 200,
      reply: ads.single(
        { account_id: '{production_account}' },
        { ...account, id: '{production_account}', name: 'Demo account' },
      ),
    },

    // Children of an account.
    {
      it: 'a new account has no apps',
      send: 'GET /accounts/{account}/account_apps',
      status: 200,
      reply: ads.list(own(), []),
      limit: READS,
    },
    {
      it: 'apps are registered outside of the API',
      needs: 'a command',
      async run(world) {
        const account = String(world.variables.account)
        const app = ['com.example.android', '--deep-link=svc://']
        await world.server.command?.('account', 'app', 'add', account, ...app)
        await exchange(
          {
            it: 'and shown by it',
            send: 'GET {ads_sandbox_url}/12/accounts/{account}/account_apps',
            as: 'advertiser',
            status: 200,
            reply: ads.list(own(), [
              {
                id: base36,
                app_store_identifier: 'com.example.android',
                conversion_tracking_enabled: false,
                deep_link_pattern: 'svc://',
                os_type: 'Android',
                created_at: time,
                updated_at: time,
                deleted: false,
              },
            ]),
          },
          world,
        )
      },
    },
    {
      it: 'what the caller may do',
      send: 'GET /accounts/{account}/authenticated_user_access',
      status: 200,
      reply: ads.single(own(), { user_id: '{advertiser}', permissions: ['ACCOUNT_ADMIN', 'POST_COMPOSER'] }),
      limit: READS,
    },
    {
      it: 'the settings of the caller',
      send: 'GET /accounts/{account}/user_settings/{advertiser}',
      status: 200,
      reply: ads.single(own({ user_id: '{advertiser}' }), {
        notification_email: null,
        contact_phone: '',
        contact_phone_extension: '',
        subscribed_email_types: [],
      }),
      limit: READS,
    },
    {
      it: 'which the caller changes',
      send: 'PUT /accounts/{account}/user_settings/{advertiser}',
      form: { contact_phone: '+1 555 0100' },
      status: 200,
      reply: ads.single(own({ user_id: '{advertiser}', contact_phone: '+1 555 0100' }), {
        notification_email: null,
        contact_phone: '+1 555 0100',
        contact_phone_extension: '',
        subscribed_email_types: [],
      }),
      limit: WRITES,
    },
    {
      it: 'but no one else',
      send: 'PUT /accounts/{account}/user_settings/{user}',
      form: { contact_phone: '+1 555 0100' },
      status: 403,
      reply: ads.errors(
        own({ user_id: '{user}', contact_phone: '+1 555 0100' }),
        ads.error('ACTION_NOT_ALLOWED', 'You may not access the settings of User {user}', {
          parameter: 'user_id',
        }),
      ),
    },
    {
      it: 'the tax settings of a new account',
      send: 'GET /accounts/{account}/tax_settings',
      status: 200,
      reply: ads.single(own(), taxSettings),
      limit: READS,
    },
    {
      it: 'address_name is the company',
      send: 'PUT /accounts/{account}/tax_settings',
      form: { address_name: 'ABC, Inc.', address_country: 'GB', tax_category: 'BUSINESS_WITH_VAT' },
      status: 200,
      reply: ads.single(
        own({ address_name: 'ABC, Inc.', address_country: 'GB', tax_category: 'BUSINESS_WITH_VAT' }),
        {
          ...taxSettings,
          address_company: 'ABC, Inc.',
          address_country: 'GB',
          tax_category: 'BUSINESS_WITH_VAT',
        },
      ),
      limit: WRITES,
    },
    {
      it: 'the features of a new sandbox account',
      send: 'GET /accounts/{account}/features',
      status: 200,
      reply: ads.single(own(), FEATURES_OF_A_NEW_ACCOUNT),
      limit: READS,
    },
    {
      it: 'features are granted on the sandbox; the reply names all',
      send: 'POST /accounts/{account}/features',
      form: { feature_keys: 'BRAND_TPN,REACH_FREQUENCY_CAP' },
      status: 201,
      reply: ads.single(own({ feature_keys: ['BRAND_TPN', 'REACH_FREQUENCY_CAP'] }), [
        'BRAND_TPN',
        ...FEATURES_OF_A_NEW_ACCOUNT.slice(0, 5),
        'REACH_FREQUENCY_CAP',
        'VIDEO_APP_DOWNLOAD_CARD',
      ]),
      limit: WRITES,
    },
    {
      it: 'feature_keys chooses',
      send: 'GET /accounts/{account}/features',
      query: { feature_keys: 'REACH_FREQUENCY_CAP,WEBSITE_CLICKS_CPM_BILLING' },
      status: 200,
      reply: ads.single(own({ feature_keys: ['REACH_FREQUENCY_CAP', 'WEBSITE_CLICKS_CPM_BILLING'] }), [
        'REACH_FREQUENCY_CAP',
      ]),
    },
    {
      it: 'feature_keys must be there',
      send: 'POST /accounts/{account}/features',
      form: {},
      status: 400,
      reply: ads.errors(
        own(),
        ads.error('MISSING_PARAMETER', '"feature_keys" is a required parameter', {
          parameter: 'feature_keys',
        }),
      ),
    },
    {
      it: 'features are revoked; the reply names the rest',
      send: 'DELETE /accounts/{account}/features',
      query: { feature_keys: 'BRAND_TPN,REACH_FREQUENCY_CAP' },
      status: 200,
      reply: ads.single(
        own({ feature_keys: ['BRAND_TPN', 'REACH_FREQUENCY_CAP'] }),
        FEATURES_OF_A_NEW_ACCOUNT,
      ),
      limit: WRITES,
    },
    {
      it: 'the owner is whom the account may promote',
      send: 'GET /accounts/{account}/promotable_users',
      status: 200,
      reply: ads.list(own(), [
        {
          id: keep('promotable_user', base36),
          user_id: '{advertiser}',
          promotable_user_type: 'FULL',
          created_at: time,
          updated_at: time,
          deleted: false,
        },
      ]),
      limit: READS,
    },
    {
      it: 'one of them',
      send: 'GET /accounts/{account}/promotable_users/{promotable_user}',
      status: 200,
      reply: ads.single(own({ promotable_user_id: '{promotable_user}' }), {
        id: '{promotable_user}',
        user_id: '{advertiser}',
        promotable_user_type: 'FULL',
        created_at: time,
        updated_at: time,
        deleted: false,
      }),
      limit: READS,
    },
    {
      it: 'one that is not there',
      send: 'GET /accounts/{account}/promotable_users/zzz',
      status: 404,
      reply: ads.errors(
        own({ promotable_user_id: 'zzz' }),
        ads.error('PROMOTABLE_USER_NOT_FOUND', 'Promotable User zzz was not found for Account {account}', {
          parameter: 'promotable_user_id',
        }),
      ),
    },
  ],
}

/** Sources: interface, "Campaign management"; advertising reference, 01 sections 9, 10 and 19. */
export const categories: Area = {
  name: 'categories, publishers and bidding rules',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    {
      it: 'the business categories',
      send: 'GET /advertiser_business_categories',
      status: 200,
      reply: ads.list({}, including({ id: '1jm', name: 'Health & Pharma', iab_categories: ['IAB7'] })),
    },
    {
      it: 'the content categories, always counted',
      send: 'GET /content_categories',
      status: 200,
      reply: {
        ...ads.list(
          {},
          including({
            id: 'sq',
            name: 'Music',
            iab_categories: ['IAB1-6'],
            publishers_in_last_thirty_days: 31,
            videos_monetized_in_last_thirty_days: 518,
          }),
        ),
        total_count: 15,
      },
    },
    {
      it: 'the curated categories, always counted',
      send: 'GET /accounts/{account}/curated_categories',
      query: { country_codes: 'US' },
      status: 200,
      reply: {
        ...ads.list(
          own({ country_codes: ['US'] }),
          including({
            id: '9ddrgesiap6o',
            name: 'Soccer',
            description: string,
            country_codes: including('US'),
            publisher_user_ids: each(id64),
            videos_monetized_in_last_thirty_days: 421,
            created_at: '2020-02-28T22:43:26Z',
            updated_at: '2021-01-26T17:54:55Z',
          }),
        ),
        total_count: 9,
      },
      limit: READS,
    },
    {
      it: 'one curated category',
      send: 'GET /accounts/{account}/curated_categories/9ddrgesiap6o',
      status: 200,
      reply: ads.single(own({ curated_category_id: '9ddrgesiap6o' }), {
        id: '9ddrgesiap6o',
        name: 'Soccer',
        description: string,
        country_codes: including('US'),
        publisher_user_ids: each(id64),
        videos_monetized_in_last_thirty_days: 421,
        created_at: '2020-02-28T22:43:26Z',
        updated_at: '2021-01-26T17:54:55Z',
      }),
      limit: READS,
    },
    {
      it: 'one that is not there',
      send: 'GET /accounts/{account}/curated_categories/zzz',
      status: 404,
      reply: ads.errors(
        own({ curated_category_id: 'zzz' }),
        ads.error('NOT_FOUND', 'Curated Category zzz was not found', {
          parameter: 'curated_category_id',
        }),
      ),
    },
    {
      it: 'the IAB categories',
      send: 'GET /iab_categories',
      query: { count: '2' },
      status: 200,
      reply: ads.list(
        { count: 2 },
        [
          { id: 'IAB1', parent_id: null, name: 'Arts & Entertainment' },
          { id: 'IAB1-1', parent_id: 'IAB1', name: 'Books & Literature' },
        ],
        string,
      ),
    },
    {
      it: 'the publishers',
      send: 'GET /publishers',
      status: 200,
      reply: ads.list(
        {},
        each({
          user_id: id64,
          username: string,
          monetizable_country_codes: each(string),
          promotion_eligible_country_codes: each(string),
          monetization_restricted: boolean,
          content_category_ids: each(string),
        }),
      ),
    },
    {
      it: 'the placements of a product type',
      send: 'GET /line_items/placements',
      query: { product_type: 'PROMOTED_ACCOUNT' },
      status: 200,
      reply: ads.single({ product_type: 'PROMOTED_ACCOUNT' }, [
        { product_type: 'PROMOTED_ACCOUNT', placements: [['ALL_ON_SERVICE'], ['SERVICE_TIMELINE']] },
      ]),
    },
    {
      it: 'the bidding rules of a currency, always counted',
      send: 'GET /bidding_rules',
      query: { currency: 'USD' },
      status: 200,
      reply: {
        ...ads.single({ currency: 'USD' }, [
          {
            currency: 'USD',
            minimum_cpe_bid_local_micro: 10_000,
            maximum_cpe_bid_local_micro: 1_000_000_000,
            minimum_denomination: 10_000,
          },
        ]),
        data_type: 'bidding_rule',
        total_count: 1,
      },
    },
    {
      it: 'all bidding rules',
      send: 'GET {ads_url}/12/bidding_rules',
      status: 200,
      reply: {
        ...ads.single(
          {},
          each({
            currency: string,
            minimum_cpe_bid_local_micro: integer,
            maximum_cpe_bid_local_micro: integer,
            minimum_denomination: integer,
          }),
        ),
        data_type: 'bidding_rule',
        total_count: integer,
      },
    },
  ],
}
