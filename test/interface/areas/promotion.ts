import * as ads from '../support/ads.ts'
import { CORE_READS, own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { base36, each, including, integer, keep, like, string, time } from '../support/match.ts'

type Shown = Record<string, unknown>
const times = { created_at: time, updated_at: time, deleted: false }

/**
 * The children of a line item: created, read, listed, possibly changed, deleted, and then not
 * found.
 */
interface Kind {
  /** Of one, as errors call it: `Tracking Tag`. */
  title: string
  /** In paths: `tracking_tags`; one without the s names the parameter. */
  path: string
  form: Record<string, string>
  shown: Shown
  code: string
  change?: [form: Record<string, string>, shown: Shown]
  /** What `request.params` has of the form, if not its texts. */
  echo?: Shown
  /** Documented limits of its reads. */
  reads: Pick<Exchange, 'limit' | 'accountLimit'>
  /** The parameter that filters its list by ids, if it is no child of a line item. */
  ids?: string
}

const OTHER_READS = { limit: READS }

/** One of a kind before and after its change, and the parameters that replies echo. */
function about({ path, shown, change }: Kind) {
  const kept = path.replace(/s$/, '')
  const id = `${kept}_id`
  const one = { ...shown, id: `{${kept}}`, ...times }
  return { kept, id, one, now: { ...one, ...change?.[1] }, echo: own({ [id]: `{${kept}}` }) }
}

/** What a form without texts as values becomes in `request.params`. */
const echoed = ({ form, echo }: Kind) => own({ ...form, ...echo })

const made = (kind: Kind): Exchange[] => {
  const { title, path, form, reads, ids } = kind
  const { kept, one, echo } = about(kind)
  const [filter, value] = ids ? [ids, `{${kept}}`] : ['line_item_ids', form.line_item_id ?? '']
  return [
    {
      it: `a ${title} is made`,
      send: `POST /accounts/{account}/${path}`,
      form,
      status: 201,
      reply: ads.single(echoed(kind), { ...one, id: keep(kept, base36) }),
      limit: WRITES,
    },
    {
      it: `a ${title} is read`,
      send: `GET /accounts/{account}/${path}/{${kept}}`,
      status: 200,
      reply: ads.single(echo, one),
      ...reads,
    },
    {
      it: ids ? 'the list of some' : 'the list of a line item',
      send: `GET /accounts/{account}/${path}`,
      query: { [filter]: value },
      status: 200,
      reply: ads.list(own({ [filter]: [value] }), [one]),
      ...reads,
    },
  ]
}

const changed = (kind: Kind): Exchange[] => {
  if (!kind.change) return []
  const { kept, now, echo } = about(kind)
  const [form] = kind.change
  return [
    {
      it: `a ${kind.title} is changed`,
      send: `PUT /accounts/{account}/${kind.path}/{${kept}}`,
      form,
      status: 200,
      reply: ads.single({ ...echo, ...form }, now),
      limit: WRITES,
    },
  ]
}

const deleted = (kind: Kind): Exchange[] => {
  const { title, path, code } = kind
  const { kept, id, now, echo } = about(kind)
  return [
    {
      it: `a ${title} is deleted`,
      send: `DELETE /accounts/{account}/${path}/{${kept}}`,
      status: 200,
      reply: ads.single(echo, { ...now, deleted: true }),
      limit: WRITES,
    },
    {
      it: 'and then not found',
      send: `GET /accounts/{account}/${path}/{${kept}}`,
      status: 404,
      reply: ads.errors(
        echo,
        ads.error(code, `${title} {${kept}} was not found for Account {account}`, { parameter: id }),
      ),
    },
  ]
}

const rowsOf = (kind: Kind): Exchange[] => [...made(kind), ...changed(kind), ...deleted(kind)]

const trackingTags = rowsOf({
  title: 'Tracking Tag',
  path: 'tracking_tags',
  form: {
    line_item_id: '{line_item}',
    tracking_tag_type: 'IMPRESSION_TAG',
    tracking_tag_url: 'https://ad.example.net/trackimp/N1;dc_trk_aid=1',
  },
  shown: {
    line_item_id: '{line_item}',
    tracking_tag_type: 'IMPRESSION_TAG',
    tracking_tag_url: 'https://ad.example.net/trackimp/N1;dc_trk_aid=1',
  },
  code: 'NOT_FOUND',
  change: [
    { tracking_tag_url: 'https://ad.example.net/x' },
    { tracking_tag_url: 'https://ad.example.net/x' },
  ],
  reads: OTHER_READS,
})

/** Source: advertising reference, 08 sections 8 to 11 and 14. */
const formerResources: Exchange[] = [
  ...['behaviors', 'behavior_taxonomies'].map(
    (name): Exchange => ({
      it: 'targeting by behaviour has ended',
      send: `GET /targeting_criteria/${name}`,
      query: { with_total_count: 'true' },
      status: 200,
      reply: {
        request: { params: { with_total_count: true } },
        data: [],
        next_cursor: null,
        total_count: 0,
      },
    }),
  ),
  {
    it: 'an unknown country has no locations',
    send: 'GET /targeting_criteria/locations',
    query: { country_code: 'XX' },
    status: 200,
    reply: ads.list({ country_code: 'XX' }, []),
  },
  {
    it: 'types of locations are plural',
    send: 'GET /targeting_criteria/locations',
    query: { location_type: 'CITY' },
    status: 400,
    reply: ads.errors(
      {},
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value in COUNTRIES, REGIONS, METROS, CITIES, POSTAL_CODES, got "CITY" for location_type',
        { parameter: 'location_type' },
      ),
    ),
  },
  ...[
    'POST /accounts/{account}/cards/website',
    'GET /accounts/{account}/cards/video_website',
    'GET /accounts/{account}/cards/image_app_download/1',
    'PUT /accounts/{account}/cards/video_app_download/1',
    'POST /accounts/{account}/cards/image_direct_message',
    'GET /accounts/{account}/cards/video_direct_message',
  ].map(
    (send): Exchange => ({
      it: 'what has ended is no route',
      send,
      status: 404,
      reply: ads.errors(
        {},
        ads.error('ROUTE_NOT_FOUND', 'No such route: cards of this kind ended with version 8: use cards'),
      ),
    }),
  ),
]

const prerollCalls = rowsOf({
  title: 'Preroll Call To Action',
  path: 'preroll_call_to_actions',
  form: {
    line_item_id: '{media}',
    call_to_action: 'VISIT_SITE',
    call_to_action_url: 'https://www.example.com',
  },
  shown: {
    line_item_id: '{media}',
    call_to_action: 'VISIT_SITE',
    call_to_action_url: 'https://www.example.com',
  },
  code: 'NOT_FOUND',
  change: [{ call_to_action: 'SHOP' }, { call_to_action: 'SHOP' }],
  reads: OTHER_READS,
})

const promotedAccounts = rowsOf({
  title: 'Promoted Account',
  path: 'promoted_accounts',
  form: { line_item_id: '{follow}', user_id: '{advertiser}' },
  shown: {
    line_item_id: '{follow}',
    user_id: '{advertiser}',
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
  },
  code: 'PROMOTED_ACCOUNT_NOT_FOUND',
  reads: CORE_READS,
})

const mediaCreatives = rowsOf({
  title: 'Media Creative',
  path: 'media_creatives',
  form: { line_item_id: '{media}', account_media_id: '{account_media}' },
  shown: {
    line_item_id: '{media}',
    account_media_id: '{account_media}',
    creative_type: 'PREROLL',
    landing_url: null,
    entity_status: 'ACTIVE',
    approval_status: 'ACCEPTED',
  },
  code: 'MEDIA_CREATIVE_NOT_FOUND',
  reads: CORE_READS,
})

const scheduledPromotedPosts = rowsOf({
  title: 'Scheduled Promoted Post',
  path: 'scheduled_promoted_posts',
  form: { line_item_id: '{line_item}', scheduled_post_id: '{scheduled}' },
  shown: { line_item_id: '{line_item}', scheduled_post_id: '{scheduled}', post_id: null },
  code: 'NOT_FOUND',
  reads: CORE_READS,
})

const appEventTags = rowsOf({
  title: 'App Event Tag',
  path: 'app_event_tags',
  ids: 'app_event_tag_ids',
  form: {
    app_store_identifier: 'com.example.game',
    os_type: 'ANDROID',
    conversion_type: 'LEVEL_ACHIEVED',
    provider_app_event_id: '42',
    provider_app_event_name: 'Level two',
    post_engagement_attribution_window: '14',
    retargeting_enabled: 'false',
  },
  echo: { post_engagement_attribution_window: 14, retargeting_enabled: false },
  shown: {
    app_store_identifier: 'com.example.game',
    os_type: 'ANDROID',
    conversion_type: 'LEVEL_ACHIEVED',
    provider_app_event_id: '42',
    provider_app_event_name: 'Level two',
    deep_link_scheme: null,
    post_engagement_attribution_window: 14,
    post_view_attribution_window: 1,
    retargeting_enabled: false,
    status: 'UNVERIFIED',
    last_tracked_at: null,
  },
  code: 'APP_EVENT_TAG_NOT_FOUND',
  reads: OTHER_READS,
})

const foreignApp = {
  app_store_identifier: 'com.example.game',
  os_type: 'IOS',
  conversion_type: 'INSTALL',
  provider_app_event_id: '42',
  provider_app_event_name: 'Install',
}

const wrongApp: Exchange = {
  it: 'a store has no such app',
  send: 'POST /accounts/{account}/app_event_tags',
  form: foreignApp,
  status: 404,
  reply: ads.errors(
    own(foreignApp),
    ads.error(
      'INVALID_APP_ID',
      'Expected a number for IOS, got "com.example.game" for app_store_identifier',
      {
        parameter: 'app_store_identifier',
      },
    ),
  ),
}

const appLists = rowsOf({
  title: 'App List',
  path: 'app_lists',
  ids: 'app_list_ids',
  form: { name: 'Games', app_store_identifiers: 'com.example.game,333903271' },
  echo: { app_store_identifiers: ['com.example.game', '333903271'] },
  shown: {
    name: 'Games',
    apps: [
      { app_store_identifier: 'com.example.game', os_type: 'Android' },
      { app_store_identifier: '333903271', os_type: 'iOS' },
    ],
  },
  code: 'NOT_FOUND',
  reads: OTHER_READS,
})

const lineItemApps = rowsOf({
  title: 'Line Item App',
  path: 'line_item_apps',
  ids: 'line_item_app_ids',
  form: { line_item_id: '{line_item}', app_store_identifier: 'com.example.game', os_type: 'ANDROID' },
  shown: { line_item_id: '{line_item}', app_store_identifier: 'com.example.game', os_type: 'ANDROID' },
  code: 'LINE_ITEM_APP_NOT_FOUND',
  reads: OTHER_READS,
})

const providers = rowsOf({
  title: 'App Event Provider Configuration',
  path: 'app_event_provider_configurations',
  ids: 'ids',
  form: { provider_advertiser_id: 'a-17' },
  shown: {
    provider_advertiser_id: 'a-17',
    provider_advertiser_identifier: 'a-17',
    provider_name: string,
  },
  code: 'APP_EVENT_PROVIDER_CONFIGURATION_NOT_FOUND',
  reads: OTHER_READS,
})

const promotedPost = {
  id: '{promoted_post}',
  line_item_id: '{line_item}',
  post_id: '{post}',
  entity_status: 'ACTIVE',
  approval_status: 'ACCEPTED',
  ...times,
}

const promotedPosts: Exchange[] = [
  {
    it: 'posts are promoted; the reply is a list, always counted',
    send: 'POST /accounts/{account}/promoted_posts',
    form: { line_item_id: '{line_item}', post_ids: '{post}' },
    status: 201,
    reply: {
      ...ads.single(own({ line_item_id: '{line_item}', post_ids: ['{post}'] }), [
        { ...promotedPost, id: keep('promoted_post', base36) },
      ]),
      total_count: 1,
    },
    limit: WRITES,
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/promoted_posts/{promoted_post}',
    status: 200,
    reply: ads.single(own({ promoted_post_id: '{promoted_post}' }), promotedPost),
    ...CORE_READS,
  },
  {
    it: 'one is paused',
    send: 'PUT /accounts/{account}/promoted_posts/{promoted_post}',
    form: { entity_status: 'PAUSED' },
    status: 200,
    reply: ads.single(own({ promoted_post_id: '{promoted_post}', entity_status: 'PAUSED' }), {
      ...promotedPost,
      entity_status: 'PAUSED',
    }),
    limit: WRITES,
  },
  {
    it: 'and shown again',
    send: 'PUT /accounts/{account}/promoted_posts/{promoted_post}',
    form: { entity_status: 'ACTIVE' },
    status: 200,
    reply: ads.single(own({ promoted_post_id: '{promoted_post}', entity_status: 'ACTIVE' }), promotedPost),
  },
  {
    it: 'the list of a line item',
    send: 'GET /accounts/{account}/promoted_posts',
    query: { line_item_ids: '{line_item}' },
    status: 200,
    reply: ads.list(own({ line_item_ids: ['{line_item}'] }), [promotedPost]),
    ...CORE_READS,
  },
  {
    it: 'an id that is not a number',
    send: 'POST /accounts/{account}/promoted_posts',
    form: { line_item_id: '{line_item}', post_ids: 'abc' },
    status: 400,
    reply: ads.errors(
      own({ line_item_id: '{line_item}' }),
      ads.error('INVALID_PARAMETER', 'Expected Long, got "abc" for post_ids', { parameter: 'post_ids' }),
    ),
  },
  {
    it: 'a line item that is not there',
    send: 'POST /accounts/{account}/promoted_posts',
    form: { line_item_id: 'zzz', post_ids: '{post}' },
    status: 404,
    reply: ads.errors(
      own({ line_item_id: 'zzz', post_ids: ['{post}'] }),
      ads.error('LINE_ITEM_NOT_FOUND', 'Line Item zzz was not found for Account {account}', {
        parameter: 'line_item_id',
      }),
    ),
  },
  {
    it: 'a line item for something else',
    send: 'POST /accounts/{account}/promoted_posts',
    form: { line_item_id: '{media}', post_ids: '{post}' },
    status: 400,
    reply: ads.errors(
      own({ line_item_id: '{media}', post_ids: ['{post}'] }),
      ads.error('INCOMPATIBLE_LINE_ITEM', 'Line Item {media} of product_type MEDIA cannot hold this', {
        parameter: 'line_item_id',
      }),
    ),
  },
  {
    it: 'one is deleted',
    send: 'DELETE /accounts/{account}/promoted_posts/{promoted_post}',
    status: 200,
    reply: ads.single(own({ promoted_post_id: '{promoted_post}' }), { ...promotedPost, deleted: true }),
    limit: WRITES,
  },
  {
    it: 'and then not found',
    send: 'GET /accounts/{account}/promoted_posts/{promoted_post}',
    status: 404,
    reply: ads.errors(
      own({ promoted_post_id: '{promoted_post}' }),
      ads.error(
        'PROMOTED_POST_NOT_FOUND',
        'Promoted Post {promoted_post} was not found for Account {account}',
        {
          parameter: 'promoted_post_id',
        },
      ),
    ),
  },
]

const tagForm = {
  name: 'A web event tag',
  type: 'PURCHASE',
  click_window: '30',
  view_through_window: '1',
  retargeting_enabled: 'false',
}
const tagEcho = { ...tagForm, click_window: 30, view_through_window: 1, retargeting_enabled: false }
const tag = {
  ...tagEcho,
  id: '{web_event_tag}',
  status: 'UNVERIFIED',
  last_tracked_at: null,
  embed_code: '<!-- Event source {event_source}, web event tag {web_event_tag} -->',
  website_tag_id: '{event_source}',
  ...times,
}

const tracked = { ...tag, status: 'TRACKING', last_tracked_at: time }

const HASHED_EMAIL = 'e586883b2b4faf78d48300a79e0e15138d664cdf796ffb86e533170a9893eda8'

const conversion = {
  conversion_time: '2026-02-18T01:14:00.603Z',
  event_id: 'svc-{event_source}-{web_event_tag}',
  identifiers: [{ hashed_email: HASHED_EMAIL }, { click_id: '26l6412g5p4iyj65a2oic2ayg2' }],
  conversion_id: '23294827',
  value: '20.00',
  price_currency: 'USD',
  number_items: 2,
}
const wrongConversion = (it: string, change: object, status: number, ...errors: unknown[]): Exchange => ({
  it,
  send: 'POST /measurement/conversions/{event_source}',
  json: { conversions: [{ ...conversion, ...change }] },
  status,
  reply: ads.errors(own(), ...errors),
})

const conversions: Exchange[] = [
  {
    it: 'a conversion is reported',
    send: 'POST /measurement/conversions/{event_source}',
    json: { conversions: [conversion] },
    status: 200,
    reply: {
      request: { params: own() },
      data: { conversions_processed: 1, debug_id: like(/^[0-9a-f-]{36}$/) },
    },
  },
  {
    it: 'its tag is verified',
    send: 'GET /accounts/{account}/web_event_tags/{web_event_tag}',
    status: 200,
    reply: ads.single(own({ web_event_tag_id: '{web_event_tag}' }), tracked),
    ...OTHER_READS,
  },
  wrongConversion(
    'no key of a person',
    { identifiers: [{ hashed_email: '' }, { ip_address: '192.0.2.1' }] },
    400,
    ads.error('INVALID_PARAMETER', 'At least one user identifier must be provided', { parameter: '' }),
  ),
  wrongConversion(
    'a hash that is none',
    { identifiers: [{ hashed_email: 'test-email@test.com' }] },
    400,
    ads.error('INVALID_PARAMETER', 'hashed_email (test-email@test.com) is not a valid SHA-256 hash', {
      parameter: 'hashed_email',
    }),
  ),
  wrongConversion(
    'the event source in place of a tag',
    { event_id: '{event_source}' },
    400,
    ads.error('INVALID_PARAMETER', 'event_id ({event_source}) is not a single event tag (SET)', {
      parameter: 'event_id',
    }),
  ),
  wrongConversion(
    'an unknown tag',
    { event_id: 'zzz' },
    404,
    ads.error('NOT_FOUND', 'event_id (zzz) does not belong to provided account', { parameter: 'event_id' }),
    ads.error('INVALID_PARAMETER', 'event_id (zzz) is not a single event tag (SET)', {
      parameter: 'event_id',
    }),
  ),
  wrongConversion(
    'a time without a zone',
    { conversion_time: '2026-02-18T01:14:00' },
    400,
    ads.error(
      'INVALID_PARAMETER',
      'Expected Time in yyyy-MM-ddTHH:mm:ss.SSSZ, got "2026-02-18T01:14:00" for conversion_time',
      { parameter: 'conversion_time' },
    ),
  ),
]

const webEventTags: Exchange[] = [
  {
    it: 'a web event tag is made',
    send: 'POST /accounts/{account}/web_event_tags',
    form: tagForm,
    status: 201,
    reply: ads.single(own(tagEcho), {
      ...tag,
      id: keep('web_event_tag', base36),
      website_tag_id: keep('event_source', base36),
      embed_code: like(/^<!-- Event source [0-9a-z]+, web event tag [0-9a-z]+ -->$/),
    }),
    limit: WRITES,
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/web_event_tags/{web_event_tag}',
    status: 200,
    reply: ads.single(own({ web_event_tag_id: '{web_event_tag}' }), tag),
    ...OTHER_READS,
  },
  {
    it: 'the list',
    send: 'GET /accounts/{account}/web_event_tags',
    status: 200,
    reply: ads.list(own(), [tag]),
    ...OTHER_READS,
  },
  ...conversions,
  {
    it: 'one is changed',
    send: 'PUT /accounts/{account}/web_event_tags/{web_event_tag}',
    form: { name: 'Renamed' },
    status: 200,
    reply: ads.single(own({ web_event_tag_id: '{web_event_tag}', name: 'Renamed' }), {
      ...tracked,
      name: 'Renamed',
    }),
    limit: WRITES,
  },
  {
    it: 'one is deleted',
    send: 'DELETE /accounts/{account}/web_event_tags/{web_event_tag}',
    status: 200,
    reply: ads.single(own({ web_event_tag_id: '{web_event_tag}' }), {
      ...tracked,
      name: 'Renamed',
      deleted: true,
    }),
    limit: WRITES,
  },
]

const UNITED_STATES = '96683cc9126741d1'

const location = {
  id: '{location}',
  line_item_id: '{media}',
  targeting_type: 'LOCATION',
  targeting_value: UNITED_STATES,
  operator_type: 'EQ',
  name: 'United States',
  location_type: 'COUNTRIES',
  ...times,
}
const locationForm = { line_item_id: '{media}', targeting_type: 'LOCATION', targeting_value: UNITED_STATES }

const rejected = (it: string, type: string, value: string, error: unknown, status = 400): Exchange => ({
  it,
  send: 'POST /accounts/{account}/targeting_criteria',
  form: { line_item_id: '{line_item}', targeting_type: type, targeting_value: value },
  status,
  reply: ads.errors(
    own({ line_item_id: '{line_item}', targeting_type: type, targeting_value: value }),
    error,
  ),
})
const value = { parameter: 'targeting_value' }

const criteria: Exchange[] = [
  {
    it: 'a criterion is made',
    send: 'POST /accounts/{account}/targeting_criteria',
    form: locationForm,
    status: 201,
    reply: ads.single(own(locationForm), { ...location, id: keep('location', base36) }),
    limit: WRITES,
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/targeting_criteria/{location}',
    status: 200,
    reply: ads.single(own({ targeting_criterion_id: '{location}' }), location),
    ...CORE_READS,
  },
  {
    it: 'the list of line items',
    send: 'GET /accounts/{account}/targeting_criteria',
    query: { line_item_ids: '{media}' },
    status: 200,
    reply: ads.list(own({ line_item_ids: ['{media}'] }), [location]),
    ...CORE_READS,
  },
  {
    it: 'line_item_ids must be there',
    send: 'GET /accounts/{account}/targeting_criteria',
    status: 400,
    reply: ads.errors(
      own(),
      ads.error('MISSING_PARAMETER', '"line_item_ids" is a required parameter', {
        parameter: 'line_item_ids',
      }),
    ),
  },
  rejected(
    'a type that does not exist',
    'FOO',
    '1',
    ads.error(
      'INVALID_TARGETING_TYPE',
      like(/^Expected a value in AGE, GENDER, .*, CONTENT_PUBLISHER_USER, got "FOO" for targeting_type$/),
      { parameter: 'targeting_type' },
    ),
  ),
  rejected(
    'a value that does not exist',
    'GENDER',
    '3',
    ads.error('INVALID_PARAMETER', 'Expected a value in 1, 2, got "3" for targeting_value', value),
  ),
  rejected(
    'an audience that is not there',
    'CUSTOM_AUDIENCE',
    'zzz',
    ads.error(
      'TAILORED_AUDIENCE_NOT_FOUND',
      'Custom Audience zzz was not found for Account {account}',
      value,
    ),
    404,
  ),
  rejected(
    'a user that is not there',
    'SIMILAR_TO_FOLLOWERS_OF_USER',
    '1',
    ads.error('INVALID_USER_ID', 'User 1 does not exist', value),
  ),
  rejected(
    'a campaign that is not there',
    'CAMPAIGN_ENGAGEMENT',
    'zzz',
    ads.error('CAMPAIGN_NOT_FOUND', 'Campaign zzz was not found for Account {account}', value),
    404,
  ),
  rejected(
    'a show without a place',
    'TV_SHOW',
    '10027243420',
    ads.error('INVALID_TV_SHOW_LOCATIONS', 'A TV_SHOW needs a LOCATION on the line item first', value),
  ),
  {
    it: 'France',
    send: 'GET /targeting_criteria/locations',
    query: { location_type: 'COUNTRIES', country_code: 'FR' },
    status: 200,
    reply: ads.list({ location_type: 'COUNTRIES', country_code: 'FR' }, [
      {
        name: 'France',
        country_code: 'FR',
        location_type: 'COUNTRIES',
        targeting_value: keep('france', like(/^[0-9a-f]{16}$/)),
        targeting_type: 'LOCATION',
      },
    ]),
  },
  {
    it: 'people in France',
    send: 'POST /accounts/{account}/targeting_criteria',
    form: { line_item_id: '{line_item}', targeting_type: 'LOCATION', targeting_value: '{france}' },
    status: 201,
    reply: ads.single(
      own({ line_item_id: '{line_item}', targeting_type: 'LOCATION', targeting_value: '{france}' }),
      {
        ...location,
        id: keep('in_france', base36),
        line_item_id: '{line_item}',
        targeting_value: '{france}',
        name: 'France',
      },
    ),
  },
  rejected(
    'a show of another country',
    'TV_SHOW',
    '10027243420',
    ads.error(
      'TV_SHOW_OUTSIDE_MARKET',
      'Every LOCATION must be in the market of the TV_SHOW NewsWatch',
      value,
    ),
  ),
  {
    it: 'a batch',
    send: 'POST /batch/accounts/{account}/targeting_criteria',
    json: [
      {
        operation_type: 'Create',
        params: { line_item_id: '{line_item}', targeting_type: 'BROAD_KEYWORD', targeting_value: 'nba' },
      },
    ],
    status: 200,
    reply: {
      data_type: 'targeting_criterion',
      data: [
        {
          id: keep('keyword', base36),
          line_item_id: '{line_item}',
          targeting_type: 'BROAD_KEYWORD',
          targeting_value: 'nba',
          operator_type: 'EQ',
          name: 'nba',
          ...times,
        },
      ],
      request: [
        {
          operation_type: 'Create',
          params: own({
            line_item_id: '{line_item}',
            targeting_type: 'BROAD_KEYWORD',
            targeting_value: 'nba',
          }),
        },
      ],
    },
    limit: WRITES,
  },
  {
    it: 'one is deleted',
    send: 'DELETE /accounts/{account}/targeting_criteria/{keyword}',
    status: 200,
    reply: ads.single(own({ targeting_criterion_id: '{keyword}' }), {
      id: '{keyword}',
      line_item_id: '{line_item}',
      targeting_type: 'BROAD_KEYWORD',
      targeting_value: 'nba',
      operator_type: 'EQ',
      name: 'nba',
      ...times,
      deleted: true,
    }),
    limit: WRITES,
  },
  {
    it: 'and then not found',
    send: 'DELETE /accounts/{account}/targeting_criteria/{keyword}',
    status: 404,
    reply: ads.errors(
      own({ targeting_criterion_id: '{keyword}' }),
      ads.error(
        'TARGETING_CRITERION_NOT_FOUND',
        'Targeting Criterion {keyword} was not found for Account {account}',
        { parameter: 'targeting_criterion_id' },
      ),
    ),
  },
]

const curatedLink = {
  id: '{line_item_curated_category}',
  line_item_id: '{media}',
  curated_category_id: '9ddrgesiap6o',
  ...times,
}
const curatedForm = { line_item_id: '{media}', curated_category_id: '9ddrgesiap6o' }
const curatedLinks: Exchange[] = [
  {
    it: 'a line item gets a curated category of its country',
    send: 'POST /accounts/{account}/line_item_curated_categories',
    form: curatedForm,
    status: 201,
    reply: ads.single(own(curatedForm), { ...curatedLink, id: keep('line_item_curated_category', base36) }),
    limit: WRITES,
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/line_item_curated_categories/{line_item_curated_category}',
    status: 200,
    reply: ads.single(own({ line_item_curated_category_id: '{line_item_curated_category}' }), curatedLink),
    ...OTHER_READS,
  },
  {
    it: 'the list',
    send: 'GET /accounts/{account}/line_item_curated_categories',
    status: 200,
    reply: ads.list(own(), [curatedLink]),
    ...OTHER_READS,
  },
  {
    it: 'one is changed',
    send: 'PUT /accounts/{account}/line_item_curated_categories/{line_item_curated_category}',
    form: { curated_category_id: '8tujg1lvi8sn' },
    status: 200,
    reply: ads.single(
      own({
        line_item_curated_category_id: '{line_item_curated_category}',
        curated_category_id: '8tujg1lvi8sn',
      }),
      { ...curatedLink, curated_category_id: '8tujg1lvi8sn' },
    ),
    limit: WRITES,
  },
  {
    it: 'a line item has one at most',
    send: 'POST /accounts/{account}/line_item_curated_categories',
    form: curatedForm,
    status: 400,
    reply: ads.errors(
      own(curatedForm),
      ads.error('INVALID', 'The line item already has a curated category', { attribute: 'line_item_id' }),
    ),
  },
  {
    it: 'one is deleted',
    send: 'DELETE /accounts/{account}/line_item_curated_categories/{line_item_curated_category}',
    status: 200,
    reply: ads.single(own({ line_item_curated_category_id: '{line_item_curated_category}' }), {
      ...curatedLink,
      curated_category_id: '8tujg1lvi8sn',
      deleted: true,
    }),
    limit: WRITES,
  },
]

/** `GET /targeting_criteria/<name>`: what can be targeted. */
const option = (
  name: string,
  query: Record<string, string>,
  echo: Shown,
  item: Shown,
  more: { paged: boolean; data_type?: string; limit?: number },
): Exchange => ({
  it: `targeting options: ${name}`,
  send: `GET /targeting_criteria/${name}`,
  query,
  status: 200,
  reply: {
    ...(more.data_type !== undefined && { data_type: more.data_type }),
    ...ads.list(echo, including(item)),
  },
  limit: more.limit ?? 400,
})

const options: Exchange[] = [
  option(
    'app_store_categories',
    { q: 'music', os_type: 'IOS' },
    { q: 'music', os_type: 'IOS' },
    { name: 'Games: Music', targeting_type: 'APP_STORE_CATEGORY', targeting_value: 'qouq', os_type: 'IOS' },
    { paged: false },
  ),
  option(
    'conversations',
    { conversation_type: 'SPORTS' },
    { conversation_type: 'SPORTS' },
    { targeting_type: 'CONVERSATION', targeting_value: 'a1', name: 'NFL', conversation_type: 'SPORTS' },
    { paged: true },
  ),
  option(
    'devices',
    { q: 'iphone 4' },
    { q: 'iphone 4' },
    {
      name: 'iPhone 4',
      manufacturer: 'Apple',
      os_type: 'iOS',
      targeting_value: '1r',
      targeting_type: 'DEVICE',
    },
    { paged: false },
  ),
  option(
    'events',
    { event_types: 'HOLIDAY' },
    { event_types: ['HOLIDAY'] },
    {
      reach: { total_reach: null },
      name: string,
      start_time: time,
      end_time: time,
      top_users: [],
      top_posts: [],
      top_hashtags: [],
      gender_breakdown_percentage: {},
      device_breakdown_percentage: {},
      country_breakdown_percentage: {},
      country_code: null,
      targeting_value: base36,
      is_global: true,
      event_type: 'HOLIDAY',
    },
    { paged: true, data_type: 'events' },
  ),
  option(
    'interests',
    { q: 'biographies' },
    { q: 'biographies' },
    {
      name: 'Books and literature/Biographies and memoirs',
      targeting_type: 'INTEREST',
      targeting_value: '1001',
    },
    { paged: true },
  ),
  option(
    'languages',
    { q: 'english' },
    { q: 'english' },
    { name: 'English', targeting_type: 'LANGUAGE', targeting_value: 'en' },
    { paged: true },
  ),
  option(
    'locations',
    { location_type: 'COUNTRIES', country_code: 'US' },
    { location_type: 'COUNTRIES', country_code: 'US' },
    {
      name: 'United States',
      country_code: 'US',
      location_type: 'COUNTRIES',
      targeting_value: UNITED_STATES,
      targeting_type: 'LOCATION',
    },
    { paged: true },
  ),
  option(
    'network_operators',
    { q: 'aeris' },
    { q: 'aeris' },
    { country_code: 'US', targeting_type: 'NETWORK_OPERATOR', name: 'Aeris', targeting_value: '1b' },
    { paged: true },
  ),
  option(
    'platform_versions',
    { q: 'jelly bean' },
    { q: 'jelly bean' },
    {
      name: 'Jelly Bean',
      number: '4.1',
      os_type: 'Android',
      targeting_type: 'PLATFORM_VERSION',
      targeting_value: '18',
    },
    { paged: false, data_type: 'targeting_criterion' },
  ),
  option(
    'platforms',
    {},
    {},
    { name: 'iOS', targeting_type: 'PLATFORM', targeting_value: '0' },
    { paged: true },
  ),
  option(
    'tv_markets',
    {},
    {},
    { name: 'France', country_code: 'FR', locale: 'fr-FR' },
    { paged: false, limit: 2000 },
  ),
  option(
    'tv_shows',
    { locale: 'en-US', q: 'newswatch' },
    { locale: { countryCode: 'US', languageCode: 'en' }, q: 'newswatch' },
    {
      name: 'NewsWatch',
      targeting_value: 10_027_243_420,
      genre: string,
      locales: each({ language: string, country: string }),
    },
    { paged: true, limit: 2000 },
  ),
]

const HOUR_MS = 3_600_000
const hour = (offset: number) =>
  `${new Date(Math.floor(Date.now() / HOUR_MS + offset) * HOUR_MS).toISOString().slice(0, 19)}Z`
const [FROM, TO] = [hour(0), hour(2)]

const estimates: Exchange[] = [
  {
    it: 'an estimate of who can be reached',
    send: 'POST /accounts/{account}/audience_estimate',
    json: [
      { targeting_type: 'LANGUAGE', targeting_value: 'en' },
      { targeting_type: 'BROAD_KEYWORD', targeting_value: 'nba' },
    ],
    status: 200,
    reply: ads.single(own({ targeting_criteria: null }), { audience_size: { min: integer, max: integer } }),
    limit: 400,
  },
  {
    it: 'needs someone to begin with',
    send: 'POST /accounts/{account}/audience_estimate',
    json: { targeting_criteria: [{ targeting_type: 'LANGUAGE', targeting_value: 'en' }] },
    status: 400,
    reply: ads.errors(
      own(),
      ads.error(
        'INVALID_PARAMETER',
        like(/^targeting_criteria needs at least one of INTEREST, .*, CUSTOM_AUDIENCE_EXPANDED$/),
        { parameter: 'targeting_criteria' },
      ),
    ),
  },
  {
    it: 'suggestions for keywords',
    send: 'GET /accounts/{account}/targeting_suggestions',
    query: { suggestion_type: 'KEYWORD', targeting_values: 'football', count: '2' },
    status: 200,
    reply: ads.single(
      own({ suggestion_type: 'KEYWORD', targeting_values: ['football'], count: 2 }),
      each({ suggestion_type: 'KEYWORD', suggestion_value: string }),
    ),
    limit: 400,
  },
  {
    it: 'the history of a campaign, the newest first',
    send: 'GET /accounts/{account}/account_history',
    query: { entity_type: 'CAMPAIGN', entity_id: '{campaign}', start_time: FROM, end_time: TO },
    status: 200,
    reply: ads.list(
      own({ entity_type: 'CAMPAIGN', entity_id: '{campaign}', start_time: FROM, end_time: TO }),
      including({
        change_by: { user_id: '{advertiser}', platform: 'API_OTHER' },
        changes: {},
        change_time: time,
        change_type: 'CREATE',
        entity: 'CAMPAIGN',
        entity_id: '{campaign}',
        entity_data: {
          name: 'demo',
          budget_optimization: 'LINE_ITEM',
          currency: 'USD',
          start_time: null,
          end_time: null,
          purchase_order_number: null,
          daily_budget_amount_local_micro: 140_000_000,
          total_budget_amount_local_micro: null,
          duration_in_days: null,
          standard_delivery: null,
          entity_status: 'PAUSED',
          frequency_cap: null,
          created_at: time,
          updated_at: time,
          deleted: false,
        },
      }),
    ),
    limit: 2000,
  },
  {
    it: 'the history of whole hours only',
    send: 'GET /accounts/{account}/account_history',
    query: {
      entity_type: 'CAMPAIGN',
      entity_id: '{campaign}',
      start_time: '2026-01-01T00:30:00Z',
      end_time: '2026-01-01T02:00:00Z',
    },
    status: 400,
    reply: ads.errors(
      own({
        entity_type: 'CAMPAIGN',
        entity_id: '{campaign}',
        start_time: '2026-01-01T00:30:00Z',
        end_time: '2026-01-01T02:00:00Z',
      }),
      ads.error('INVALID_PARAMETER', 'Expected a full hour, got "2026-01-01T00:30:00Z" for start_time', {
        parameter: 'start_time',
      }),
    ),
  },
]

/** Sources: interface, "Campaign management"; advertising reference, 01 sections 9 to 20. */
export const promotion: Area = {
  name: 'promotion and targeting',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    ...trackingTags,
    ...formerResources,
    ...prerollCalls,
    ...promotedAccounts,
    ...mediaCreatives,
    ...scheduledPromotedPosts,
    ...promotedPosts,
    ...webEventTags,
    ...appEventTags,
    wrongApp,
    ...appLists,
    ...lineItemApps,
    ...providers,
    ...options,
    ...criteria,
    ...curatedLinks,
    ...estimates,
  ],
}
