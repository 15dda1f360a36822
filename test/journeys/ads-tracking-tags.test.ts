import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cursorOf, Desk, dataOf, errorOf, listOf, paramsOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const PATH = '/tracking_tags'
const SEEN = {
  tracking_tag_type: 'IMPRESSION_TAG',
  tracking_tag_url: 'https://ad.example.net/trackimp/N1;dc_trk_aid=1',
}
const NO_LINE_ITEM = [404, 'LINE_ITEM_NOT_FOUND line_item_id']
const NO_TAG = [404, 'NOT_FOUND tracking_tag_id']

for (const stage of stages) {
  describe(`tracking tags on ${stage.name}`, { skip: stage.skip }, () => {
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

    const lineItem = async (desk = ann) => (await desk.advertiser.lineItem()).id
    const make = (line_item_id: string, form: Record<string, string> = {}, desk = ann) =>
      desk.post(PATH, { line_item_id, ...SEEN, ...form })
    const found = async (query = '') => listOf(await ann.get(`${PATH}${query}`)).map(({ id }) => id)

    test('are created, get another URL, and are deleted permanently', async () => {
      const line_item_id = await lineItem()
      const reply = await make(line_item_id)
      assert.equal(reply.status, 201, reply.text)
      const { id } = dataOf(reply)
      const now = () => new Date(opened.plaza.clock.now()).toISOString().replace('.000', '')
      const first = { id, line_item_id, ...SEEN, created_at: now(), updated_at: now(), deleted: false }
      assert.deepEqual(dataOf(reply), first)
      assert.deepEqual(paramsOf(reply), { account_id: ann.accountId, line_item_id, ...SEEN })
      opened.plaza.clock.advance(1000)
      const tracking_tag_url = 'https://ad.example.net/other'
      const changed = await ann.put(`${PATH}/${id}`, { tracking_tag_url })
      const second = { ...first, tracking_tag_url, updated_at: now() }
      assert.deepEqual([changed.status, dataOf(changed)], [200, second])
      assert.deepEqual(dataOf(await ann.get(`${PATH}/${id}`)), second)
      const gone = await ann.delete(`${PATH}/${id}`)
      assert.deepEqual([gone.status, dataOf(gone)], [200, { ...second, deleted: true }])
      for (const again of [await ann.delete(`${PATH}/${id}`), await ann.get(`${PATH}/${id}`)])
        assert.deepEqual(errorOf(again), NO_TAG)
      assert.deepEqual([await found(), await found('?with_deleted=true')], [[], [id]])
    })

    test('track impressions or clicks, at an address on the web', async () => {
      const line_item_id = await lineItem()
      assert.deepEqual(errorOf(await ann.post(PATH, {})), [
        400,
        'MISSING_PARAMETER line_item_id',
        'MISSING_PARAMETER tracking_tag_type',
        'MISSING_PARAMETER tracking_tag_url',
      ])
      const { id } = dataOf(await make(line_item_id, { tracking_tag_type: 'CLICK_TRACKER' }))
      for (const tracking_tag_type of ['click_tracker', 'VIEW_TAG', ''])
        assert.deepEqual(errorOf(await make(line_item_id, { tracking_tag_type })), [
          400,
          'INVALID_PARAMETER tracking_tag_type',
        ])
      for (const tracking_tag_url of ['ad.example.net', 'ftp://ad.example.net/', 'https://a b.c', '']) {
        const wrong = [400, 'INVALID_PARAMETER tracking_tag_url']
        assert.deepEqual(errorOf(await make(line_item_id, { tracking_tag_url })), wrong)
        assert.deepEqual(errorOf(await ann.put(`${PATH}/${id}`, { tracking_tag_url })), wrong)
      }
      const moved = await ann.put(`${PATH}/${id}`, { line_item_id: await lineItem() })
      assert.deepEqual(errorOf(moved), [400, 'INVALID_PARAMETER line_item_id'])
      const turned = await ann.put(`${PATH}/${id}`, { tracking_tag_type: 'IMPRESSION_TAG' })
      assert.deepEqual(errorOf(turned), [400, 'INVALID_PARAMETER tracking_tag_type'])
      assert.deepEqual(await found(), [id])
    })

    test('belong to a line item of the account that is not deleted', async () => {
      const bob = await Desk.open(opened.plaza, client)
      const deleted = await lineItem()
      await ann.delete(`/line_items/${deleted}`)
      for (const id of ['nosuchid', deleted, await lineItem(bob)])
        assert.deepEqual(errorOf(await make(id)), NO_LINE_ITEM)
      const { id } = dataOf(await make(await lineItem()))
      for (const reply of [
        await bob.get(`${PATH}/${id}?with_deleted=true`),
        await bob.put(`${PATH}/${id}`, { tracking_tag_url: 'https://example.com' }),
        await bob.delete(`${PATH}/${id}`),
      ])
        assert.deepEqual(errorOf(reply), NO_TAG)
    })

    test('of a deleted line item are shown with deleted ones only, and do not change', async () => {
      const line_item_id = await lineItem()
      const tag = dataOf(await make(line_item_id))
      await ann.delete(`/line_items/${line_item_id}`)
      for (const reply of [
        await ann.get(`${PATH}/${tag.id}`),
        await ann.put(`${PATH}/${tag.id}`, { tracking_tag_url: 'https://example.com' }),
        await ann.put(`${PATH}/${tag.id}`, {}),
      ])
        assert.deepEqual(errorOf(reply), NO_TAG)
      assert.deepEqual(await found(), [])
      assert.deepEqual(listOf(await ann.get(`${PATH}?with_deleted=true`)), [tag])
      assert.equal(dataOf(await ann.delete(`${PATH}/${tag.id}`)).deleted, true)
    })

    test('are found by line item and by id, a page at a time', async () => {
      const [one, two] = [await lineItem(), await lineItem()]
      const tags: string[] = []
      for (const line of [one, two, one]) tags.push(dataOf(await make(line)).id)
      const [first, second, third] = tags
      assert.deepEqual(await found(`?line_item_ids=${one}`), [first, third])
      assert.deepEqual(await found(`?line_item_ids=${one}&tracking_tag_ids=${third},${second}`), [third])
      const page = await ann.get(`${PATH}?count=2`)
      assert.deepEqual(await found(`?count=2&cursor=${cursorOf(page)}`), [third])
    })
  })
}
