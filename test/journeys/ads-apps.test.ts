import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Desk, dataOf, errorOf, listOf } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const INSTALL = {
  app_store_identifier: 'com.example.game',
  os_type: 'ANDROID',
  conversion_type: 'INSTALL',
  provider_app_event_id: '42',
  provider_app_event_name: 'Install',
}

for (const stage of stages) {
  describe(`apps of an account on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    test('event tags have the default windows, and a view counts no longer than an engagement', async () => {
      const tag = dataOf(await ann.post('/app_event_tags', INSTALL))
      assert.deepEqual(
        [tag.post_engagement_attribution_window, tag.post_view_attribution_window, tag.retargeting_enabled],
        [30, 1, true],
      )
      const windows = (engagement: string, view: string) =>
        ann.post('/app_event_tags', {
          ...INSTALL,
          post_engagement_attribution_window: engagement,
          post_view_attribution_window: view,
        })
      assert.equal((await windows('7', '7')).status, 201)
      assert.deepEqual(errorOf(await windows('7', '14')), [
        400,
        'INVALID_PARAMETER post_view_attribution_window',
      ])
      assert.deepEqual(errorOf(await windows('2', '1')), [
        400,
        'INVALID_PARAMETER post_engagement_attribution_window',
      ])
      assert.equal(listOf(await ann.get('/app_event_tags')).length, 2)
      assert.equal((await ann.put(`/app_event_tags/${tag.id}`, { conversion_type: 'LOGIN' })).status, 405)
    })

    test('a store has only identifiers of its form', async () => {
      for (const [app_store_identifier, os_type] of [
        ['333903271', 'ANDROID'],
        ['com.example.game', 'IOS'],
        ['game', 'ANDROID'],
      ] as const)
        assert.deepEqual(
          errorOf(await ann.post('/app_event_tags', { ...INSTALL, app_store_identifier, os_type })),
          [404, 'INVALID_APP_ID app_store_identifier'],
        )
      const lists = (app_store_identifiers: string) =>
        ann.post('/app_lists', { name: 'Games', app_store_identifiers })
      assert.deepEqual(errorOf(await lists('com.example.game,game')), [
        404,
        'INVALID_APP_ID app_store_identifiers',
      ])
      const many = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1)).join()
      assert.deepEqual(errorOf(await lists(many(501))), [400, 'INVALID_PARAMETER app_store_identifiers'])
      const { apps } = dataOf(await lists(many(500)))
      assert.equal((apps as unknown[]).length, 500)
    })

    test('an account has at most 100 lists that are not deleted', async () => {
      const make = () => ann.post('/app_lists', { name: 'Games', app_store_identifiers: '1' })
      const first = dataOf(await make())
      const replies = await Promise.all(Array.from({ length: 102 }, make))
      assert.equal(replies.filter(({ status }) => status === 201).length, 99)
      assert.deepEqual(errorOf(await make()), [400, 'INVALID of account_id'])
      assert.equal((await ann.delete(`/app_lists/${first.id}`)).status, 200)
      assert.equal((await make()).status, 201)
    })

    test('an account has one provider, which is named after the app that configured it', async () => {
      const make = (provider_advertiser_id: string) =>
        ann.post('/app_event_provider_configurations', { provider_advertiser_id })
      const [one, ...others] = await Promise.all(['a', 'a', 'a'].map(make))
      const { id, provider_name } = dataOf(one as Awaited<ReturnType<typeof make>>)
      assert.equal(provider_name, opened.plaza.seeded?.apps[0]?.name)
      for (const other of others) assert.equal(dataOf(other).id, id)
      assert.equal(dataOf(await make('b')).provider_advertiser_id, 'a')
      await ann.delete(`/app_event_provider_configurations/${id}`)
      const next = dataOf(await make('b'))
      assert.deepEqual([next.id === id, next.provider_advertiser_id], [false, 'b'])
    })

    test('the apps of a line item are those that it shows', async () => {
      const { id } = await ann.advertiser.lineItem()
      const app = (os_type: string, app_store_identifier: string) =>
        ann.post('/line_item_apps', { line_item_id: id, os_type, app_store_identifier })
      const shown = async () => {
        const item = dataOf(await ann.get(`/line_items/${id}`))
        return [item.android_app_store_identifier, item.ios_app_store_identifier]
      }
      const listed = async (more = '') =>
        listOf(await ann.get(`/line_item_apps?line_item_ids=${id}${more}`)).map((one) => [
          one.os_type,
          one.app_store_identifier,
          one.deleted,
        ])
      const game = dataOf(await app('ANDROID', 'com.example.game'))
      assert.deepEqual(await shown(), ['com.example.game', null])
      assert.deepEqual(errorOf(await app('ANDROID', 'com.example.other')), [400, 'INVALID of os_type'])
      assert.deepEqual(errorOf(await app('IOS', 'com.example.game')), [
        404,
        'INVALID_APP_ID app_store_identifier',
      ])
      assert.equal((await app('IOS', '333903271')).status, 201)
      assert.deepEqual(await shown(), ['com.example.game', '333903271'])
      const android = (identifier: string) =>
        ann.put(`/line_items/${id}`, { android_app_store_identifier: identifier })
      await android('com.example.other')
      assert.deepEqual(await listed('&with_deleted=true&sort_by=created_at-asc'), [
        ['ANDROID', 'com.example.game', true],
        ['IOS', '333903271', false],
        ['ANDROID', 'com.example.other', false],
      ])
      assert.equal((await ann.delete(`/line_item_apps/${game.id}`)).status, 404)
      await android('')
      assert.deepEqual(await listed(), [['IOS', '333903271', false]])
      const [last] = listOf(await ann.get(`/line_item_apps?line_item_ids=${id}`))
      const both = await Promise.all([1, 2].map(() => app('ANDROID', 'com.example.game')))
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
      // A deletion beside changes of the line item, which write the same rows.
      const added = dataOf(both.find(({ status }) => status === 201) as Reply)
      await Promise.all([
        android('com.example.a'),
        ann.delete(`/line_item_apps/${added.id}`),
        android('com.example.b'),
      ])
      const now = (await listed()).filter(([system]) => system === 'ANDROID')
      assert.deepEqual(
        now.map(([, app]) => app),
        (await shown()).slice(0, 1).filter((app) => app !== null),
      )
      await ann.delete(`/line_items/${id}`)
      assert.deepEqual(await listed(), [])
      assert.equal((await ann.delete(`/line_item_apps/${last?.id}`)).status, 200)
      assert.deepEqual(errorOf(await app('IOS', '1')), [404, 'LINE_ITEM_NOT_FOUND line_item_id'])
      // An objective about apps needs one.
      const { id: campaign_id } = await ann.advertiser.campaign()
      const made = await ann.post('/line_items', {
        ...{ campaign_id, objective: 'APP_INSTALLS', product_type: 'PROMOTED_POSTS' },
        ...{ placements: 'ALL_ON_SERVICE', end_time: '2026-05-01', ios_app_store_identifier: '333903271' },
        daily_budget_amount_local_micro: '1000000',
      })
      assert.equal(made.status, 201, made.text)
      const [only] = listOf(await ann.get(`/line_item_apps?line_item_ids=${dataOf(made).id}`))
      assert.deepEqual(errorOf(await ann.delete(`/line_item_apps/${only?.id}`)), [
        400,
        'MISSING_PARAMETER android_app_store_identifier',
      ])
      assert.equal((await ann.get(`/line_item_apps/${only?.id}`)).status, 200)
    })

    test('belong to one account', async () => {
      const tag = dataOf(await ann.post('/app_event_tags', INSTALL))
      const list = dataOf(await ann.post('/app_lists', { name: 'Games', app_store_identifiers: '1' }))
      const bob = await Desk.open(opened.plaza, client)
      for (const [path, code] of [
        [`/app_event_tags/${tag.id}`, 'APP_EVENT_TAG_NOT_FOUND app_event_tag_id'],
        [`/app_lists/${list.id}`, 'NOT_FOUND app_list_id'],
      ] as const)
        for (const reply of [await bob.get(path), await bob.delete(path)])
          assert.deepEqual(errorOf(reply), [404, code])
      assert.deepEqual(listOf(await bob.get(`/app_lists?app_list_ids=${list.id}`)), [])
    })
  })
}
