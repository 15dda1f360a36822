import * as ads from '../support/ads.ts'
import { own, READS, WRITES } from '../support/ads.ts'
import type { Area, Exchange } from '../support/exchange.ts'
import { base36, id64, keep, like, time } from '../support/match.ts'

const MEDIA_URL = like(/^https?:\/\/[^/]+\/media\/[0-9a-f]{64}\.(png|mp4)$/)

const components = [
  { type: 'MEDIA', media_key: '{image}' },
  { type: 'DETAILS', title: 'A title', destination: { type: 'WEBSITE', url: 'https://example.com' } },
]

const card = {
  id: '{card}',
  name: 'A card',
  components,
  card_uri: 'card://{card}',
  card_type: 'IMAGE_WEBSITE',
  created_at: time,
  updated_at: time,
  deleted: false,
}

const rejected = (it: string, json: unknown, ...errors: readonly unknown[]): Exchange => ({
  it,
  send: 'POST /accounts/{account}/cards',
  json,
  status: 400,
  reply: ads.errors(own(), ...errors),
})

const notFound = (send: string): Exchange => ({
  it: 'a card that is not there',
  send,
  status: 404,
  reply: ads.errors(
    own({ card_id: '1' }),
    ads.error('CARD_NOT_FOUND', 'Card 1 was not found for Account {account}', { parameter: 'card_id' }),
  ),
})

const generic: Area['rows'] = [
  {
    it: 'one is made; its type follows from its components',
    send: 'POST /accounts/{account}/cards',
    json: { name: 'A card', components },
    status: 201,
    reply: ads.single(own(), {
      ...card,
      id: keep('card', id64),
      card_uri: 'card://{card}',
    }),
    limit: WRITES,
  },
  {
    it: 'one for an app',
    send: 'POST /accounts/{account}/cards',
    json: {
      name: 'An app card',
      components: [
        { type: 'MEDIA', media_key: '{image}' },
        {
          type: 'BUTTON',
          label: { type: 'ENUM', value: 'INSTALL' },
          destination: { type: 'APP', country_code: 'US', googleplay_app_id: 'com.example.android' },
        },
      ],
    },
    status: 201,
    reply: ads.single(own(), {
      ...card,
      id: keep('app_card', id64),
      name: 'An app card',
      card_uri: 'card://{app_card}',
      card_type: 'IMAGE_APP',
      components: [
        { type: 'MEDIA', media_key: '{image}' },
        {
          type: 'BUTTON',
          label: { type: 'ENUM', value: 'INSTALL' },
          destination: { type: 'APP', country_code: 'US', googleplay_app_id: 'com.example.android' },
        },
      ],
    }),
  },
  {
    it: 'one is read',
    send: 'GET /accounts/{account}/cards/{card}',
    status: 200,
    reply: ads.single(own({ card_id: '{card}' }), card),
    limit: READS,
  },
  {
    it: 'the list finds the beginning of names',
    send: 'GET /accounts/{account}/cards',
    query: { q: 'a CARD', card_types: 'IMAGE_WEBSITE' },
    status: 200,
    reply: ads.list(own({ q: 'a CARD', card_types: ['IMAGE_WEBSITE'] }), [card]),
    limit: READS,
  },
  {
    it: 'one is changed; what is sent is replaced whole',
    send: 'PUT /accounts/{account}/cards/{card}',
    json: { name: 'Another name' },
    status: 200,
    reply: ads.single(own({ card_id: '{card}' }), { ...card, name: 'Another name' }),
    limit: WRITES,
  },
  rejected(
    'a card has components or slides',
    { name: 'x', components, slides: [components, components] },
    ads.error('EXCLUSIVE_PARAMETERS', 'components and slides are exclusive parameters', {
      parameter: 'slides',
    }),
  ),
  rejected(
    'one of the two',
    { name: 'x' },
    ads.error('MISSING_PARAMETER', '"components" is a required parameter', { parameter: 'components' }),
  ),
  rejected(
    'a name',
    { components },
    ads.error('MISSING_PARAMETER', '"name" is a required parameter', { parameter: 'name' }),
  ),
  rejected(
    'a medium and one of DETAILS and BUTTON',
    { name: 'x', components: [components[0]] },
    ads.error(
      'INVALID_CARD_COMPONENTS_COMBINATION',
      'A card needs one component with media, and either DETAILS or BUTTON',
      { parameter: 'components' },
    ),
  ),
  {
    it: 'a type that does not exist',
    send: 'GET /accounts/{account}/cards',
    query: { card_types: 'FOO' },
    status: 400,
    reply: ads.errors(
      own({ card_types: ['FOO'] }),
      ads.error(
        'UNKNOWN_CARD_TYPE',
        like(/^Expected a value in IMAGE_APP, .*, VIDEO_WEBSITE, got "FOO" for card_types$/),
        { parameter: 'card_types' },
      ),
    ),
  },
  notFound('GET /accounts/{account}/cards/1'),
  {
    it: 'cards of any kind by their address',
    send: 'GET /accounts/{account}/cards/all',
    query: { card_uris: 'card://{app_card}' },
    status: 200,
    reply: ads.single(own({ card_uris: ['card://{app_card}'] }), [
      {
        id: '{app_card}',
        name: 'An app card',
        card_uri: 'card://{app_card}',
        card_type: 'IMAGE_APP_DOWNLOAD',
        country_code: 'US',
        googleplay_app_id: 'com.example.android',
        app_cta: 'INSTALL',
        wide_app_image: MEDIA_URL,
        image_display_width: '1200',
        image_display_height: '628',
        created_at: time,
        updated_at: time,
        deleted: false,
      },
    ]),
    limit: READS,
  },
  {
    it: 'one of any kind',
    send: 'GET /accounts/{account}/cards/all/{app_card}',
    status: 200,
    reply: ads.single(own({ card_id: '{app_card}' }), {
      id: '{app_card}',
      name: 'An app card',
      card_uri: 'card://{app_card}',
      card_type: 'IMAGE_APP_DOWNLOAD',
      country_code: 'US',
      googleplay_app_id: 'com.example.android',
      app_cta: 'INSTALL',
      wide_app_image: MEDIA_URL,
      image_display_width: '1200',
      image_display_height: '628',
      created_at: time,
      updated_at: time,
      deleted: false,
    }),
    limit: READS,
  },
  {
    it: 'one is deleted',
    send: 'DELETE /accounts/{account}/cards/{card}',
    status: 200,
    reply: ads.single(own({ card_id: '{card}' }), { ...card, name: 'Another name', deleted: true }),
    limit: WRITES,
  },
  {
    it: 'a former kind of card is deleted by a path of its own',
    send: 'DELETE /accounts/{account}/cards/image_app_download/{app_card}',
    status: 200,
    reply: ads.single(own({ card_type: 'image_app_download', card_id: '{app_card}' }), {
      ...card,
      id: '{app_card}',
      name: 'An app card',
      card_uri: 'card://{app_card}',
      card_type: 'IMAGE_APP',
      components: [
        { type: 'MEDIA', media_key: '{image}' },
        {
          type: 'BUTTON',
          label: { type: 'ENUM', value: 'INSTALL' },
          destination: { type: 'APP', country_code: 'US', googleplay_app_id: 'com.example.android' },
        },
      ],
      deleted: true,
    }),
    limit: WRITES,
  },
]

const poll = {
  id: '{poll}',
  name: 'best coast poll',
  first_choice: 'East',
  second_choice: 'West',
  duration_in_minutes: '10080',
  start_time: time,
  end_time: time,
  card_uri: like(/^card:\/\/[0-9]+$/),
  card_type: 'TEXT_POLLS',
  created_at: time,
  updated_at: time,
  deleted: false,
}
const pollForm = {
  name: 'best coast poll',
  first_choice: 'East',
  second_choice: 'West',
  duration_in_minutes: '10080',
}
const pollEcho = { ...pollForm, duration_in_minutes: 10_080 }

const polls: Area['rows'] = [
  {
    it: 'a poll is made',
    send: 'POST /accounts/{account}/cards/poll',
    form: pollForm,
    status: 201,
    reply: ads.single(own({ ...pollEcho, card_type: 'poll' }), { ...poll, id: keep('poll', base36) }),
    limit: WRITES,
  },
  {
    it: 'a poll is read',
    send: 'GET /accounts/{account}/cards/poll/{poll}',
    status: 200,
    reply: ads.single(own({ card_id: '{poll}', card_type: 'poll' }), poll),
    limit: READS,
  },
  {
    it: 'the list of polls',
    send: 'GET /accounts/{account}/cards/poll',
    query: { q: 'BEST', with_total_count: 'true' },
    status: 200,
    reply: {
      ...ads.list(own({ q: 'BEST', with_total_count: true, card_type: 'poll' }), [poll]),
      total_count: 1,
    },
    limit: 200,
  },
  {
    it: 'a fourth choice needs a third',
    send: 'POST /accounts/{account}/cards/poll',
    form: { ...pollForm, fourth_choice: 'North' },
    status: 400,
    reply: ads.errors(
      own({ ...pollEcho, fourth_choice: 'North' }),
      ads.error('INCLUSIVE_PARAMETERS', 'fourth_choice and third_choice are inclusive parameters', {
        parameter: 'third_choice',
      }),
    ),
  },
  {
    it: 'a medium needs a feature of the account',
    send: 'POST /accounts/{account}/cards/poll',
    form: { ...pollForm, media_key: '{image}' },
    status: 400,
    reply: ads.errors(
      own({ ...pollEcho, media_key: '{image}' }),
      ads.error('FEATURE_NOT_AVAILABLE', 'Polls with media need the feature PROMOTED_MEDIA_POLLS', {
        parameter: 'media_key',
      }),
    ),
  },
  {
    it: 'a poll cannot be changed',
    send: 'PUT /accounts/{account}/cards/poll/{poll}',
    status: 405,
    reply: ads.errors({}, ads.error('METHOD_NOT_ALLOWED', 'The method is not allowed for this path')),
  },
  {
    it: 'a poll is deleted',
    send: 'DELETE /accounts/{account}/cards/poll/{poll}',
    status: 200,
    reply: ads.single(own({ card_id: '{poll}', card_type: 'poll' }), { ...poll, deleted: true }),
    limit: WRITES,
  },
  {
    it: 'with_deleted shows it',
    send: 'GET /accounts/{account}/cards/poll/{poll}',
    query: { with_deleted: 'true' },
    status: 200,
    reply: ads.single(own({ card_id: '{poll}', with_deleted: true, card_type: 'poll' }), {
      ...poll,
      deleted: true,
    }),
  },
]

const conversationForm = {
  name: 'A conversation',
  title: 'Developers',
  first_cta: '#APIs',
  first_cta_post: 'Ads API',
  thank_you_text: 'Build it',
}

const conversation = {
  ...conversationForm,
  media_url: MEDIA_URL,
  card_uri: like(/^card:\/\/[0-9]+$/),
  created_at: time,
  updated_at: time,
  deleted: false,
}

const videoConversation = {
  ...conversation,
  id: '{video_conversation}',
  media_key: '{video}',
  poster_media_url: like(/^https?:\/\//),
  video_owner_id: '{advertiser}',
  video_width: '16',
  video_height: '9',
  card_type: 'VIDEO_CONVERSATION',
}

const imageConversation = {
  ...conversation,
  id: '{image_conversation}',
  media_key: '{image}',
  image_display_width: '1200',
  image_display_height: '628',
  card_type: 'IMAGE_CONVERSATION',
}

const conversations = (
  kind: 'video_conversation' | 'image_conversation',
  media_key: string,
  shown: Record<string, unknown>,
): Area['rows'] => {
  const about = (params: Record<string, unknown>) => own({ ...params, card_type: kind })
  const form = { ...conversationForm, media_key }
  return [
    {
      it: 'a conversation card is made',
      send: `POST /accounts/{account}/cards/${kind}`,
      form,
      status: 201,
      reply: ads.single(own({ ...form, card_type: kind }), { ...shown, id: keep(kind, base36) }),
      limit: WRITES,
    },
    {
      it: 'it is read',
      send: `GET /accounts/{account}/cards/${kind}/{${kind}}`,
      status: 200,
      reply: ads.single(about({ card_id: `{${kind}}` }), shown),
      limit: READS,
    },
    {
      it: 'the list',
      send: `GET /accounts/{account}/cards/${kind}`,
      query: { card_ids: `{${kind}}` },
      status: 200,
      reply: ads.list(about({ card_ids: [`{${kind}}`] }), [shown]),
      limit: READS,
    },
    {
      it: 'it is changed',
      send: `PUT /accounts/{account}/cards/${kind}/{${kind}}`,
      form: { thank_you_text: 'Thank you' },
      status: 200,
      reply: ads.single(own({ card_id: `{${kind}}`, thank_you_text: 'Thank you', card_type: kind }), {
        ...shown,
        thank_you_text: 'Thank you',
      }),
      limit: WRITES,
    },
    {
      it: 'a second hashtag has a post',
      send: `POST /accounts/{account}/cards/${kind}`,
      form: { ...form, second_cta: '#two' },
      status: 400,
      reply: ads.errors(
        own({ ...form, second_cta: '#two' }),
        ads.error('INCLUSIVE_PARAMETERS', 'second_cta, second_cta_post are inclusive parameters', {
          parameter: 'second_cta_post',
        }),
      ),
    },
    {
      it: 'it is deleted',
      send: `DELETE /accounts/{account}/cards/${kind}/{${kind}}`,
      status: 200,
      reply: ads.single(about({ card_id: `{${kind}}` }), {
        ...shown,
        thank_you_text: 'Thank you',
        deleted: true,
      }),
      limit: WRITES,
    },
  ]
}

const productCard = {
  id: '{product_card}',
  url: 'https://shop.example.com/summer',
  creative_type: 'CAROUSEL',
  card_uri: 'card://{product_card}',
  card_type: 'DYNAMIC_PRODUCT',
  created_at: time,
  updated_at: time,
  deleted: false,
}
const productPost = { as_user_id: '{advertiser}', text: 'products {run}' }
const wrongProductPost = (
  it: string,
  more: object,
  echo: object,
  status: number,
  error: unknown,
): Exchange => ({
  it,
  send: 'POST /accounts/{account}/post',
  form: { ...productPost, ...more },
  status,
  reply: ads.errors(own({ ...productPost, ...echo }), error),
})
const inclusive = (parameter: string) =>
  ads.error(
    'INCLUSIVE_PARAMETERS',
    'dynamic_product_ad and card_uri of a dynamic product card are inclusive parameters',
    { parameter },
  )

/** Source: advertising reference, 08 section 12. */
const products: Area['rows'] = [
  {
    it: 'a card of products is made',
    send: 'POST /accounts/{account}/dynamic_product_cards',
    json: { url: 'https://shop.example.com/summer' },
    status: 201,
    reply: ads.single(own(), { ...productCard, id: keep('product_card', id64) }),
    limit: WRITES,
  },
  {
    it: 'it is one of all cards',
    send: 'GET /accounts/{account}/cards/all/{product_card}',
    status: 200,
    reply: ads.single(own({ card_id: '{product_card}' }), { ...productCard, name: null }),
    limit: READS,
  },
  {
    it: 'a card of products needs a URL',
    send: 'POST /accounts/{account}/dynamic_product_cards',
    json: {},
    status: 400,
    reply: ads.errors(
      own(),
      ads.error('MISSING_PARAMETER', '"url" is a required parameter', { parameter: 'url' }),
    ),
  },
  {
    it: 'in one of three forms',
    send: 'POST /accounts/{account}/dynamic_product_cards',
    json: { url: 'https://shop.example.com/summer', creative_type: 'LIST' },
    status: 400,
    reply: ads.errors(
      own(),
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value in CAROUSEL, SINGLE, COLLECTION, got "LIST" for creative_type',
        { parameter: 'creative_type' },
      ),
    ),
  },
  wrongProductPost(
    'a post with such a card says so',
    { card_uri: 'card://{product_card}' },
    { card_uri: 'card://{product_card}' },
    400,
    inclusive('dynamic_product_ad'),
  ),
  wrongProductPost(
    'and needs such a card',
    { dynamic_product_ad: 'true' },
    { dynamic_product_ad: true },
    400,
    inclusive('card_uri'),
  ),
  wrongProductPost(
    'no other card',
    { card_uri: 'card://{card}', dynamic_product_ad: 'true' },
    { card_uri: 'card://{card}', dynamic_product_ad: true },
    404,
    ads.error('CARD_NOT_FOUND', 'Card card://{card} was not found', { parameter: 'card_uri' }),
  ),
]

/** Sources: interface, "Creatives"; advertising reference, 02 sections 3 to 7 and 13. */
export const cards: Area = {
  name: 'cards',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [
    ...generic,
    ...polls,
    ...products,
    ...conversations('video_conversation', '{video}', videoConversation),
    ...conversations('image_conversation', '{image}', imageConversation),
    {
      it: 'the medium of a video conversation is a video',
      send: 'POST /accounts/{account}/cards/video_conversation',
      form: { ...conversationForm, media_key: '{image}' },
      status: 400,
      reply: ads.errors(
        own({ ...conversationForm, media_key: '{image}' }),
        ads.error('INVALID_MEDIA', 'Media {image} cannot be used here: it is no VIDEO', {
          parameter: 'media_key',
        }),
      ),
    },
    {
      it: 'the medium of an image conversation is an image',
      send: 'POST /accounts/{account}/cards/image_conversation',
      form: { ...conversationForm, media_key: '{video}' },
      status: 400,
      reply: ads.errors(
        own({ ...conversationForm, media_key: '{video}' }),
        ads.error('INVALID_MEDIA', 'Media {video} cannot be used here: it is no IMAGE', {
          parameter: 'media_key',
        }),
      ),
    },
    {
      it: 'and is at least 800 pixels wide',
      send: 'POST /accounts/{account}/cards/image_conversation',
      form: { ...conversationForm, media_key: '{small}' },
      status: 400,
      reply: ads.errors(
        own({ ...conversationForm, media_key: '{small}' }),
        ads.error('INVALID_IMAGE', 'Media {small} cannot be used here: it is less than 800 pixels wide', {
          parameter: 'media_key',
        }),
      ),
    },
  ],
}
