import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { base36, id64, keep, string, time } from '../support/match.ts'

const EVENT = 'POST /conversion_event'
const ATTRIBUTION = 'GET /conversion_attribution'
const LIMIT = 60_000

const sent = {
  app_id: 'com.example.measured',
  os_type: 'ANDROID',
  conversion_type: 'INSTALL',
  conversion_time: '2026-02-18T01:14:00.603Z',
  hashed_device_id: 'nHnJjfYbmWZVRcpwRoCPVDGGbSXN6mPEBRCEWYJe2Ns=',
}

const tag = {
  app_store_identifier: 'com.example.measured',
  os_type: 'ANDROID',
  conversion_type: 'INSTALL',
  provider_app_event_id: '42',
  provider_app_event_name: 'Installation',
}

const times = { created_at: time, updated_at: time, deleted: false }
const oneTag = own({ app_event_tag_id: '{measured_tag}' })
const shownTag = {
  ...tag,
  id: '{measured_tag}',
  deep_link_scheme: null,
  post_engagement_attribution_window: 30,
  post_view_attribution_window: 1,
  retargeting_enabled: true,
  status: 'UNVERIFIED',
  last_tracked_at: null,
  ...times,
}
const trackedTag = { ...shownTag, status: 'TRACKING', last_tracked_at: time }
const provider = {
  id: '{measuring}',
  provider_advertiser_id: 'a-18',
  provider_advertiser_identifier: 'a-18',
  provider_name: string,
  ...times,
}

const understood = {
  ...sent,
  click_window: 30,
  view_through_window: 1,
  non_service_engagement_time: null,
  non_service_engagement_type: null,
  partner_client_id: id64,
  conversion_value_micro: 0,
  limit_ad_tracking: false,
  event_metadata: null,
  network_attribution: null,
  service_attribution: null,
}

/** The same call of both endpoints, and its error. */
const both = (
  it: string,
  { change = {}, echo = { ...sent, ...change }, status = 400 }: Wrong,
  ...errors: unknown[]
): Exchange[] =>
  [EVENT, ATTRIBUTION].map((send) => ({
    it,
    send,
    query: { ...sent, ...change },
    status,
    reply: ads.errors(echo, ...errors),
  }))

interface Wrong {
  change?: Record<string, string>
  /** What is understood of the parameters. */
  echo?: Record<string, string>
  status?: number
}

const without = (name: keyof typeof sent) => {
  const { [name]: _, ...rest } = sent
  return rest
}

/** Source: reference, conversions and apps, section 8. */
export const mobileConversions: Area = {
  name: 'conversions in apps',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    ...both(
      'an app whose conversions no account counts',
      { status: 404 },
      ads.error('MACT_APP_NOT_FOUND', 'No account counts conversions of the app com.example.measured', {
        parameter: 'app_id',
      }),
    ),
    {
      it: 'an app event tag is made',
      send: 'POST /accounts/{account}/app_event_tags',
      form: tag,
      status: 201,
      reply: ads.single(own(tag), { ...shownTag, id: keep('measured_tag', base36) }),
      limit: WRITES,
    },
    ...both(
      'the client application is no provider',
      { status: 403 },
      ads.error(
        'UNAUTHORIZED_CLIENT_APPLICATION',
        'This client application does not measure an account that counts conversions of the app com.example.measured',
      ),
    ),
    {
      it: 'it becomes the provider',
      send: 'POST /accounts/{account}/app_event_provider_configurations',
      form: { provider_advertiser_id: 'a-18' },
      status: 201,
      reply: ads.single(own({ provider_advertiser_id: 'a-18' }), {
        ...provider,
        id: keep('measuring', base36),
      }),
      limit: WRITES,
    },
    {
      it: 'what led to a conversion: nothing, in the windows of the tag',
      send: ATTRIBUTION,
      query: sent,
      status: 200,
      reply: {
        request: { params: { ...sent, version_number: '12' } },
        data_type: 'conversion_attribution',
        data: { ...understood, extra_device_ids: null },
      },
      limit: LIMIT,
    },
    {
      it: 'asking does not verify the tag',
      send: 'GET /accounts/{account}/app_event_tags/{measured_tag}',
      status: 200,
      reply: ads.single(oneTag, shownTag),
      limit: READS,
    },
    {
      it: 'an event',
      send: EVENT,
      query: {
        ...sent,
        click_window: '7',
        view_through_window: '0',
        non_service_engagement_time: '2026-02-18T01:00:00.000Z',
        non_service_engagement_type: 'CLICK',
        limit_ad_tracking: 'true',
        extra_device_ids: 'a,b',
        number_items: '2',
        price_currency: 'EUR',
        price_micro: '1990000',
      },
      status: 200,
      reply: {
        request: {
          params: {
            ...sent,
            click_window: '7',
            view_through_window: '0',
            non_service_engagement_time: '2026-02-18T01:00:00.000Z',
            non_service_engagement_type: 'CLICK',
            limit_ad_tracking: 'true',
            extra_device_ids: 'a,b',
            number_items: '2',
            price_currency: 'EUR',
            price_micro: '1990000',
            version_number: '12',
          },
        },
        data: {
          ...understood,
          click_window: 7,
          view_through_window: 0,
          non_service_engagement_time: '2026-02-18T01:00:00.000Z',
          non_service_engagement_type: 'CLICK',
          limit_ad_tracking: true,
          conversion_value_micro: 1_990_000,
          event_metadata: { number_items: 2, price_currency: 'EUR', price_micro: 1_990_000 },
        },
      },
      limit: LIMIT,
    },
    {
      it: 'its tag is verified',
      send: 'GET /accounts/{account}/app_event_tags/{measured_tag}',
      status: 200,
      reply: ads.single(oneTag, trackedTag),
      limit: READS,
    },
    ...both(
      'an identifier of another store',
      { change: { os_type: 'IOS' }, status: 404 },
      ads.error('INVALID_APP_ID', 'Expected a number for IOS, got "com.example.measured" for app_id', {
        parameter: 'app_id',
      }),
    ),
    ...both(
      'a click window that is shorter than that of views',
      { change: { click_window: '1', view_through_window: '7' } },
      ads.error(
        'INVALID_PARAMETER',
        'Expected at least the 7 days of view_through_window, got 1 for click_window',
        { parameter: 'click_window' },
      ),
    ),
    ...both(
      'a window that there is not',
      { change: { click_window: '60' }, echo: sent },
      ads.error('INVALID_PARAMETER', 'Expected a value in 1, 7, 14, 30, got "60" for click_window', {
        parameter: 'click_window',
      }),
    ),
    ...both(
      'a type that apps do not have',
      { change: { conversion_type: 'DOWNLOAD' }, echo: without('conversion_type') },
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value in ACHIEVEMENT_UNLOCKED, ADDED_PAYMENT_INFO, ADD_TO_CART, ADD_TO_WISHLIST, CHECKOUT_INITIATED, CONTENT_VIEW, INSTALL, INVITE, LEVEL_ACHIEVED, LOGIN, PURCHASE, RATED, RESERVATION, RE_ENGAGE, SEARCH, SHARE, SIGN_UP, SPENT_CREDITS, TUTORIAL_COMPLETE, UPDATE, got "DOWNLOAD" for conversion_type',
        { parameter: 'conversion_type' },
      ),
    ),
    ...both(
      'a time without a zone',
      { change: { conversion_time: '2026-02-18T01:14:00' } },
      ads.error(
        'INVALID_PARAMETER',
        'Expected Time in yyyy-MM-ddTHH:mm:ss.SSSZ, got "2026-02-18T01:14:00" for conversion_time',
        { parameter: 'conversion_time' },
      ),
    ),
    ...[EVENT, ATTRIBUTION].map(
      (send): Exchange => ({
        it: 'no device',
        send,
        query: without('hashed_device_id'),
        status: 400,
        reply: ads.errors(
          without('hashed_device_id'),
          ads.error('MISSING_PARAMETER', '"hashed_device_id" is a required parameter', {
            parameter: 'hashed_device_id',
          }),
        ),
      }),
    ),
    {
      it: 'a currency that is none',
      send: EVENT,
      query: { ...sent, price_currency: 'eur' },
      status: 400,
      reply: ads.errors(
        { ...sent, price_currency: 'eur' },
        ads.error('INVALID_PARAMETER', 'Expected an ISO 4217 currency, got "eur" for price_currency', {
          parameter: 'price_currency',
        }),
      ),
    },
    {
      it: 'the provider is deleted',
      send: 'DELETE /accounts/{account}/app_event_provider_configurations/{measuring}',
      status: 200,
      reply: ads.single(own({ app_event_provider_configuration_id: '{measuring}' }), {
        ...provider,
        deleted: true,
      }),
      limit: WRITES,
    },
    {
      it: 'and the tag',
      send: 'DELETE /accounts/{account}/app_event_tags/{measured_tag}',
      status: 200,
      reply: ads.single(oneTag, { ...trackedTag, deleted: true }),
      limit: WRITES,
    },
  ],
}
