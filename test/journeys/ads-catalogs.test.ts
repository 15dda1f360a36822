import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PRODUCT_FIELDS } from '../../src/api/ads/catalogs/product-fields.ts'
import { adHocQuery, fixedTables } from '../../src/app/tables.ts'
import { cursorOf, dataOf, errorOf, listOf, newPerson, paramsOf } from '../support/ads-desk.ts'
import { product } from '../support/catalogs.ts'
import { Client } from '../support/client.ts'
import { many, Shop, type Told } from '../support/shop.ts'
import { type Opened, stages } from '../support/stages.ts'

/** This many different products. */
const variants = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) =>
    product(`sku-${String(from + n).padStart(4, '0')}`, { size: String(n) }),
  )

/**
 * What each row of the table of product fields takes and turns down; `undefined` leaves the field
 * out.
 */
const RULES: Readonly<Record<string, { good: unknown[]; bad: [value: unknown, sentence: RegExp][] }>> = {
  id: {
    good: ['a', 'A-1_ü', '\u{1f45f}', 'x'.repeat(255)],
    bad: [
      [undefined, /^id is required$/],
      [null, /^id is required$/],
      ['', /^id is required$/],
      [' ', /id must not be blank/],
      [7, /id must be text/],
      ['x'.repeat(256), /id must be at most 255 characters/],
      ['a\u0000b', /id contains invalid characters/],
    ],
  },
  // Given by the service: passed over on a new product.
  product_key: { good: [undefined, null, '1'], bad: [[7, /product_key must be text/]] },
  title: {
    good: ['x', 'x'.repeat(150), '\u{1f45f}'.repeat(150)],
    bad: [
      [undefined, /^title is required$/],
      ['x'.repeat(151), /title must be at most 150 characters/],
      ['\u{1f45f}'.repeat(151), /title must be at most 150 characters/],
      [['x'], /title must be text/],
    ],
  },
  description: {
    good: ['x'.repeat(5000), '5 < 6 and 7 > 6', 'size a<b and c>d', 'a <3 b', 'lines\nand tabs\t'],
    bad: [
      [undefined, /^description is required$/],
      ['x'.repeat(5001), /description must be at most 5000 characters/],
      ['<b>bold</b>', /description must be plain text without HTML/],
      ['line<br/>line', /without HTML/],
      ['<!-- hidden -->', /without HTML/],
      ['</p>', /without HTML/],
    ],
  },
  availability: {
    good: ['in stock', 'available for order', 'preorder', 'out of stock', 'discontinued'],
    bad: [
      [undefined, /^availability is required$/],
      ['in_stock', /availability must be one of in stock, /],
      ['In Stock', /must be one of/],
      [1, /must be one of/],
    ],
  },
  condition: {
    good: ['new', 'used', 'refurbished'],
    bad: [
      [undefined, /^condition is required$/],
      ['broken', /condition must be one of new, used, refurbished/],
    ],
  },
  price: {
    good: ['60.00 USD', '60 USD', '60.000 USD', '7000 JPY', '7000.00 JPY', '1.234 KWD'],
    bad: [
      [undefined, /^price is required$/],
      ['60.00', /price must be a number, one space and an ISO 4217 code/],
      ['60,00 EUR', /must be a number/],
      ['60.00  USD', /must be a number/],
      ['60.00 usd', /must be a number/],
      ['60.00 ZZZ', /ISO 4217 code of a currency, which ZZZ is not/],
      ['60.001 USD', /at most 2 decimals in USD/],
      ['7000.5 JPY', /at most 0 decimals in JPY/],
      [60, /price must be text/],
    ],
  },
  link: {
    good: ['https://shop.example.com/p?id=1&b=2#top', 'HTTPS://SHOP.EXAMPLE.COM/'],
    bad: [
      [undefined, /^link is required$/],
      ['http://shop.example.com/', /link must be an https address/],
      ['shop.example.com', /must be an https address/],
      ['https://', /must be an https address/],
      ['https://shop example.com/', /must be an https address/],
      ['javascript:alert(1)', /must be an https address/],
      [`https://a.example/${'x'.repeat(2048)}`, /at most 2048 characters/],
      [`https://a.example/${'\u9a6c'.repeat(2000)}`, /link must be at most 2048 bytes/],
    ],
  },
  image_link: {
    good: [
      'https://shop.example.com/1.webp',
      'https://shop.example.com/image?id=1',
      `https://a.example/${'\u9a6c'.repeat(676)}`,
    ],
    bad: [
      [`https://a.example/${'\u9a6c'.repeat(677)}`, /image_link must be at most 2048 bytes/],
      [undefined, /^image_link is required$/],
      ['http://shop.example.com/1.jpg', /image_link must be an https address/],
      ['1.jpg', /must be an https address/],
    ],
  },
  brand: { good: ['Acme', 'x'.repeat(255)], bad: [['x'.repeat(256), /brand must be at most 255/]] },
  gtin: {
    good: ['036000291452', '4006381333931', '4901234567894', '0-306-40615-2', '9780306406157', '73513537'],
    bad: [
      ['123', /gtin must be a UPC, EAN, JAN or ISBN/],
      [4006381333931, /gtin must be text/],
    ],
  },
  mpn: { good: ['3268793T'], bad: [[7, /mpn must be text/]] },
  mobile_link: {
    good: ['https://m.example.com/', undefined, null, ''],
    bad: [
      ['http://m.example.com/', /mobile_link must be an https address/],
      [`https://m.example.com/${'\u9a6c'.repeat(2000)}`, /mobile_link must be at most 2048 bytes/],
    ],
  },
  additional_image_link: {
    good: [
      'https://a.example/1.png',
      'https://a.example/1.png, https://a.example/2.png',
      Array(10).fill('https://a.example/1.png').join(','),
    ],
    bad: [
      [
        Array(11).fill('https://a.example/1.png').join(','),
        /additional_image_link must have at most 10 addresses/,
      ],
      ['https://a.example/1.png,http://a.example/2.png', /must be https addresses/],
      ['https://a.example/1.png,', /must be https addresses/],
      [`https://a.example/${'\u9a6c'.repeat(2000)}`, /must have addresses of at most 2048 bytes/],
      [['https://a.example/1.png'], /must be text/],
    ],
  },
  google_product_category: {
    good: ['Apparel & Accessories > Shoes', '187', 'Media'],
    bad: [
      ['Apparel>Shoes', /google_product_category must have its levels separated by " > "/],
      ['Apparel > ', /levels/],
      ['Apparel >  > Shoes', /levels/],
    ],
  },
  product_type: {
    good: ['Home > Women > Dresses', 'Sale'],
    bad: [['Home > > Dresses', /product_type must have its levels separated/]],
  },
  inventory: {
    good: [1, 2 ** 31 - 1, undefined, null],
    bad: [
      [0, /^inventory must be at least 1 when availability is "in stock"$/],
      [-1, /inventory must be from 0/],
      [1.5, /inventory must be a whole number/],
      ['1', /inventory must be a whole number/],
      [2 ** 31, /inventory must be from 0/],
    ],
  },
  sale_price: {
    good: ['59.99 USD', '0 USD'],
    bad: [
      ['60.00 USD', /^sale_price must be lower than price$/],
      ['60 USD', /must be lower than price/],
      ['61.00 USD', /must be lower than price/],
      ['50.00 EUR', /^sale_price must be in the currency of price, USD$/],
      ['50', /sale_price must be a number/],
    ],
  },
  sale_price_effective_date: {
    good: [
      '2022-10-04T17:20+01:00/2022-10-10T04:00+01:00',
      '2022-10-04T17:20:31.000Z/2022-10-10T04:00:00.000Z',
    ],
    bad: [
      ['2022-10-04T17:20+01:00', /sale_price_effective_date must be two times/],
      ['2022-10-10T04:00Z/2022-10-04T17:20Z', /must end later than it starts/],
      ['2022-10-04/2022-10-10', /must be two times/],
    ],
  },
  item_group_id: { good: ['shoes', undefined], bad: [[7, /item_group_id must be text/]] },
  item_group_key: {
    good: [undefined, null],
    bad: [['1', /item_group_key is not that of the product's group/]],
  },
  gender: {
    good: ['female', 'male', 'unisex'],
    bad: [['women', /gender must be one of female, male, unisex/]],
  },
  color: {
    good: ['blue', 'Navy blue', 'facade', 'Blue 2'],
    bad: [
      ['#fff', /color must be a color word, not a hex code/],
      ['#1a2b3c', /hex code/],
      ['1a2b3c', /hex code/],
      ['0xff0000', /hex code/],
    ],
  },
  size: { good: ['M', 'medium', '42'], bad: [[42, /size must be text/]] },
  age_group: {
    good: ['adult', 'all ages', 'teen', 'kids', 'toddler', 'infant', 'newborn'],
    bad: [['senior', /age_group must be one of adult, all ages/]],
  },
  ...Object.fromEntries(
    [0, 1, 2, 3, 4].map((n) => [
      `custom_label_${n}`,
      {
        good: ['Spring > sale', '<3'],
        bad: [['x'.repeat(256), /must be at most 255 characters/]] as [unknown, RegExp][],
      },
    ]),
  ),
}

test('every field of a product has rules to be tried', () => {
  assert.deepEqual(Object.keys(RULES).sort(), Object.keys(PRODUCT_FIELDS).sort())
})

for (const stage of stages) {
  describe(`product catalogs on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let plaza: Opened['plaza']
    let client: Client
    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      plaza = opened.plaza
      client = new Client(plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    const open = () => Shop.open(plaza, client)

    describe('catalogs', () => {
      test('a catalog is made, listed, renamed and deleted, and shows no more than id and name', async () => {
        const shop = await open()
        const { catalog: id } = shop
        const listed = await shop.call('GET', '')
        assert.deepEqual(listed.json, {
          request: { params: {} },
          next_cursor: null,
          data: [{ id, name: 'Shop' }],
        })
        const renamed = await shop.call('PUT', `/${id}?name=Other`)
        assert.deepEqual(renamed.json, {
          request: { params: { id, name: 'Other' } },
          data: { id, name: 'Other' },
        })
        const saved = await shop.call('PUT', `/${id}`, { form: { id, name: 'Other' } })
        assert.equal(saved.text, JSON.stringify(renamed.json))
        const deleted = await shop.call('DELETE', `/${id}`)
        assert.deepEqual(deleted.json, { request: { params: { id } }, data: { id, name: 'Other' } })
        assert.deepEqual(listOf(await shop.call('GET', '')), [])
        for (const method of ['PUT', 'DELETE'])
          assert.deepEqual(errorOf(await shop.call(method, `/${id}?name=x`)), [
            404,
            'NOT_FOUND product_catalog_id',
          ])
      })

      test('a user has one catalog, on production and on the sandbox each', async () => {
        const shop = await open()
        assert.deepEqual(errorOf(await shop.call('POST', '?name=Second')), [400, 'INVALID_PARAMETER user_id'])
        const there = shop.at(plaza, client, 'adsSandbox')
        assert.deepEqual(listOf(await there.call('GET', '')), [])
        assert.deepEqual(errorOf(await there.own('GET', '/products')), [404, 'NOT_FOUND product_catalog_id'])
        const made = await there.call('POST', '?name=Sandbox')
        assert.equal(made.status, 201)
        assert.notEqual(dataOf(made).id, shop.catalog)
      })

      test('of two calls that make the first catalog, one does', async () => {
        const person = await newPerson(plaza)
        const shop = new Shop({ person, catalog: '', client, plaza })
        const replies = await Promise.all([1, 2, 3, 4].map((n) => shop.call('POST', `?name=Shop${n}`)))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400, 400])
        assert.equal(listOf(await shop.call('GET', '')).length, 1)
      })

      test('users cannot see, change or name the catalogs of other users', async () => {
        const shop = await open()
        const [key = ''] = await shop.stock(product())
        const set = await shop.filtered(['inventory', 'GREATER_THAN', '0'])
        const thief = new Shop({ person: await newPerson(plaza), catalog: shop.catalog, client, plaza })
        assert.deepEqual(errorOf(await thief.call('GET', `?user_id=${shop.person.id}`)), [
          403,
          'USER_NOT_FOUND user_id',
        ])
        assert.deepEqual(errorOf(await thief.call('POST', `?name=x&user_id=${shop.person.id}`)), [
          403,
          'USER_NOT_FOUND user_id',
        ])
        const MISSING = [404, 'NOT_FOUND product_catalog_id']
        const tries: [string, string, unknown?][] = [
          ['PUT', '?name=Mine'],
          ['DELETE', ''],
          ['GET', '/products'],
          ['PUT', '/products', { products: [product('sku-1', { title: 'Stolen' })] }],
          ['DELETE', '/products', { product_keys: [key] }],
          ['GET', '/product_sets'],
          ['GET', `/product_sets/${set.id}`],
          ['POST', '/product_sets', { name: 'x', type: 'MANUAL', product_keys: [key] }],
          ['PUT', `/product_sets/${set.id}`, { name: 'x' }],
          ['DELETE', `/product_sets/${set.id}`],
        ]
        for (const [method, path, json] of tries)
          assert.deepEqual(errorOf(await thief.own(method, path, json)), MISSING, `${method} ${path}`)
        assert.equal((await shop.list())[0]?.title, 'Running shoes')
        assert.equal((await shop.call('GET', `?user_id=${shop.person.id}`)).status, 200)
      })

      test('sets and products of one catalog are not those of another', async () => {
        const [one, other] = [await open(), await open()]
        const [key = ''] = await one.stock(product())
        const set = await one.filtered(['inventory', 'GREATER_THAN', '0'])
        const MISSING = [404, 'NOT_FOUND product_set_id']
        assert.deepEqual(errorOf(await other.own('GET', `/product_sets/${set.id}`)), MISSING)
        assert.deepEqual(errorOf(await other.own('PUT', `/product_sets/${set.id}`, { name: 'x' })), MISSING)
        assert.deepEqual(errorOf(await other.own('DELETE', `/product_sets/${set.id}`)), MISSING)
        const made = await other.own('POST', '/product_sets', {
          name: 'x',
          type: 'MANUAL',
          product_keys: [key],
        })
        assert.deepEqual(errorOf(made), [400, 'INVALID_PARAMETER product_keys'])
        const deleted = dataOf(await other.own('DELETE', '/products', { product_keys: [key] }))
        assert.deepEqual(deleted.delete_products, [
          { product_key: null, failed_product_key: key, message: 'Product not found' },
        ])
        assert.equal((await one.list()).length, 1)
      })

      test('a catalog that is deleted leaves nothing behind, and a new one begins empty', async () => {
        const shop = await open()
        const keys = await shop.stock(...variants(20))
        await shop.own('POST', '/product_sets', { name: 'x', type: 'MANUAL', product_keys: keys })
        await shop.filtered(['price', 'GREATER_THAN', '1 USD'])
        await shop.own('DELETE', '')
        await plaza.tasks.runDue('remove catalog rows')
        const again = await shop.call('POST', '?name=Again')
        assert.equal(again.status, 201)
        const next = new Shop({ person: shop.person, catalog: dataOf(again).id, client, plaza })
        assert.deepEqual(await next.list(), [])
        assert.deepEqual(listOf(await next.own('GET', '/product_sets')), [])
        assert.equal((await next.one(variants(1)[0] as object)).status, 'CREATE_SUCCESS')
      })
    })

    describe('products', () => {
      test('a product is made, left, changed, listed and deleted', async () => {
        const shop = await open()
        const made = await shop.put(product())
        const [first] = (dataOf(made) as unknown as { products_response: Told[] }).products_response
        assert.deepEqual(paramsOf(made), { product_catalog_id: shop.catalog })
        assert.match(String(first?.product_key), /^[0-9]{1,19}$/)
        assert.deepEqual(first, {
          warnings: [],
          errors: [],
          product_key: first?.product_key,
          id: 'sku-1',
          status: 'CREATE_SUCCESS',
        })
        assert.deepEqual(await shop.one(product()), { ...first, status: 'NO_CHANGE' })
        const changed = product('sku-1', { size: 'M', inventory: 3, product_key: first?.product_key })
        assert.deepEqual(await shop.one(changed), { ...first, status: 'UPDATE_SUCCESS' })
        assert.deepEqual(
          await shop.one(product()),
          { ...first, status: 'NO_CHANGE' },
          'what is not sent stays',
        )
        const listed = await shop.own('GET', '/products')
        const nothing = Object.fromEntries(Object.keys(PRODUCT_FIELDS).map((name) => [name, null]))
        assert.deepEqual(listed.json, {
          request: { params: { product_catalog_id: shop.catalog } },
          next_cursor: null,
          data: [{ ...nothing, ...changed }],
        })
        assert.equal(
          (await shop.one(product('sku-1', { size: null, inventory: '' }))).status,
          'UPDATE_SUCCESS',
        )
        const [bare] = await shop.list()
        assert.deepEqual(
          [bare?.size, bare?.inventory],
          [null, null],
          'nothing and an empty text take it away',
        )
        const product_keys = [first?.product_key, '1', first?.product_key]
        const deleted = await shop.own('DELETE', '/products', { product_keys })
        assert.deepEqual(paramsOf(deleted), { product_catalog_id: shop.catalog, product_keys })
        const failed = (key: unknown) => ({
          product_key: null,
          failed_product_key: key,
          message: 'Product not found',
        })
        assert.deepEqual(dataOf(deleted).delete_products, [
          { product_key: first?.product_key, failed_product_key: null, message: null },
          failed('1'),
          failed(first?.product_key),
        ])
        assert.deepEqual(await shop.list(), [])
      })

      for (const [name, { good, bad }] of Object.entries(RULES)) {
        test(`${name} is taken by its rule and rejected by it`, async () => {
          const shop = await open()
          for (const [index, value] of good.entries()) {
            const told = await shop.one(product(`good-${index}`, { [name]: value }))
            assert.deepEqual(
              [told.errors, told.status],
              [[], 'CREATE_SUCCESS'],
              JSON.stringify(value)?.slice(0, 80),
            )
            if (name === 'product_key') continue
            const shown = (await shop.list()).at(-1)?.[name]
            assert.deepEqual(shown, value === '' ? null : (value ?? (name === 'id' ? `good-${index}` : null)))
          }
          const before = await shop.list()
          for (const [index, [value, sentence]] of bad.entries()) {
            const told = await shop.one(product(`bad-${index}`, { [name]: value }))
            const what = `${JSON.stringify(value)?.slice(0, 80)}: ${told.errors.join('; ')}`
            assert.deepEqual([told.status, told.product_key], ['ERROR', null], what)
            assert.ok(
              told.errors.some((one) => sentence.test(one)),
              what,
            )
          }
          assert.deepEqual(await shop.list(), before, 'nothing was stored')
        })
      }

      test('products that were read are sent back whole, and nothing changes', async () => {
        const shop = await open()
        const submitted = Object.entries(RULES).flatMap(([name, { good }]) =>
          good.map((value, index) => product(`${name}-${index}`, { [name]: value })),
        )
        submitted.push(product('group-2', { item_group_id: 'a group', sale_price: '50.00 USD', size: 'M' }))
        for (let i = 0; i < submitted.length; i += 20) await shop.stock(...submitted.slice(i, i + 20))
        const read = await shop.list()
        assert.ok(read.length > 70, `${read.length} products`)
        for (let i = 0; i < read.length; i += 20)
          for (const told of await shop.told(...read.slice(i, i + 20)))
            assert.deepEqual([told.status, ...told.errors], ['NO_CHANGE'], String(told.id).slice(0, 80))
        assert.deepEqual(await shop.list(), read)
      })

      test('brand, gtin and mpn: one of them is needed, whichever', async () => {
        const shop = await open()
        const without = { brand: undefined }
        assert.deepEqual((await shop.one(product('a', without))).errors, [
          'brand is required when gtin and mpn are absent',
        ])
        for (const one of [{ gtin: '4006381333931' }, { mpn: '1' }, { brand: 'Acme' }])
          assert.equal(
            (await shop.one(product(JSON.stringify(one), { ...without, ...one }))).status,
            'CREATE_SUCCESS',
          )
        const told = await shop.one(product('{"brand":"Acme"}', { brand: null }))
        assert.equal(told.status, 'ERROR')
        assert.match(String(told.product_key), /^\d+$/, 'a known product is named with its key')
      })

      test('rules about several fields include stored values', async () => {
        const shop = await open()
        await shop.stock(
          product('a', { availability: 'out of stock', inventory: 0, sale_price: '50.00 USD' }),
        )
        assert.deepEqual((await shop.one(product('a'))).errors, [
          'inventory must be at least 1 when availability is "in stock"',
        ])
        assert.deepEqual((await shop.one(product('a', { inventory: 1, price: '40.00 USD' }))).errors, [
          'sale_price must be lower than price',
        ])
        assert.deepEqual((await shop.one(product('a', { inventory: 1, price: '60.00 EUR' }))).errors, [
          'sale_price must be in the currency of price, EUR',
        ])
        assert.equal((await shop.one(product('a', { inventory: 1 }))).status, 'UPDATE_SUCCESS')
      })

      test('a change needs the required fields, and the right key when one is sent', async () => {
        const shop = await open()
        const [key] = await shop.stock(product('a'))
        const partial = await shop.one({ id: 'a', title: 'Other' })
        assert.deepEqual([partial.status, partial.errors.length, partial.product_key], ['ERROR', 6, key])
        const wrong = await shop.one(product('a', { product_key: '1', title: 'Other' }))
        assert.deepEqual([wrong.status, wrong.errors], ['ERROR', [`product_key of this id is ${key}`]])
        assert.equal((await shop.list())[0]?.title, 'Running shoes')
      })

      test('an id that occurs several times is an error each time, and the others are kept', async () => {
        const shop = await open()
        const told = await shop.told(product('a'), product('b'), product('a', { title: 'Other' }))
        assert.deepEqual(
          told.map(({ id, status }) => [id, status]),
          [
            ['a', 'ERROR'],
            ['b', 'CREATE_SUCCESS'],
            ['a', 'ERROR'],
          ],
        )
        assert.match(told[0]?.errors[0] ?? '', /occurs several times/)
        assert.deepEqual(
          (await shop.list()).map(({ id }) => id),
          ['b'],
        )
      })

      test('a value that is probably unintended is a warning', async () => {
        const shop = await open()
        const told = await shop.one(
          product('a', {
            colour: 'blue',
            description: 'Tom &amp; Jerry',
            image_link: 'https://a.example/1.svg?x',
            sale_price_effective_date: '2022-10-04T17:20Z/2022-10-10T04:00Z',
          }),
        )
        assert.equal(told.status, 'CREATE_SUCCESS')
        assert.deepEqual(told.warnings, [
          'description has HTML entities, which are shown as they are',
          'image_link should be JPG, GIF, WEBP or PNG, not SVG',
          'colour is no field of a product and was ignored',
          'sale_price_effective_date has no effect without sale_price',
        ])
      })

      test('a number of the trade with another check digit is kept and warned of', async () => {
        const shop = await open()
        // The sample of the reference.
        const sample = {
          id: 'test-12345',
          title: 'Test Product 1',
          description: 'Added through the upsert endpoint',
          availability: 'in stock',
          condition: 'new',
          link: 'https://shop.example.com/p/2',
          image_link: 'https://shop.example.com/p/2.jpg',
          brand: 'Acme',
          gtin: '1432563728',
          mpn: '3268793T',
          mobile_link: 'https://m.example.com/p/2',
          google_product_category: 'Apparel & Accessories > Clothing > Dresses',
          product_type: 'Apparel & Accessories > Clothing > Dresses',
          inventory: 2,
          price: '60.00 USD',
          gender: 'female',
          color: 'blue',
          size: 'medium',
          sale_price: '50.00 USD',
          sale_price_effective_date: '2022-10-04T17:20:31.000Z/2022-10-10T04:00:00.000Z',
          age_group: 'adult',
          custom_label_0: 'custom value',
        }
        const warnings = ['gtin should end with the check digit of its other digits']
        const told = await shop.one(sample)
        assert.deepEqual([told.status, told.errors, told.warnings], ['CREATE_SUCCESS', [], warnings])
        assert.equal((await shop.list())[0]?.gtin, '1432563728')
        const right = await shop.one({ ...sample, gtin: '0306406152' })
        assert.deepEqual([right.status, right.warnings], ['UPDATE_SUCCESS', []])
        const short = await shop.one({ ...sample, gtin: '143256372' })
        assert.equal(short.status, 'ERROR')
        assert.match(short.errors.join(), /gtin must be a UPC, EAN, JAN or ISBN/)
      })

      test('a request as a whole is rejected with the parameter named', async () => {
        const shop = await open()
        const bodies: [unknown, string][] = [
          [{}, 'MISSING_PARAMETER products'],
          [{ products: [] }, 'INVALID_PARAMETER products'],
          [
            { products: Array.from({ length: 26 }, (_, n) => product(`p${n}`)) },
            'INVALID_PARAMETER products',
          ],
          [{ products: 'x' }, 'INVALID_PARAMETER products'],
          [{ products: null }, 'INVALID_PARAMETER products'],
          [[], 'INVALID_PARAMETER body'],
        ]
        for (const [json, error] of bodies)
          assert.deepEqual(errorOf(await shop.own('PUT', '/products', json)), [400, error])
        for (const [json, error] of [
          [{}, 'MISSING_PARAMETER product_keys'],
          [{ product_keys: [] }, 'INVALID_PARAMETER product_keys'],
          [{ product_keys: [1] }, 'INVALID_PARAMETER product_keys[0]'],
          [{ product_keys: Array(1001).fill('1') }, 'INVALID_PARAMETER product_keys'],
        ] as const)
          assert.deepEqual(errorOf(await shop.own('DELETE', '/products', json)), [400, error])
        assert.equal((await shop.told(...variants(25))).length, 25)
        for (const wrong of [null, 7, 'x', [], [[]]]) {
          const [told] = await shop.told(wrong as object)
          assert.deepEqual(
            [told?.status, told?.id, told?.errors],
            ['ERROR', null, ['a product must be an object']],
          )
        }
      })

      test('strange members of a product neither break anything nor are kept', async () => {
        const shop = await open()
        const strange = JSON.parse(
          `{"__proto__":{"x":1},"constructor":1,"toString":"x","hasOwnProperty":null,${JSON.stringify(product('a')).slice(1)}`,
        )
        const told = await shop.one(strange)
        assert.equal(told.status, 'CREATE_SUCCESS')
        assert.equal(told.warnings.length, 4)
        const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, n]))
        assert.ok((await shop.one({ ...many, ...product('b') })).warnings.length <= 20)
        const huge = await shop.one(product('c', { title: 'x'.repeat(1_000_000) }))
        assert.equal(huge.status, 'ERROR')
      })

      test('pages go through the catalog once, whatever is added meanwhile', async () => {
        const shop = await open()
        for (let n = 0; n < 5; n++) await shop.stock(...variants(25, n * 25))
        assert.equal((await shop.list()).length, 100, 'a page has 100 unless asked')
        const seen: unknown[] = []
        let cursor = ''
        do {
          const reply = await shop.own('GET', `/products?count=40${cursor && `&cursor=${cursor}`}`)
          seen.push(...listOf(reply).map(({ id }) => id))
          if (cursor === '') await shop.stock(product('late'))
          cursor = cursorOf(reply) ?? ''
        } while (cursor !== '')
        assert.deepEqual(seen, [...variants(125).map(({ id }) => id), 'late'])
        for (const count of ['0', '101'])
          assert.deepEqual(errorOf(await shop.own('GET', `/products?count=${count}`)), [
            400,
            'INVALID_PARAMETER count',
          ])
        const other = await open()
        await other.stock(...variants(2))
        const foreign = cursorOf(await other.own('GET', '/products?count=1'))
        assert.deepEqual(errorOf(await shop.own('GET', `/products?cursor=${foreign}`)), [
          400,
          'INVALID_PARAMETER cursor',
        ])
      })

      test('of a group only the variant submitted first is listed, unless the group is asked for', async () => {
        const shop = await open()
        const variant = (id: string, size: string) => product(id, { item_group_id: 'shoes', size })
        const [first, second, , other] = await shop.stock(
          variant('a', 'S'),
          variant('b', 'M'),
          product('alone'),
          product('c', { item_group_id: 'hats' }),
        )
        const listed = await shop.list()
        assert.deepEqual(
          listed.map(({ id }) => id),
          ['a', 'alone', 'c'],
        )
        const key = String(listed[0]?.item_group_key)
        assert.match(key, /^\d+$/)
        assert.notEqual(key, listed[2]?.item_group_key)
        const group = async () => (await shop.list(`?item_group_key=${key}`)).map(({ id }) => id)
        assert.deepEqual(await group(), ['a', 'b'])
        assert.deepEqual(await shop.list('?item_group_key=nosuch'), [])
        // The key of the group may be sent, as it was given.
        assert.equal((await shop.one({ ...variant('b', 'L'), item_group_key: key })).status, 'UPDATE_SUCCESS')

        // One that was submitted earlier comes into the group: it is the first now.
        await shop.stock(product('alone', { item_group_id: 'hats' }))
        assert.deepEqual(
          (await shop.list()).map(({ id }) => id),
          ['a', 'alone'],
        )
        // The first of a group goes: the next takes its place.
        await shop.own('DELETE', '/products', { product_keys: [first] })
        assert.deepEqual(
          (await shop.list()).map(({ id }) => id),
          ['b', 'alone'],
        )
        await shop.stock(product('b', { item_group_id: null }))
        await shop.stock(product('alone', { item_group_id: null }))
        assert.deepEqual(
          (await shop.list()).map(({ id }) => id),
          ['b', 'alone', 'c'],
        )
        assert.deepEqual(await group(), [])
        await shop.own('DELETE', '/products', { product_keys: [second, other] })
        assert.equal((await shop.one(variant('d', 'S'))).status, 'CREATE_SUCCESS')
        assert.deepEqual(await group(), ['d'], 'a group keeps its key')
      })

      test('groups without variants leave no rows', async () => {
        const shop = await open()
        const stocked = await shop.stock(
          product('a', { item_group_id: 'shoes' }),
          product('b', { item_group_id: 'hats' }),
        )
        const [first] = await shop.list()
        await shop.stock(product('b', { item_group_id: 'gloves' }))
        const moved = await shop.one({
          ...product('b', { item_group_id: 'gloves' }),
          item_group_key: first?.item_group_key,
        })
        assert.deepEqual(moved.errors, ["item_group_key is not that of the product's group"])
        await shop.own('DELETE', '/products', { product_keys: stocked })
        const ofCatalogs = fixedTables.filter(({ columns }) => 'catalog_id' in columns)
        assert.ok(ofCatalogs.length > 2)
        for (const { name } of ofCatalogs) {
          const rows = adHocQuery<{ catalog: string }>(`test_rows_of_${name}`, (db, at) =>
            db
              .selectFrom(name as 'products')
              .select('catalog_id')
              .where('catalog_id', '=', at.catalog),
          )
          assert.deepEqual(await opened.plaza.context.store.all(rows, { catalog: shop.catalog }), [], name)
        }
      })

      test('of writers of one product at the same time, one makes it and each leaves it whole', async () => {
        const shop = await open()
        const writers = Array.from({ length: 12 }, (_, n) =>
          shop.told(product('same', { title: `Title ${n}`, color: `Color ${n}` }), product(`own-${n}`)),
        )
        const told = await Promise.all(writers)
        assert.equal(told.filter(([one]) => one?.status === 'CREATE_SUCCESS').length, 1)
        assert.equal(new Set(told.map(([one]) => one?.product_key)).size, 1)
        const listed = await shop.list()
        assert.equal(listed.length, 13)
        const [same] = listed.filter(({ id }) => id === 'same')
        assert.equal(String(same?.title).slice(6), String(same?.color).slice(6))
      })
    })

    describe('sets', () => {
      test('a manual set is made, listed, changed and deleted', async () => {
        const shop = await open()
        const [a, b, c] = await shop.stock(product('sku-a'), product('sku-b'), product('sku-c'))
        const body = { name: 'manual set', type: 'MANUAL', product_keys: [b, a, b] }
        const made = await shop.own('POST', '/product_sets', body)
        assert.equal(made.status, 201, made.text)
        assert.deepEqual(paramsOf(made), { product_catalog_id: shop.catalog, ...body })
        const { id } = dataOf(made)
        const set = {
          id,
          name: 'manual set',
          description: null,
          type: 'MANUAL',
          filters: [],
          product_ids: ['sku-a', 'sku-b'],
          processing_status: 'DONE',
        }
        assert.deepEqual(dataOf(made), set)
        const got = await shop.own('GET', `/product_sets/${id}`)
        assert.deepEqual(got.json, {
          request: { params: { product_catalog_id: shop.catalog, id } },
          data: set,
        })
        const change = { name: 'other', description: 'two of them', product_keys: [c, a] }
        const changed = await shop.own('PUT', `/product_sets/${id}`, change)
        assert.deepEqual(paramsOf(changed), { product_catalog_id: shop.catalog, id, ...change })
        const after = { ...set, name: 'other', description: 'two of them', product_ids: ['sku-a', 'sku-c'] }
        assert.deepEqual(dataOf(changed), after)
        for (const none of [null, '']) {
          await shop.own('PUT', `/product_sets/${id}`, { description: 'some' })
          const cleared = await shop.own('PUT', `/product_sets/${id}`, { description: none })
          assert.equal(dataOf(cleared).description, null)
        }
        await shop.own('DELETE', '/products', { product_keys: [c] })
        assert.deepEqual(listOf(await shop.own('GET', '/product_sets')), [
          { ...after, description: null, product_ids: ['sku-a'] },
        ])
        const deleted = await shop.own('DELETE', `/product_sets/${id}`)
        assert.deepEqual(paramsOf(deleted), { product_catalog_id: shop.catalog, id })
        assert.deepEqual(dataOf(deleted), { ...after, description: null, product_ids: [] })
        assert.deepEqual(errorOf(await shop.own('GET', `/product_sets/${id}`)), [
          404,
          'NOT_FOUND product_set_id',
        ])
        assert.deepEqual(errorOf(await shop.own('DELETE', `/product_sets/${id}`)), [
          404,
          'NOT_FOUND product_set_id',
        ])
        assert.equal((await shop.list()).length, 2, 'its products stay')
      })

      test('invalid contents of a set are rejected, and the parameter is named', async () => {
        const shop = await open()
        const [key] = await shop.stock(product())
        const filter = { attribute: 'price', operator: 'LESS_THAN', value: '1 USD' }
        const set = { name: 'x', type: 'FILTERED', filters: [filter] }
        const wrong = (change: object) => ({ ...set, filters: [{ ...filter, ...change }] })
        const tries: [object, string][] = [
          [{ type: 'MANUAL', product_keys: [key] }, 'MISSING_PARAMETER name'],
          [{ ...set, name: '' }, 'INVALID_PARAMETER name'],
          [{ ...set, name: 'x'.repeat(256) }, 'INVALID_PARAMETER name'],
          [{ ...set, type: 'OTHER' }, 'INVALID_PARAMETER type'],
          [{ name: 'x', filters: [filter] }, 'MISSING_PARAMETER type'],
          [{ name: 'x', type: 'FILTERED' }, 'MISSING_PARAMETER filters'],
          [{ name: 'x', type: 'FILTERED', product_keys: [key] }, 'MISSING_PARAMETER filters'],
          [{ name: 'x', type: 'MANUAL', product_keys: [] }, 'MISSING_PARAMETER product_keys'],
          [{ name: 'x', type: 'MANUAL', product_keys: ['1'] }, 'INVALID_PARAMETER product_keys'],
          [
            { name: 'x', type: 'MANUAL', product_keys: Array(51).fill(key) },
            'INVALID_PARAMETER product_keys',
          ],
          [{ ...set, product_keys: [key] }, 'EXCLUSIVE_PARAMETERS product_keys'],
          [{ ...set, filters: Array(31).fill(filter) }, 'INVALID_PARAMETER filters'],
          [{ ...set, filters: 'x' }, 'INVALID_PARAMETER filters'],
          [{ ...set, filters: [null] }, 'INVALID_PARAMETER filters[0]'],
          [wrong({ attribute: 'custom_field_5' }), 'INVALID_PARAMETER filters[0].attribute'],
          [wrong({ operator: 'LIKE' }), 'INVALID_PARAMETER filters[0].operator'],
          [wrong({ value: undefined }), 'MISSING_PARAMETER filters[0].value'],
          [wrong({ value: null }), 'INVALID_PARAMETER filters'],
          [wrong({ value: {} }), 'INVALID_PARAMETER filters'],
          [wrong({ value: '' }), 'INVALID_PARAMETER filters'],
          [wrong({ value: '1' }), 'INVALID_PARAMETER filters'],
          [wrong({ value: '1 ZZZ' }), 'INVALID_PARAMETER filters'],
          [wrong({ attribute: 'inventory', value: 'many' }), 'INVALID_PARAMETER filters'],
          [wrong({ attribute: 'inventory', value: -1 }), 'INVALID_PARAMETER filters'],
          [wrong({ operator: 'CONTAINS' }), 'INVALID_PARAMETER filters'],
          [wrong({ attribute: 'product_type', value: 'x' }), 'INVALID_PARAMETER filters'],
          [
            wrong({ attribute: 'product_type', operator: 'CONTAINS', value: 'x'.repeat(256) }),
            'INVALID_PARAMETER filters',
          ],
        ]
        for (const [json, error] of tries)
          assert.deepEqual(
            errorOf(await shop.own('POST', '/product_sets', json)),
            [400, error],
            JSON.stringify(json).slice(0, 200),
          )
        assert.deepEqual(listOf(await shop.own('GET', '/product_sets')), [])
        const { id } = await shop.filtered(['price', 'LESS_THAN', '1 USD'])
        assert.deepEqual(errorOf(await shop.own('PUT', `/product_sets/${id}`, { name: 'y' })), [
          400,
          'INVALID of type',
        ])
        const manual = dataOf(
          await shop.own('POST', '/product_sets', { name: 'x', type: 'MANUAL', product_keys: [key] }),
        )
        for (const [json, error] of [
          [{ filters: [filter] }, 'INVALID_PARAMETER filters'],
          [{ type: 'FILTERED' }, 'INVALID_PARAMETER type'],
          [{ product_keys: [] }, 'INVALID_PARAMETER product_keys'],
          [{ product_keys: ['1'] }, 'INVALID_PARAMETER product_keys'],
        ] as const)
          assert.deepEqual(errorOf(await shop.own('PUT', `/product_sets/${manual.id}`, json)), [400, error])
        assert.deepEqual(dataOf(await shop.own('PUT', `/product_sets/${manual.id}`, {})), manual)
      })

      test('filters find products by money, numbers and text, all of them together', async () => {
        const shop = await open()
        await shop.stock(
          product('cheap', { price: '9.90 USD', custom_label_0: 'Summer SALE', inventory: 3 }),
          product('dear', { price: '100.00 USD', sale_price: '50.00 USD', product_type: 'Home > Shoes' }),
          product('yen', { price: '100 JPY', sale_price: '50 JPY', inventory: 30 }),
          product('dinar', {
            price: '100.000 KWD',
            google_product_category: '187',
            custom_label_4: 'Straße',
          }),
        )
        const found = async (...filters: [string, string, unknown][]) => {
          const { id } = await shop.filtered(...filters)
          const set = await shop.processed(id)
          assert.equal(set.processing_status, 'DONE')
          return set.product_ids
        }
        const tries: [[string, string, unknown][], string[]][] = [
          [[['price', 'GREATER_THAN', '9.9 USD']], ['dear']],
          [[['price', 'LESS_THAN', '100.00 USD']], ['cheap']],
          [[['price', 'EQUAL_TO', '100 USD']], ['dear']],
          [[['price', 'MATCH', '100 USD']], ['dear']],
          [[['price', 'EQUAL_TO', '100 JPY']], ['yen']],
          [[['price', 'LESS_THAN', '1000 EUR']], []],
          [[['price', 'GREATER_THAN', '99.999 KWD']], ['dinar']],
          [[['sale_price', 'LESS_THAN', '60 USD']], ['dear']],
          [[['sale_price', 'GREATER_THAN', '0 JPY']], ['yen']],
          [[['inventory', 'GREATER_THAN', '3']], ['yen']],
          [[['inventory', 'LESS_THAN', 30]], ['cheap']],
          [[['inventory', 'EQUAL_TO', '30']], ['yen']],
          [[['product_type', 'MATCH', 'home > shoes']], ['dear']],
          [[['product_type', 'EQUAL_TO', 'HOME > SHOES']], ['dear']],
          [[['product_type', 'MATCH', 'home']], []],
          [[['product_type', 'CONTAINS', 'SHOE']], ['dear']],
          [[['google_product_category', 'MATCH', '187']], ['dinar']],
          [[['custom_label_0', 'CONTAINS', 'sale']], ['cheap']],
          [[['custom_label_0', 'CONTAINS', '%']], []],
          [[['custom_label_0', 'NOT_CONTAINS', 'Sale']], ['dear', 'yen', 'dinar']],
          [[['custom_label_4', 'CONTAINS', 'STRAß']], ['dinar']],
          [
            [
              ['price', 'GREATER_THAN', '1 USD'],
              ['sale_price', 'GREATER_THAN', '1 USD'],
            ],
            ['dear'],
          ],
          [
            [
              ['price', 'GREATER_THAN', '1 USD'],
              ['price', 'LESS_THAN', '50 USD'],
            ],
            ['cheap'],
          ],
        ]
        for (const [filters, ids] of tries)
          assert.deepEqual(await found(...filters), ids, JSON.stringify(filters))
        assert.deepEqual(await found(...Array(30).fill(tries[0]?.[0][0])), ['dear'])
      })

      test('a set of filters echoes what was sent, and follows when products change', async () => {
        const shop = await open()
        await shop.stock(product('a', { inventory: 5 }), product('b'))
        const filters = [{ attribute: 'inventory', operator: 'GREATER_THAN', value: '4' }]
        const body = { name: 'Many', description: 'Plenty left', type: 'FILTERED', filters }
        const made = await shop.own('POST', '/product_sets', body)
        assert.deepEqual(paramsOf(made), { product_catalog_id: shop.catalog, ...body })
        const set = dataOf(made)
        assert.deepEqual(set, { ...body, id: set.id, product_ids: ['a'], processing_status: 'DONE' })

        await shop.stock(
          product('b', { inventory: 9 }),
          product('c', { inventory: 4 }),
          product('d', { inventory: 40 }),
        )
        assert.deepEqual((await shop.processed(set.id)).product_ids, ['a', 'b', 'd'])
        const [key] = await shop.stock(product('a', { inventory: 1 }))
        assert.deepEqual((await shop.processed(set.id)).product_ids, ['b', 'd'])
        await shop.stock(product('a', { inventory: 10 }))
        assert.deepEqual((await shop.processed(set.id)).product_ids, ['a', 'b', 'd'])
        await shop.own('DELETE', '/products', { product_keys: [key] })
        assert.deepEqual(dataOf(await shop.own('GET', `/product_sets/${set.id}`)).product_ids, ['b', 'd'])
      })

      test('a set over more products than one step covers is `PROCESSING` until it is done', async () => {
        const shop = await open()
        await many(plaza, shop.catalog, 2_500)
        const set = await shop.filtered(['custom_label_1', 'MATCH', 'even'])
        assert.equal(set.processing_status, 'PROCESSING')
        const done = await shop.processed(set.id)
        assert.equal(done.processing_status, 'DONE')
        assert.equal((done.product_ids as string[]).length, 1_250)
      })

      test('a set that searches for much text takes short steps, the first one too', async () => {
        const shop = await open()
        await many(plaza, shop.catalog, 250)
        const searches = Array.from({ length: 30 }, (_, n): [string, string, string] => [
          'custom_label_1',
          'NOT_CONTAINS',
          `${'x'.repeat(250)}${n}`,
        ])
        const set = await shop.filtered(...searches.slice(1), ['custom_label_1', 'CONTAINS', 'even'])
        assert.equal(set.processing_status, 'PROCESSING')
        assert.ok((set.product_ids as string[]).length <= 5)
        const done = await shop.processed(set.id)
        assert.equal(done.processing_status, 'DONE')
        assert.equal((done.product_ids as string[]).length, 125)
      })

      test('a change while a set is processed is neither missed nor applied twice', async () => {
        const shop = await open()
        await many(plaza, shop.catalog, 3_000)
        const { id } = await shop.filtered(['custom_label_1', 'MATCH', 'even'])
        const changes = Array.from({ length: 20 }, (_, n) =>
          shop.told(
            product(`many-${n * 100}`, { custom_label_1: 'odd' }),
            product(`many-${n * 100 + 1}`, { custom_label_1: 'even' }),
            product(`new-${n}`, { custom_label_1: 'even' }),
          ),
        )
        await Promise.all([...changes, plaza.tasks.runDue('process product set')])
        const { product_ids: ids } = (await shop.processed(id)) as { product_ids: string[] }
        assert.equal(ids.length, 1_520)
        assert.equal(new Set(ids).size, ids.length)
        assert.ok(ids.includes('many-101') && ids.includes('new-19') && !ids.includes('many-100'))
      })

      test('pages of sets end early where sets are large, and still show all', async () => {
        const shop = await open()
        await many(plaza, shop.catalog, 6_000)
        for (let n = 0; n < 3; n++)
          await shop.processed((await shop.filtered(['custom_label_1', 'NOT_CONTAINS', 'none'])).id)
        const first = await shop.own('GET', '/product_sets')
        assert.equal(listOf(first).length, 1)
        const second = await shop.own('GET', `/product_sets?cursor=${cursorOf(first)}`)
        const third = await shop.own('GET', `/product_sets?cursor=${cursorOf(second)}`)
        assert.deepEqual([listOf(second).length, listOf(third).length, cursorOf(third)], [1, 1, null])
        assert.equal(new Set([first, second, third].map((reply) => listOf(reply)[0]?.id)).size, 3)
        // Long lists of products are sent while they are read.
        const alone = await shop.own('GET', `/product_sets/${listOf(first)[0]?.id}`)
        assert.deepEqual(dataOf(alone), listOf(first)[0])
        assert.deepEqual(
          [alone.headers['content-type'], alone.headers['transfer-encoding']],
          ['application/json; charset=utf-8', 'chunked'],
        )
        const expected = Array.from({ length: 6_000 }, (_, n) => `many-${n}`)
        assert.deepEqual([...(dataOf(alone).product_ids as string[])].sort(), expected.sort())
        assert.equal(paramsOf(alone).id, dataOf(alone).id)
      })

      test('a set that is deleted while it is processed is gone', async () => {
        const shop = await open()
        await many(plaza, shop.catalog, 2_500)
        const { id } = await shop.filtered(['custom_label_1', 'MATCH', 'even'])
        const [deleted] = await Promise.all([
          shop.own('DELETE', `/product_sets/${id}`),
          plaza.tasks.runDue('process product set'),
        ])
        assert.equal(deleted.status, 200)
        await plaza.tasks.runDue('process product set')
        await plaza.tasks.runDue('remove catalog rows')
        assert.deepEqual(listOf(await shop.own('GET', '/product_sets')), [])
      })
    })
  })
}
