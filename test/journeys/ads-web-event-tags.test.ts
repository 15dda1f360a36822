import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cursorOf, Desk, dataOf, errorOf, listOf, paramsOf, totalOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const PATH = '/web_event_tags'
const PURCHASE = {
  name: 'Purchases',
  type: 'PURCHASE',
  click_window: '30',
  view_through_window: '1',
  retargeting_enabled: 'true',
}
const WEBSITE = { objective: 'WEBSITE_CLICKS', product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' }
const NO_TAG = [404, 'WEB_EVENT_TAG_NOT_FOUND web_event_tag_id']
const NO_PRIMARY = [404, 'WEB_EVENT_TAG_NOT_FOUND primary_web_event_tag']

for (const stage of stages) {
  describe(`web event tags on ${stage.name}`, { skip: stage.skip }, () => {
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

    const make = (form: Record<string, string> = {}, desk = ann) => desk.post(PATH, { ...PURCHASE, ...form })
    const made = async (form?: Record<string, string>, desk?: Desk) => dataOf(await make(form, desk)).id
    const lineItem = async (form: Record<string, string> = {}) =>
      ann.post('/line_items', { campaign_id: (await ann.advertiser.campaign()).id, ...WEBSITE, ...form })

    test('are created, changed, and deleted permanently', async () => {
      const reply = await make()
      assert.equal(reply.status, 201, reply.text)
      const { id } = dataOf(reply)
      const now = () => new Date(opened.plaza.clock.now()).toISOString().replace('.000', '')
      const first = {
        id,
        name: 'Purchases',
        type: 'PURCHASE',
        click_window: 30,
        view_through_window: 1,
        retargeting_enabled: true,
        status: 'UNVERIFIED',
        last_tracked_at: null,
        embed_code: dataOf(reply).embed_code,
        website_tag_id: dataOf(reply).website_tag_id,
        created_at: now(),
        updated_at: now(),
        deleted: false,
      }
      assert.deepEqual(dataOf(reply), first)
      assert.deepEqual(paramsOf(reply), {
        account_id: ann.accountId,
        name: 'Purchases',
        type: 'PURCHASE',
        click_window: 30,
        view_through_window: 1,
        retargeting_enabled: true,
      })
      opened.plaza.clock.advance(1000)
      const changes = { name: 'Visits', type: 'SITE_VISIT', click_window: '7', view_through_window: '0' }
      const changed = await ann.put(`${PATH}/${id}`, { ...changes, retargeting_enabled: 'false' })
      const second = {
        ...first,
        name: 'Visits',
        type: 'SITE_VISIT',
        click_window: 7,
        view_through_window: 0,
        retargeting_enabled: false,
        updated_at: now(),
      }
      assert.deepEqual([changed.status, dataOf(changed)], [200, second])
      assert.deepEqual(dataOf(await ann.get(`${PATH}/${id}`)), second)
      assert.deepEqual(listOf(await ann.get(PATH)), [second])
      const gone = await ann.delete(`${PATH}/${id}`)
      assert.deepEqual([gone.status, dataOf(gone).deleted], [200, true])
      for (const again of [
        await ann.delete(`${PATH}/${id}`),
        await ann.get(`${PATH}/${id}`),
        await ann.put(`${PATH}/${id}`, { name: 'x' }),
      ])
        assert.deepEqual(errorOf(again), NO_TAG)
      assert.deepEqual(dataOf(await ann.get(`${PATH}/${id}?with_deleted=true`)), dataOf(gone))
      assert.deepEqual(listOf(await ann.get(PATH)), [])
      assert.deepEqual(listOf(await ann.get(`${PATH}?with_deleted=true`)), [dataOf(gone)])
    })

    test('need every parameter, each with one of its values', async () => {
      const nothing = await ann.post(PATH, {})
      assert.deepEqual(errorOf(nothing), [
        400,
        'MISSING_PARAMETER name',
        'MISSING_PARAMETER type',
        'MISSING_PARAMETER click_window',
        'MISSING_PARAMETER view_through_window',
        'MISSING_PARAMETER retargeting_enabled',
      ])
      const id = await made()
      const wrong: Record<string, string[]> = {
        name: ['', 'x'.repeat(256)],
        type: ['purchase', 'LIKE', 'SUBSCRIPTION', ''],
        click_window: ['0', '2', '60', '90', '-1', 'x', ''],
        view_through_window: ['2', '60', '-1', '1.5', ''],
        retargeting_enabled: ['maybe', ''],
      }
      for (const [name, values] of Object.entries(wrong))
        for (const value of values) {
          const rejected = [400, `INVALID_PARAMETER ${name}`]
          assert.deepEqual(errorOf(await make({ [name]: value })), rejected, `${name}=${value}`)
          assert.deepEqual(errorOf(await ann.put(`${PATH}/${id}`, { [name]: value })), rejected)
        }
      assert.deepEqual(errorOf(await make({ name: ' ' })), [400, 'INVALID of name'])
      assert.deepEqual(
        listOf(await ann.get(PATH)).map((one) => [one.id, one.name, one.click_window]),
        [[id, 'Purchases', 30]],
      )
    })

    test('are found by id, a page at a time', async () => {
      const [first, second, third] = [await made(), await made(), await made()]
      const found = async (query: string) => listOf(await ann.get(`${PATH}${query}`)).map(({ id }) => id)
      assert.deepEqual(await found(`?web_event_tag_ids=${third},${first},nosuchid`), [first, third])
      assert.deepEqual(await found('?sort_by=created_at-desc'), [third, second, first])
      const page = await ann.get(`${PATH}?count=2`)
      assert.deepEqual(await found(`?count=2&cursor=${cursorOf(page)}`), [third])
      assert.equal(totalOf(await ann.get(`${PATH}?with_total_count=true`)), 3)
      const many = Array.from({ length: 201 }, (_, index) => `a${index}`).join()
      assert.deepEqual(errorOf(await ann.get(`${PATH}?web_event_tag_ids=${many}`)), [
        400,
        'INVALID_PARAMETER web_event_tag_ids',
      ])
    })

    test('belong to one account', async () => {
      const id = await made()
      const bob = await Desk.open(opened.plaza, client)
      assert.deepEqual(listOf(await bob.get(`${PATH}?web_event_tag_ids=${id}`)), [])
      for (const reply of [
        await bob.get(`${PATH}/${id}?with_deleted=true`),
        await bob.put(`${PATH}/${id}`, { name: 'Mine' }),
        await bob.delete(`${PATH}/${id}`),
      ])
        assert.deepEqual(errorOf(reply), NO_TAG)
    })

    test('a new line item can aim at website conversions, counted by a tag', async () => {
      const tag = await made()
      const goal = { goal: 'WEBSITE_CONVERSIONS' }
      const reply = await lineItem({ ...goal, primary_web_event_tag: tag })
      assert.equal(reply.status, 201, reply.text)
      const { goal: set, primary_web_event_tag: counted } = dataOf(reply)
      assert.deepEqual([set, counted], ['WEBSITE_CONVERSIONS', tag])
    })

    test('an existing line item turns to website conversions, and to another tag', async () => {
      const [tag, other] = [await made(), await made()]
      const path = `/line_items/${dataOf(await lineItem()).id}`
      const alone = await ann.put(path, { goal: 'WEBSITE_CONVERSIONS' })
      assert.deepEqual(errorOf(alone), [400, 'MISSING_PARAMETER primary_web_event_tag'])
      const both = await ann.put(path, { goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: tag })
      assert.equal(both.status, 200, both.text)
      assert.deepEqual([dataOf(both).goal, dataOf(both).primary_web_event_tag], ['WEBSITE_CONVERSIONS', tag])
      const another = await ann.put(path, { primary_web_event_tag: other })
      assert.deepEqual([another.status, dataOf(another).primary_web_event_tag], [200, other])
      const none = await ann.put(path, { primary_web_event_tag: '' })
      assert.deepEqual(errorOf(none), [400, 'MISSING_PARAMETER primary_web_event_tag'])
      const back = await ann.put(path, { goal: 'LINK_CLICKS', primary_web_event_tag: '' })
      assert.deepEqual([dataOf(back).goal, dataOf(back).primary_web_event_tag], ['LINK_CLICKS', null])
    })

    test('the primary tag of a line item is one of the account that is not deleted', async () => {
      const bob = await Desk.open(opened.plaza, client)
      const deleted = await made()
      await ann.delete(`${PATH}/${deleted}`)
      const { id } = dataOf(await lineItem())
      for (const tag of ['nosuchtag', deleted, await made({}, bob)]) {
        const form = { goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: tag }
        assert.deepEqual(errorOf(await lineItem(form)), NO_PRIMARY)
        const rejected = await ann.put(`/line_items/${id}`, form)
        assert.deepEqual(errorOf(rejected), NO_PRIMARY)
        const { errors } = rejected.json as { errors: { message: string }[] }
        assert.equal(errors[0]?.message, `Web Event Tag ${tag} was not found for Account ${ann.accountId}`)
      }
      assert.equal(dataOf(await ann.get(`/line_items/${id}`)).goal, 'LINK_CLICKS')
    })

    test('a line item keeps a tag that is deleted afterwards', async () => {
      const tag = await made()
      const form = { goal: 'WEBSITE_CONVERSIONS', primary_web_event_tag: tag }
      const { id } = dataOf(await lineItem(form))
      await ann.delete(`${PATH}/${tag}`)
      const saved = await ann.put(`/line_items/${id}`, { name: 'Renamed', ...form })
      assert.deepEqual([saved.status, dataOf(saved).primary_web_event_tag], [200, tag], saved.text)
    })
  })
}
