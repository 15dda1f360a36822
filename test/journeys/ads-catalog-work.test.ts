import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setById } from '../../src/api/ads/catalogs/queries.ts'
import { processSet } from '../../src/api/ads/catalogs/tasks.ts'
import { endpoints } from '../../src/app/endpoints.ts'
import { query } from '../../src/app/tables.ts'
import type { Config } from '../../src/platform/config/config.ts'
import {
  createOutbound,
  type Exchange,
  type Outbound,
  type OutboundRequest,
  type Outcome,
} from '../../src/platform/outbound/outbound.ts'
import { dataOf, errorOf, newPerson } from '../support/ads-desk.ts'
import { product } from '../support/catalogs.ts'
import { Client } from '../support/client.ts'
import { gif, png } from '../support/media.ts'
import { startPlaza } from '../support/plaza.ts'
import { many, Shop } from '../support/shop.ts'
import { type Opened, stages } from '../support/stages.ts'

const catalogEndpoints = endpoints.filter(({ path }) => path.startsWith('/12/product_catalogs'))

// What is done about catalogs when no one waits for it, and who may use them.

const MINUTE_MS = 60_000

/** The internet, as far as products have images there. */
class Internet implements Outbound {
  readonly pages = new Map<string, Outcome>()
  readonly asked: string[] = []
  /** Hosts that were asked for something else while they had not answered yet. */
  readonly pressed = new Set<string>()
  readonly #busy = new Set<string>()
  readonly #real = createOutbound({
    allow: [],
    timeoutMs: 1_000,
    maxBytes: 1,
    maxConcurrent: 1,
    userAgent: 'test',
  })

  checkTarget = (url: string) => this.#real.checkTarget(url)
  line = (url: string, owner: string) => this.#real.line(url, owner)
  close = () => this.#real.close()

  async send(request: OutboundRequest): Promise<Exchange> {
    this.asked.push(request.url)
    const { host } = new URL(request.url)
    if (this.#busy.has(host)) this.pressed.add(host)
    this.#busy.add(host)
    await setImmediate()
    this.#busy.delete(host)
    const page = this.pages.get(request.url)
    if (!page) return this.#real.send(request)
    const { maxBytes = 0 } = request
    const outcome: Outcome =
      page.kind === 'answered' && page.body.length > maxBytes
        ? { kind: 'too-large', limitBytes: maxBytes }
        : page
    return { outcome, sent: true, internal: false }
  }

  /** Puts something at an address of the shop. */
  put(name: string, body: Buffer | string, status = 200, headers: Record<string, string> = {}): string {
    const url = `https://images.example.com/${name}`
    this.pages.set(url, { kind: 'answered', status, headers, body: Buffer.from(body) })
    return url
  }
}

for (const stage of stages) {
  describe(`the work on product catalogs on ${stage.name}`, { skip: stage.skip }, () => {
    const opened: Opened[] = []
    const clients: Client[] = []
    async function open(config: Partial<Config> = {}, outbound?: Outbound) {
      const one = await stage.open({ rateLimits: 'off', ...config }, outbound ? { outbound } : {})
      opened.push(one)
      const client = new Client(one.plaza)
      clients.push(client)
      return { ...one, client, shop: await Shop.open(one.plaza, client) }
    }
    after(async () => {
      await Promise.all(clients.map((one) => one.close()))
      await Promise.all(opened.map((one) => one.close()))
    })

    test('no image is fetched unless the operator asks for it', async () => {
      const internet = new Internet()
      const { shop, plaza } = await open({}, internet)
      await shop.stock(product())
      assert.equal(await plaza.tasks.runDue(), 0)
      assert.deepEqual(internet.asked, [])
    })

    describe('images', () => {
      let internet: Internet
      let at: Awaited<ReturnType<typeof open>>
      before(async () => {
        internet = new Internet()
        at = await open({ fetchImages: true }, internet)
      })
      const checked = () => at.plaza.tasks.runDue('check product image')

      /** What is told about a product once its images were looked at. */
      async function warnings(id: string, image_link: string, more: object = {}): Promise<string[]> {
        const submitted = product(id, { image_link, ...more })
        assert.deepEqual((await at.shop.one(submitted)).warnings, [], 'nothing is known yet')
        await checked()
        const told = await at.shop.one(submitted)
        assert.equal(told.status, 'NO_CHANGE')
        return told.warnings
      }

      test('images that are large enough and of a known format say nothing', async () => {
        for (const [name, body] of [
          ['good.png', png(500, 500)],
          ['good.gif', gif(600, 500)],
        ] as const)
          assert.deepEqual(await warnings(name, internet.put(name, body)), [])
        internet.put('moved', '', 302, { location: '/good.png' })
        assert.deepEqual(await warnings('moved', 'https://images.example.com/moved'), [])
      })

      test('a problem with an image is reported at the next upsert', async () => {
        const large = Buffer.concat([png(600, 600), Buffer.alloc(5 * 1024 * 1024)])
        const tries: [string, string, RegExp][] = [
          [
            'narrow',
            internet.put('narrow', png(499, 600)),
            /^image_link has 499 x 600 pixels and needs at least 500 x 500: https/,
          ],
          ['low', internet.put('low', png(600, 499)), /has 600 x 499 pixels/],
          ['page', internet.put('page', '<html>'), /is no JPG, GIF, WEBP or PNG/],
          ['cut', internet.put('cut', png(600, 600).subarray(0, 100)), /is no JPG, GIF, WEBP or PNG/],
          ['large', internet.put('large', large), /is larger than 5 MB/],
          ['gone', internet.put('gone', '', 404), /returned status 404/],
          ['circle', internet.put('circle', '', 301, { location: '/circle' }), /redirects more than 3 times/],
          ['inside', 'https://10.0.0.1/1.png', /cannot be fetched: /],
          [
            'sideways',
            internet.put('sideways', '', 302, { location: 'https://127.0.0.1/1.png' }),
            /cannot be fetched: /,
          ],
        ]
        for (const [id, url, sentence] of tries) {
          const told = await warnings(id, url)
          assert.equal(told.length, 1, id)
          assert.match(told[0] ?? '', sentence)
        }
      })

      test('the longest addresses are kept and looked at in any script', async () => {
        // Of many different characters, so that no store keeps them in less space.
        const name = Array.from({ length: 673 }, (_, n) =>
          String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
        )
        const url = internet.put(name.join(''), png(10, 10))
        assert.equal(Buffer.byteLength(url), 2046)
        assert.match((await warnings('longest', url))[0] ?? '', /has 10 x 10 pixels/)
        const [told] = await at.shop.told(product('longer', { image_link: `${url}\u9a6c` }))
        assert.deepEqual(told?.errors, ['image_link must be at most 2048 bytes in UTF-8'])
      })

      test('more images are looked at too', async () => {
        const more = [internet.put('a', png(600, 600)), internet.put('b', png(10, 10))].join(', ')
        assert.deepEqual(
          await warnings('more', internet.put('c', png(600, 600)), { additional_image_link: more }),
          [
            'additional_image_link has 10 x 10 pixels and needs at least 500 x 500: https://images.example.com/b',
          ],
        )
      })

      test('a fixed image is no longer reported, and another image is checked by itself', async () => {
        const url = internet.put('mended', png(100, 100))
        assert.equal((await warnings('mended', url)).length, 1)
        internet.put('mended', png(700, 700))
        // That it was wrong is still told by the upsert that asks to look again.
        await at.shop.one(product('mended', { image_link: url }))
        await checked()
        assert.deepEqual((await at.shop.one(product('mended', { image_link: url }))).warnings, [])

        const small = internet.put('small', png(100, 100))
        assert.equal((await warnings('other', small)).length, 1)
        const other = product('other', { image_link: internet.put('fine', png(700, 700)) })
        assert.deepEqual((await at.shop.one(other)).warnings, [])
      })

      test('a host that does not answer is tried again before anything is reported', async () => {
        const url = internet.put('slow', '', 503)
        const submitted = product('slow', { image_link: url })
        await at.shop.stock(submitted)
        for (let tries = 1; tries <= 3; tries++) {
          await checked()
          assert.equal(internet.asked.filter((one) => one === url).length, tries)
          if (tries < 3) assert.deepEqual((await at.shop.one(submitted)).warnings, [])
          at.plaza.clock.advance(30 * MINUTE_MS)
        }
        assert.match((await at.shop.one(submitted)).warnings[0] ?? '', /returned status 503/)
      })
    })

    test('hosts that do not answer are skipped, and no other host waits for them', async () => {
      const internet = new Internet()
      const { shop, plaza } = await open({ fetchImages: true }, internet)
      const images = Array.from({ length: 8 }, (_, n) => `https://slow.example.com/${n}.png`)
      for (const url of images) internet.pages.set(url, { kind: 'timeout' })
      const good = Array.from({ length: 8 }, (_, n) => internet.put(`good-${n}`, png(10, 10)))
      const all = [...images, ...good].map((image_link, n) => product(`p-${n}`, { image_link }))
      await shop.stock(...all)
      await plaza.tasks.runDue('check product image')
      const slow = () => internet.asked.filter((url) => images.includes(url)).length
      assert.equal(slow(), 1)
      assert.deepEqual(internet.asked.filter((url) => good.includes(url)).toSorted(), good.toSorted())
      assert.deepEqual([...internet.pressed], [], 'no host is asked for two images at once')
      const told = await shop.told(...all)
      assert.deepEqual(
        told.map(({ warnings }) => warnings.length),
        [...images.map(() => 0), ...good.map(() => 1)],
      )
      plaza.clock.advance(6 * MINUTE_MS)
      await plaza.tasks.runDue('check product image')
      assert.equal(slow(), 2)
      for (const url of images)
        internet.pages.set(url, { kind: 'answered', status: 200, headers: {}, body: png(10, 10) })
      plaza.clock.advance(30 * MINUTE_MS)
      await plaza.tasks.runDue('check product image')
      const later = await shop.told(...all)
      assert.deepEqual(
        later.map(({ warnings }) => warnings.length),
        all.map(() => 1),
      )
    })

    test('a host that redirects to one that does not answer is not skipped', async () => {
      const internet = new Internet()
      const { shop, plaza } = await open({ fetchImages: true }, internet)
      const silent = 'https://slow.example.com/1.png'
      internet.pages.set(silent, { kind: 'timeout' })
      const away = internet.put('away', '', 302, { location: silent })
      const good = internet.put('good', png(10, 10))
      for (const image_link of [away, good]) {
        await shop.stock(product(image_link === away ? 'away' : 'good', { image_link }))
        await plaza.tasks.runDue('check product image')
      }
      assert.deepEqual(internet.asked, [away, silent, good])
    })

    test('a set that cannot be processed fails, and is processed again when products change', async () => {
      const { shop, plaza } = await open()
      await shop.stock(product('a'))
      const { id } = await shop.filtered(['price', 'LESS_THAN', '100 USD'])
      const { store } = plaza.context
      const good = await store.first(setById, { catalog: shop.catalog, id })
      const filters = JSON.stringify([{ attribute: 'price', operator: 'LESS_THAN', value: 'broken' }])
      await store.write((tx) => tx.run(putFilters, { id, filters }))
      await shop.stock(product('b'))
      for (let attempts = 1; attempts <= 3; attempts++) {
        assert.equal((await shop.processed(id)).processing_status, attempts < 3 ? 'PROCESSING' : 'FAILED')
        plaza.clock.advance(MINUTE_MS)
      }
      await store.write((tx) => tx.run(putFilters, { id, filters: good?.filters ?? '' }))
      assert.equal((await shop.processed(id)).processing_status, 'FAILED')
      await shop.stock(product('c'))
      const { processing_status, product_ids } = await shop.processed(id)
      assert.deepEqual([processing_status, product_ids], ['DONE', ['a', 'b', 'c']])
    })

    test('catalogs are kept to some apps', async () => {
      const { shop, client, plaza } = await open()
      const closed = await stage.open({ rateLimits: 'off', catalogApps: ['1'] })
      opened.push(closed)
      const other = new Client(closed.plaza)
      clients.push(other)
      const stranger = new Shop({
        person: await newPerson(closed.plaza),
        catalog: '1',
        client: other,
        plaza: closed.plaza,
      })
      const json: Record<string, unknown> = {
        upsertProducts: { products: [product()] },
        deleteProducts: { product_keys: ['1'] },
        createProductSet: { name: 'x', type: 'MANUAL', product_keys: ['1'] },
        updateProductSet: {},
      }
      for (const { id, method, path } of catalogEndpoints) {
        const target = path.replace(/^\/12\/product_catalogs/, '').replace(/\{[^}]+\}/g, '1')
        const forms: Record<string, string> = {
          createProductCatalog: '?name=x',
          updateProductCatalog: '?name=x',
          createScheduledFeed:
            '?feed_url=https://shop.example.com/&feed_format=CSV&frequency=DAILY&start_time=05:00&time_zone=UTC',
        }
        const reply = await stranger.call(
          method,
          target + (forms[id] ?? ''),
          json[id] ? { json: json[id] } : {},
        )
        assert.deepEqual(errorOf(reply), [403, 'UNAUTHORIZED_CLIENT_APPLICATION undefined'], id)
      }
      const app = plaza.seeded?.apps[0]?.id ?? ''
      assert.ok(app)
      assert.equal((await shop.at(plaza, client).own('GET', '/products')).status, 200)
    })

    test('two nodes write the same products and process the same set', { skip: !stage.shared }, async () => {
      const { shop, plaza, client, second } = await open()
      const node = await second()
      const there = new Client(node)
      clients.push(there)
      const elsewhere = shop.at(node, there)
      await many(plaza, shop.catalog, 2_000)
      const { id } = await shop.filtered(['custom_label_1', 'MATCH', 'even'])
      const writes = Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? shop : elsewhere).told(
          product('shared', { title: `Title ${n}`, color: `Color ${n}`, custom_label_1: 'even' }),
          product(`of-${n}`, { item_group_id: 'group' }),
        ),
      )
      await Promise.all([
        ...writes,
        plaza.tasks.runDue('process product set'),
        node.tasks.runDue('process product set'),
      ])
      const told = (await Promise.all(writes)).flat()
      assert.equal(told.filter((one) => one.id === 'shared' && one.status === 'CREATE_SUCCESS').length, 1)
      assert.equal(told.filter((one) => one.status === 'ERROR').length, 0)
      const set = (await elsewhere.processed(id)) as { product_ids: string[]; processing_status: string }
      assert.equal(set.processing_status, 'DONE')
      assert.equal(new Set(set.product_ids).size, 1_001)
      assert.equal(set.product_ids.length, 1_001)
      assert.equal((await shop.at(plaza, client).list()).length, 100)
    })
  })
}

const putFilters = query<{ id: string; filters: string }>('putFilters', (db, at) =>
  db.updateTable('product_sets').set({ filters: at.filters }).where('id', '=', at.id),
)

/** As a node leaves a set behind that was killed amidst: some way in, and with its lease. */
const leaveBehind = query<{ set: string; until: number }>('leaveBehind', (db, at) =>
  db
    .updateTable('tasks')
    .set({ leased: 1, fence: 1, attempts: 1, due_at: at.until })
    .where('kind', '=', processSet.name)
    .where('subject', '=', at.set),
)

test('a set that was being processed when Plaza was killed is processed to its end after the next start', async () => {
  const data = await mkdtemp(join(tmpdir(), 'plaza-catalogs-'))
  try {
    const first = await startPlaza({ data, rateLimits: 'off' })
    const client = new Client(first)
    const shop = await Shop.open(first, client)
    await many(first, shop.catalog, 4_000)
    const { id } = await shop.filtered(['custom_label_1', 'MATCH', 'even'])
    const { store, clock } = first.context
    // Stopped in the middle, it gives back its lease; killed, it could not.
    const closed = first.close()
    await Promise.all([client.close(), closed])
    assert.ok(store)

    const between = await startPlaza({ data, rateLimits: 'off' })
    await between.context.store.write((tx) => tx.run(leaveBehind, { set: id, until: clock.now() + 10_000 }))
    await between.close()

    const again = await startPlaza({ data, rateLimits: 'off' })
    const next = new Client(again)
    const reopened = shop.at(again, next)
    await again.tasks.runDue('process product set')
    const waiting = dataOf(await reopened.own('GET', `/product_sets/${id}`))
    assert.equal(waiting.processing_status, 'PROCESSING', 'somebody may still be at it')
    again.clock.advance(10_000)
    const { processing_status, product_ids } = await reopened.processed(id)
    assert.deepEqual([processing_status, (product_ids as string[]).length], ['DONE', 2_000])
    assert.equal(new Set(product_ids as string[]).size, 2_000)
    await next.close()
    await again.close()
  } finally {
    await rm(data, { recursive: true, force: true })
  }
})

test('the limits are those of the chart', () => {
  const limits = Object.fromEntries(catalogEndpoints.map(({ id, limits }) => [id, limits]))
  const per = (calls: number) => ({ user: `${calls}/15m` })
  assert.deepEqual(limits, {
    listProductCatalogs: per(1000),
    createProductCatalog: per(20),
    updateProductCatalog: per(20),
    deleteProductCatalog: per(20),
    listProducts: per(1000),
    upsertProducts: per(600),
    deleteProducts: per(150),
    listProductSets: per(2000),
    getProductSet: per(2000),
    createProductSet: per(100),
    updateProductSet: per(500),
    deleteProductSet: per(100),
    // Those of catalogs: the chart has none for schedules.
    listScheduledFeeds: per(1000),
    createScheduledFeed: per(20),
    updateScheduledFeed: per(20),
    deleteScheduledFeed: per(20),
  })
})
