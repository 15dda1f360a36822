import assert from 'node:assert/strict'
import * as ads from '../support/ads.ts'
import type { Area, Exchange, Story } from '../support/exchange.ts'
import { id64, keep, like, string, strings } from '../support/match.ts'
import { resolve } from '../support/variables.ts'
import { send } from '../support/world.ts'

const product = {
  id: 'test-12345',
  title: 'Test Product 1',
  description: 'Added through the upsert endpoint',
  availability: 'in stock',
  condition: 'new',
  link: 'https://shop.example.com/p/2',
  image_link: 'https://shop.example.com/p/2.jpg',
  brand: 'Acme',
  gtin: '036000291452',
  inventory: 2,
  price: '60.00 USD',
  gender: 'female',
  color: 'blue',
  size: 'medium',
  age_group: 'adult',
  custom_label_0: 'custom value',
}

/** Every member of a product is there, null or not. */
const shown = {
  ...product,
  product_key: '{product}',
  custom_label_1: null,
  custom_label_2: null,
  custom_label_3: null,
  custom_label_4: null,
  item_group_key: null,
  item_group_id: null,
  additional_image_link: null,
  mobile_link: null,
  product_type: null,
  mpn: null,
  sale_price: null,
  sale_price_effective_date: null,
  google_product_category: null,
}

const of = (params: Record<string, unknown> = {}) => ({ product_catalog_id: '{catalog}', ...params })
const catalogNotFound = ads.errors(
  { product_catalog_id: '1' },
  ads.error('NOT_FOUND', 'Product catalog 1 was not found', { parameter: 'product_catalog_id' }),
)

const catalogs: Exchange[] = [
  {
    it: 'a user makes a catalog',
    send: 'POST /product_catalogs',
    form: { name: 'catalog_123' },
    status: 201,
    reply: ads.single({ name: 'catalog_123' }, { id: keep('catalog', id64), name: 'catalog_123' }),
    limit: 20,
  },
  {
    it: 'the list of a user',
    send: 'GET /product_catalogs',
    status: 200,
    reply: ads.list({}, [{ id: '{catalog}', name: 'catalog_123' }]),
    limit: 1000,
  },
  {
    it: 'a user has one',
    send: 'POST /product_catalogs',
    form: { name: 'another' },
    status: 400,
    reply: ads.errors(
      { name: 'another' },
      ads.error('INVALID_PARAMETER', 'User {advertiser} already has a product catalog', {
        parameter: 'user_id',
      }),
    ),
  },
  {
    it: 'the catalog of a user that is not there',
    send: 'GET /product_catalogs',
    query: { user_id: '1' },
    status: 403,
    reply: ads.errors(
      { user_id: '1' },
      ads.error('USER_NOT_FOUND', 'User 1 is unknown or not accessible to the caller', {
        parameter: 'user_id',
      }),
    ),
  },
  {
    it: 'it is renamed; the reply echoes its id as id',
    send: 'PUT /product_catalogs/{catalog}',
    form: { name: 'renamed' },
    status: 200,
    reply: ads.single({ id: '{catalog}', name: 'renamed' }, { id: '{catalog}', name: 'renamed' }),
    limit: 20,
  },
  {
    it: 'one that is not there',
    send: 'GET /product_catalogs/1/products',
    status: 404,
    reply: catalogNotFound,
  },
]

const upserted = (one: Record<string, unknown>) =>
  ads.single(of(), {
    products_response: [{ warnings: [], errors: [], product_key: '{product}', id: 'test-12345', ...one }],
  })

const products: Exchange[] = [
  {
    it: 'a product whose id is unknown is created',
    send: 'PUT /product_catalogs/{catalog}/products',
    json: { products: [product] },
    status: 200,
    reply: upserted({ product_key: keep('product', id64), status: 'CREATE_SUCCESS' }),
    limit: 600,
  },
  {
    it: 'the same again changes nothing',
    send: 'PUT /product_catalogs/{catalog}/products',
    json: { products: [product] },
    status: 200,
    reply: upserted({ status: 'NO_CHANGE', warnings: strings }),
  },
  {
    it: 'another value updates it',
    send: 'PUT /product_catalogs/{catalog}/products',
    json: { products: [{ ...product, title: 'Renamed' }] },
    status: 200,
    reply: upserted({ status: 'UPDATE_SUCCESS', warnings: strings }),
  },
  {
    it: 'a wrong one is an ERROR of its own, within 200',
    send: 'PUT /product_catalogs/{catalog}/products',
    json: { products: [{ ...product, id: 'wrong', price: '60 dollars' }] },
    status: 200,
    reply: ads.single(of(), {
      products_response: [
        {
          warnings: [],
          errors: ['price must be a number, one space and an ISO 4217 code, for example "20.00 USD"'],
          product_key: null,
          id: 'wrong',
          status: 'ERROR',
        },
      ],
    }),
  },
  {
    it: '25 at most',
    send: 'PUT /product_catalogs/{catalog}/products',
    json: { products: Array.from({ length: 26 }, (_, n) => ({ ...product, id: `p${n}` })) },
    status: 400,
    reply: ads.errors(
      of(),
      ads.error('INVALID_PARAMETER', 'Expected between 1 and 25 characters or items for products', {
        parameter: 'products',
      }),
    ),
  },
  {
    it: 'the list shows every member',
    send: 'GET /product_catalogs/{catalog}/products',
    query: { count: '100' },
    status: 200,
    reply: ads.list(of({ count: 100 }), [{ ...shown, title: 'Renamed' }]),
    limit: 1000,
  },
  {
    it: 'pages hold 100 at most',
    send: 'GET /product_catalogs/{catalog}/products',
    query: { count: '101' },
    status: 400,
    reply: ads.errors(
      of(),
      ads.error('INVALID_PARAMETER', 'Expected a value between 1 and 100, got "101" for count', {
        parameter: 'count',
      }),
    ),
  },
]

const set = {
  id: '{product_set}',
  name: 'manual set',
  description: null,
  type: 'MANUAL',
  filters: [],
  product_ids: ['test-12345'],
  processing_status: 'DONE',
}
const setForm = { name: 'manual set', type: 'MANUAL', product_keys: ['{product}'] }
const priceAbove100 = { attribute: 'price', operator: 'GREATER_THAN', value: '100.00 USD' }
const inSet = (params: Record<string, unknown> = {}) => of({ id: '{product_set}', ...params })

const schedule = {
  feed_url: 'https://shop.example.com/products.csv',
  feed_format: 'CSV',
  frequency: 'WEEKLY',
  repeat: 'MONDAY',
  start_time: '05:00',
  time_zone: 'America/Los_Angeles',
}
const millis = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
const feed = {
  id: '{feed}',
  product_catalog_id: '{catalog}',
  ...schedule,
  created_at: millis,
  updated_at: millis,
}

const feeds: Exchange[] = [
  {
    it: 'a feed is scheduled',
    send: 'POST /product_catalogs/{catalog}/scheduled_feeds',
    form: schedule,
    status: 201,
    reply: ads.single(of(schedule), { ...feed, id: keep('feed', id64) }),
    limit: 20,
  },
  {
    it: 'a user has one',
    send: 'POST /product_catalogs/{catalog}/scheduled_feeds',
    form: schedule,
    status: 400,
    reply: ads.errors(
      of(schedule),
      ads.error('INVALID', 'The user already has a scheduled feed', { attribute: 'product_catalog_id' }),
    ),
  },
  {
    it: 'the list',
    send: 'GET /product_catalogs/{catalog}/scheduled_feeds',
    status: 200,
    reply: ads.list(of(), [feed]),
    limit: 1000,
  },
  {
    it: 'a day of the week is no number of hours',
    send: 'PUT /product_catalogs/{catalog}/scheduled_feeds/{feed}',
    form: { frequency: 'HOURLY' },
    status: 400,
    reply: ads.errors(
      of({ id: '{feed}', frequency: 'HOURLY' }),
      ads.error(
        'INVALID_PARAMETER',
        'Expected a value in 1, 2, 3, 4, 6, 8, 12 with HOURLY, got "MONDAY" for repeat',
        { parameter: 'repeat' },
      ),
    ),
  },
  {
    it: 'one is changed',
    send: 'PUT /product_catalogs/{catalog}/scheduled_feeds/{feed}',
    form: { frequency: 'DAILY' },
    status: 200,
    reply: ads.single(of({ id: '{feed}', frequency: 'DAILY' }), {
      ...feed,
      frequency: 'DAILY',
      repeat: null,
    }),
    limit: 20,
  },
  {
    it: 'one is deleted',
    send: 'DELETE /product_catalogs/{catalog}/scheduled_feeds/{feed}',
    status: 200,
    reply: ads.single(of({ id: '{feed}' }), { ...feed, frequency: 'DAILY', repeat: null }),
    limit: 20,
  },
  {
    it: 'one that is not there',
    send: 'DELETE /product_catalogs/{catalog}/scheduled_feeds/1',
    status: 404,
    reply: ads.errors(
      of({ id: '1' }),
      ads.error('NOT_FOUND', 'Scheduled feed 1 was not found', { parameter: 'scheduled_feed_id' }),
    ),
  },
]

/** Source: advertising reference, 08 section 12. */
const advertisement: Story = {
  it: 'a line item shows a set',
  needs: 'advertiser',
  async run(world) {
    const base = resolve('/12/accounts/{account}', world.variables)
    const post = async (path: string, form: Record<string, string>) => {
      const to = `POST {ads_sandbox_url}${base}${path}`
      const reply = await send(world, { send: to, as: 'advertiser', form })
      world.seen.calls.push({ method: 'POST', path: base + path })
      return { status: reply.status, body: JSON.parse(reply.text) }
    }
    const known = (name: string) => resolve(`{${name}}`, world.variables)
    const campaign = await post('/campaigns', { name: 'Products', funding_instrument_id: known('funding') })
    const tag = await post('/web_event_tags', {
      name: 'Products',
      type: 'PURCHASE',
      click_window: '30',
      view_through_window: '1',
      retargeting_enabled: 'false',
    })
    const shown = {
      creative_source: 'DYNAMIC_PRODUCT_CREATIVE',
      catalog_id: known('catalog'),
      product_set_id: known('product_set'),
    }
    const lineItem = {
      campaign_id: campaign.body.data.id,
      objective: 'WEBSITE_CLICKS',
      goal: 'WEBSITE_CONVERSIONS',
      product_type: 'PROMOTED_POSTS',
      placements: 'ALL_ON_SERVICE',
      primary_web_event_tag: tag.body.data.id,
      ...shown,
    }
    const { status, body } = await post('/line_items', lineItem)
    const { creative_source, catalog_id, product_set_id } = body.data
    assert.deepEqual([status, { creative_source, catalog_id, product_set_id }], [201, shown])
    const wrong = await post('/line_items', { ...lineItem, product_set_id: '1' })
    assert.equal(wrong.status, 404)
    assert.deepEqual(wrong.body.errors, [
      {
        code: 'NOT_FOUND',
        message: `Product set 1 was not found in catalog ${catalog_id}`,
        parameter: 'product_set_id',
      },
    ])
    const elsewhere = await post('/line_items', { ...lineItem, catalog_id: '1' })
    assert.deepEqual(elsewhere.body.errors, [
      { code: 'NOT_FOUND', message: 'Product catalog 1 was not found', parameter: 'catalog_id' },
    ])
  },
}

const sets: Area['rows'] = [
  {
    it: 'a set is made of products',
    send: 'POST /product_catalogs/{catalog}/product_sets',
    json: setForm,
    status: 201,
    reply: ads.single(of(setForm), { ...set, id: keep('product_set', id64) }),
    limit: 100,
  },
  {
    it: 'or of filters',
    send: 'POST /product_catalogs/{catalog}/product_sets',
    json: { name: 'filtered set', type: 'FILTERED', filters: [priceAbove100] },
    status: 201,
    reply: ads.single(of({ name: 'filtered set', type: 'FILTERED', filters: [priceAbove100] }), {
      ...set,
      id: keep('filtered_set', id64),
      name: 'filtered set',
      type: 'FILTERED',
      filters: [priceAbove100],
      product_ids: [],
      processing_status: string,
    }),
  },
  {
    it: 'one is read',
    send: 'GET /product_catalogs/{catalog}/product_sets/{product_set}',
    status: 200,
    reply: ads.single(inSet(), set),
    limit: 2000,
  },
  {
    it: 'the list',
    send: 'GET /product_catalogs/{catalog}/product_sets',
    query: { count: '1' },
    status: 200,
    reply: ads.list(of({ count: 1 }), [set], string),
    limit: 2000,
  },
  {
    it: 'one is changed',
    send: 'PUT /product_catalogs/{catalog}/product_sets/{product_set}',
    json: { name: 'renamed' },
    status: 200,
    reply: ads.single(inSet({ name: 'renamed' }), { ...set, name: 'renamed' }),
    limit: 500,
  },
  {
    it: 'a set of filters cannot be changed',
    send: 'PUT /product_catalogs/{catalog}/product_sets/{filtered_set}',
    json: { name: 'renamed' },
    status: 400,
    reply: ads.errors(
      of({ id: '{filtered_set}' }),
      ads.error('INVALID', 'Only a MANUAL set can be changed', { attribute: 'type' }),
    ),
  },
  {
    it: 'a set has filters or products',
    send: 'POST /product_catalogs/{catalog}/product_sets',
    json: { ...setForm, filters: [priceAbove100] },
    status: 400,
    reply: ads.errors(
      of(),
      ads.error('EXCLUSIVE_PARAMETERS', 'filters and product_keys are exclusive parameters', {
        parameter: 'filters',
      }),
    ),
  },
  {
    it: 'a set of products has products',
    send: 'POST /product_catalogs/{catalog}/product_sets',
    json: { name: 'manual set', type: 'MANUAL' },
    status: 400,
    reply: ads.errors(
      of(),
      ads.error('MISSING_PARAMETER', '"product_keys" is a required parameter', { parameter: 'product_keys' }),
    ),
  },
  advertisement,
  {
    it: 'one is deleted for good',
    send: 'DELETE /product_catalogs/{catalog}/product_sets/{product_set}',
    status: 200,
    reply: ads.single(inSet(), { ...set, name: 'renamed', product_ids: [] }),
    limit: 100,
  },
  {
    it: 'and then not found',
    send: 'GET /product_catalogs/{catalog}/product_sets/{product_set}',
    status: 404,
    reply: ads.errors(
      inSet(),
      ads.error('NOT_FOUND', 'Product set {product_set} was not found', { parameter: 'product_set_id' }),
    ),
  },
]

const ends: Exchange[] = [
  {
    it: 'products are deleted by their keys; an unknown one is named',
    send: 'DELETE /product_catalogs/{catalog}/products',
    json: { product_keys: ['{product}', '1'] },
    status: 200,
    reply: ads.single(of({ product_keys: ['{product}', '1'] }), {
      delete_products: [
        { product_key: '{product}', failed_product_key: null, message: null },
        { product_key: null, failed_product_key: '1', message: 'Product not found' },
      ],
    }),
    limit: 150,
  },
  {
    it: 'a catalog is deleted for good; it has no deleted',
    send: 'DELETE /product_catalogs/{catalog}',
    status: 200,
    reply: ads.single({ id: '{catalog}' }, { id: '{catalog}', name: 'renamed' }),
    limit: 20,
  },
  {
    it: 'and then gone',
    send: 'GET /product_catalogs',
    status: 200,
    reply: ads.list({}, []),
  },
]

/** Sources: interface, "Product catalogs"; advertising reference, 04. */
export const productCatalogs: Area = {
  name: 'product catalogs',
  base: '{ads_sandbox_url}/12',
  as: 'advertiser',
  rows: [...catalogs, ...products, ...feeds, ...sets, ...ends],
}
