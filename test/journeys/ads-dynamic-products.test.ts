import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { shownPosts } from '../../src/api/ads/delivery/queries.ts'
import { catalogOf, productSetOf } from '../support/catalogs.ts'
import { type Data, Desk, dataOf, errorOf, listOf, newPerson } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { makeWebEventTag } from '../support/targeting.ts'

const URL_OF_SHOP = 'https://shop.example.com/summer'

for (const stage of stages) {
  describe(`advertisements of products on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const card = async (more: object = {}) => {
      const reply = await ann.json('POST', '/dynamic_product_cards', { url: URL_OF_SHOP, ...more })
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply)
    }
    const post = (form: Record<string, string>) =>
      ann.post('/post', {
        as_user_id: ann.person.id,
        text: `Products ${opened.plaza.context.ids.next()}`,
        ...form,
      })

    test('a card has the URL and the form of its products, and is read with all cards', async () => {
      const made = await card()
      const { id, created_at, updated_at, ...rest } = made
      assert.match(id, /^[0-9]{1,19}$/)
      assert.equal(created_at, updated_at)
      assert.deepEqual(rest, {
        url: URL_OF_SHOP,
        creative_type: 'CAROUSEL',
        card_type: 'DYNAMIC_PRODUCT',
        card_uri: `card://${id}`,
        deleted: false,
      })
      const flat = { ...made, name: null }
      assert.deepEqual(dataOf(await ann.get(`/cards/all/${id}`)), flat)
      assert.deepEqual(listOf(await ann.get(`/cards/all?card_uris=card://${id}`)), [flat])
      for (const creative_type of ['SINGLE', 'COLLECTION'])
        assert.equal((await card({ creative_type })).creative_type, creative_type)
      const bob = await Desk.open(opened.plaza, client)
      assert.deepEqual(errorOf(await bob.get(`/cards/all/${id}`)), [404, 'CARD_NOT_FOUND card_id'])
      // It has no components, so other calls about cards do not find it.
      assert.deepEqual(errorOf(await ann.get(`/cards/${id}`)), [404, 'CARD_NOT_FOUND card_id'])
      assert.deepEqual(listOf(await ann.get('/cards')), [])
    })

    test('a card without a URL, or with another form, is not made', async () => {
      const wrong = async (body: unknown) => errorOf(await ann.json('POST', '/dynamic_product_cards', body))
      assert.deepEqual(await wrong({}), [400, 'MISSING_PARAMETER url'])
      assert.deepEqual(await wrong({ url: 'shop' }), [400, 'INVALID_PARAMETER url'])
      assert.deepEqual(await wrong({ url: URL_OF_SHOP, creative_type: 'LIST' }), [
        400,
        'INVALID_PARAMETER creative_type',
      ])
      assert.deepEqual(await wrong([]), [400, 'INVALID_PARAMETER body'])
    })

    test('a post shows such a card with dynamic_product_ad, and no other with it', async () => {
      const [ofProducts, other] = [
        await card(),
        dataOf(
          await ann.post('/cards/poll', {
            name: 'A poll',
            first_choice: 'This',
            second_choice: 'That',
            duration_in_minutes: '60',
          }),
        ),
      ]
      const reply = await post({ card_uri: String(ofProducts.card_uri), dynamic_product_ad: 'true' })
      assert.equal(reply.status, 201, reply.text)
      const missing = [400, 'INCLUSIVE_PARAMETERS dynamic_product_ad']
      assert.deepEqual(errorOf(await post({ card_uri: String(ofProducts.card_uri) })), missing)
      assert.deepEqual(errorOf(await post({ dynamic_product_ad: 'true' })), [
        400,
        'INCLUSIVE_PARAMETERS card_uri',
      ])
      assert.deepEqual(
        errorOf(await post({ card_uri: String(other.card_uri), dynamic_product_ad: 'true' })),
        [400, 'INVALID_PARAMETER card_uri'],
      )
      assert.deepEqual(errorOf(await post({ card_uri: 'card://123', dynamic_product_ad: 'true' })), [
        404,
        'CARD_NOT_FOUND card_uri',
      ])
      assert.equal((await post({ card_uri: String(other.card_uri) })).status, 201)
      // Drafts and scheduled posts have no dynamic_product_ad.
      const draft = { text: 'Later', card_uri: String(ofProducts.card_uri) }
      assert.deepEqual(errorOf(await ann.post('/draft_posts', draft)), missing)
      const { preview } = listOf(
        await ann.get(`/post_previews?post_ids=${dataOf(reply).id_str}&post_type=PUBLISHED`),
      )[0] as Data
      const [, address = ''] = /src="([^"]+)"/.exec(String(preview)) ?? []
      const page = await client.send('GET', address)
      assert.equal(page.status, 200, page.text)
      assert.match(page.text, new RegExp(`<a class="card" href="${URL_OF_SHOP}"`))
    })

    describe('a line item', () => {
      let products: { catalog_id: string; product_set_id: string }
      let base: Record<string, string>
      beforeEach(async () => {
        products = await productSetOf(opened.plaza.context, ann.person.id)
        base = {
          campaign_id: (await ann.advertiser.campaign()).id,
          objective: 'WEBSITE_CLICKS',
          goal: 'WEBSITE_CONVERSIONS',
          product_type: 'PROMOTED_POSTS',
          placements: 'ALL_ON_SERVICE',
          primary_web_event_tag: (await makeWebEventTag(ann.advertiser)).id,
          creative_source: 'DYNAMIC_PRODUCT_CREATIVE',
        }
      })

      test('shows a set of the catalog of who makes it', async () => {
        const reply = await ann.post('/line_items', { ...base, ...products })
        assert.equal(reply.status, 201, reply.text)
        const { id, creative_source, catalog_id, product_set_id } = dataOf(reply)
        assert.deepEqual(
          { creative_source, catalog_id, product_set_id },
          { creative_source: 'DYNAMIC_PRODUCT_CREATIVE', ...products },
        )
        assert.deepEqual(dataOf(await ann.get(`/line_items/${id}`)), dataOf(reply))
        const manual = dataOf(await ann.post('/line_items', { ...base, creative_source: 'MANUAL' }))
        assert.deepEqual(
          [manual.creative_source, 'catalog_id' in manual, 'product_set_id' in manual],
          ['MANUAL', false, false],
        )
      })

      test('names a catalog and a set that are there', async () => {
        const { context } = opened.plaza
        const wrong = async (form: Record<string, string>) =>
          errorOf(await ann.post('/line_items', { ...base, ...products, ...form }))
        const bob = await newPerson(opened.plaza)
        const his = await productSetOf(context, bob.id)
        const played = await catalogOf(context, ann.person.id, 'sandbox')
        for (const catalog_id of ['123', his.catalog_id, played])
          assert.deepEqual(await wrong({ catalog_id }), [404, 'NOT_FOUND catalog_id'])
        for (const product_set_id of ['123', his.product_set_id])
          assert.deepEqual(await wrong({ product_set_id }), [404, 'NOT_FOUND product_set_id'])
        const { id } = dataOf(await ann.post('/line_items', { ...base, ...products }))
        const { product_set_id } = await productSetOf(context, ann.person.id)
        assert.deepEqual(errorOf(await ann.put(`/line_items/${id}`, { product_set_id: '123' })), [
          404,
          'NOT_FOUND product_set_id',
        ])
        const moved = await ann.put(`/line_items/${id}`, { product_set_id })
        assert.deepEqual([moved.status, dataOf(moved).product_set_id], [200, product_set_id])
      })

      test('promotes a post with such a card, which leads to a website', async () => {
        const { id: line_item_id } = dataOf(await ann.post('/line_items', { ...base, ...products }))
        const flags = async (creative_type: string) => {
          const { card_uri } = await card({ creative_type })
          const { id_str } = dataOf(await post({ card_uri: String(card_uri), dynamic_product_ad: 'true' }))
          const promoted = await ann.post('/promoted_posts', { line_item_id, post_ids: String(id_str) })
          assert.equal(promoted.status, 201, promoted.text)
          const args = { account: ann.accountId, ids: JSON.stringify([line_item_id]) }
          const shown = (await opened.plaza.context.store.all(shownPosts, args)).at(-1)
          return [shown?.link, shown?.card, shown?.carousel]
        }
        assert.deepEqual(await flags('CAROUSEL'), [1, 1, 1])
        assert.deepEqual(await flags('SINGLE'), [1, 1, 0])
        const { servable, reasons_not_servable } = dataOf(await ann.get(`/line_items/${line_item_id}`))
        assert.deepEqual([servable, reasons_not_servable], [true, []])
      })
    })

    test('apps without access to catalogs make neither', async () => {
      const closed = await stage.open({ rateLimits: 'off', catalogApps: [] })
      const other = new Client(closed.plaza)
      try {
        const desk = await Desk.open(closed.plaza, other)
        const refused = [403, 'UNAUTHORIZED_CLIENT_APPLICATION undefined']
        assert.deepEqual(
          errorOf(await desk.json('POST', '/dynamic_product_cards', { url: URL_OF_SHOP })),
          refused,
        )
        const form = {
          campaign_id: (await desk.advertiser.campaign()).id,
          objective: 'WEBSITE_CLICKS',
          goal: 'WEBSITE_CONVERSIONS',
          product_type: 'PROMOTED_POSTS',
          placements: 'ALL_ON_SERVICE',
          primary_web_event_tag: (await makeWebEventTag(desk.advertiser)).id,
          creative_source: 'DYNAMIC_PRODUCT_CREATIVE',
          ...(await productSetOf(closed.plaza.context, desk.person.id)),
        }
        assert.deepEqual(errorOf(await desk.post('/line_items', form)), refused)
      } finally {
        await other.close()
        await closed.close()
      }
    })
  })
}
