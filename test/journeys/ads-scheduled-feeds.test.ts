import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dataOf, errorOf, listOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { Shop } from '../support/shop.ts'
import { type Opened, stages } from '../support/stages.ts'

const DAILY = {
  feed_url: 'https://shop.example.com/products.csv',
  feed_format: 'CSV',
  frequency: 'DAILY',
  start_time: '05:00',
  time_zone: 'Europe/Berlin',
}

for (const stage of stages) {
  describe(`scheduled feeds on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const feedsOf = (shop: Shop) => ({
      path: `/${shop.catalog}/scheduled_feeds`,
      make: (form: Record<string, string>) => shop.call('POST', `/${shop.catalog}/scheduled_feeds`, { form }),
      list: async () => listOf(await shop.own('GET', '/scheduled_feeds')),
    })

    test('have a frequency with its repetition, and each wrong value is named', async () => {
      const shop = await Shop.open(opened.plaza, client)
      const { make, path, list } = feedsOf(shop)
      for (const [change, expected] of [
        [{ frequency: 'HOURLY' }, 'MISSING_PARAMETER repeat'],
        [{ frequency: 'WEEKLY', repeat: '2' }, 'INVALID_PARAMETER repeat'],
        [{ frequency: 'HOURLY', repeat: '5' }, 'INVALID_PARAMETER repeat'],
        [{ repeat: '2' }, 'EXCLUSIVE_PARAMETERS repeat'],
        [{ time_zone: 'Berlin' }, 'INVALID_PARAMETER time_zone'],
        [{ start_time: '24:00' }, 'INVALID_PARAMETER start_time'],
        [{ feed_url: 'http://shop.example.com/x' }, 'INVALID_PARAMETER feed_url'],
        [{ feed_format: 'JSON' }, 'INVALID_PARAMETER feed_format'],
      ] as const)
        assert.deepEqual(errorOf(await make({ ...DAILY, ...change })), [400, expected], expected)
      assert.deepEqual(await list(), [])
      const replies = await Promise.all([1, 2, 3].map(() => make(DAILY)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400])
      const [feed] = await list()
      assert.deepEqual([feed?.repeat, feed?.product_catalog_id], [null, shop.catalog])
      const change = (form: Record<string, string>) => shop.call('PUT', `${path}/${feed?.id}`, { form })
      assert.deepEqual(errorOf(await change({ frequency: 'HOURLY' })), [400, 'MISSING_PARAMETER repeat'])
      assert.equal(dataOf(await change({ frequency: 'HOURLY', repeat: '12' })).repeat, '12')
      assert.deepEqual(errorOf(await change({ repeat: 'MONDAY' })), [400, 'INVALID_PARAMETER repeat'])
      assert.equal(dataOf(await change({ frequency: 'DAILY' })).repeat, null)
    })

    test('belong to one catalog, and go with it', async () => {
      const [ann, bob] = [await Shop.open(opened.plaza, client), await Shop.open(opened.plaza, client)]
      const feed = dataOf(await feedsOf(ann).make(DAILY))
      const foreign = `/${ann.catalog}/scheduled_feeds`
      for (const reply of [
        await bob.call('GET', foreign),
        await bob.call('POST', foreign, { form: DAILY }),
        await bob.call('DELETE', `${foreign}/${feed.id}`),
      ])
        assert.deepEqual(errorOf(reply), [404, 'NOT_FOUND product_catalog_id'])
      assert.deepEqual(errorOf(await bob.own('DELETE', `/scheduled_feeds/${feed.id}`)), [
        404,
        'NOT_FOUND scheduled_feed_id',
      ])
      assert.equal((await feedsOf(ann).list()).length, 1)
      assert.equal((await ann.own('DELETE', `/scheduled_feeds/${feed.id}`)).status, 200)
      assert.equal((await feedsOf(ann).make(DAILY)).status, 201)
      assert.equal((await ann.own('DELETE', '')).status, 200)
      assert.equal((await ann.own('GET', '/scheduled_feeds')).status, 404)
    })
  })
}
