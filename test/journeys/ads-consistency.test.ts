import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Desk, dataOf, errorOf, listOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const BID = { bid_amount_local_micro: '1000000' }
const PLACED = { product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' }

for (const stage of stages.filter(({ name }) => name !== 'SQLite file')) {
  describe(`what goes together in campaigns, on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let desk: Desk
    before(async () => {
      opened = await stage.open()
      client = new Client(opened.plaza)
      desk = await Desk.open(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const lineItem = async (objective: string, more: Record<string, string> = {}) => {
      const { id: campaign_id } = await desk.advertiser.campaign()
      const reply = await desk.post('/line_items', { campaign_id, objective, ...PLACED, ...more })
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply)
    }
    const turn = async (id: string, bid_strategy: string) => {
      const reply = await desk.put(`/line_items/${id}`, { bid_strategy, ...BID })
      assert.equal(reply.status, 200, reply.text)
      return dataOf(reply).pay_by
    }

    test('REACH and WEBSITE_CLICKS are paid by LINK_CLICK under TARGET, and as before when they leave it', async () => {
      for (const objective of ['REACH', 'WEBSITE_CLICKS']) {
        const made = await lineItem(objective, { bid_strategy: 'TARGET', ...BID })
        assert.equal(made.pay_by, 'LINK_CLICK', objective)
        const { id, pay_by } = await lineItem(objective)
        assert.equal(pay_by, 'IMPRESSION')
        assert.equal(await turn(id, 'TARGET'), 'LINK_CLICK')
        assert.equal(await turn(id, 'AUTO'), 'IMPRESSION')
        assert.equal(await turn(id, 'TARGET'), 'LINK_CLICK')
      }
    })

    test('a pay_by that was not chosen follows the goal', async () => {
      const { id, pay_by } = await lineItem('VIDEO_VIEWS')
      assert.equal(pay_by, 'VIEW')
      for (const [goal, paid] of [
        ['VIEW_3S_100PCT', 'VIEW_3S_100PCT'],
        ['VIEW_15S', 'IMPRESSION'],
        ['VIDEO_VIEW', 'VIEW'],
      ] as const) {
        const reply = await desk.put(`/line_items/${id}`, { goal })
        assert.equal(dataOf(reply).pay_by, paid, reply.text)
      }
      const app = { ios_app_store_identifier: '123456789' }
      assert.equal((await lineItem('APP_INSTALLS', { ...app, goal: 'APP_CLICKS' })).pay_by, 'APP_CLICK')
      assert.equal((await lineItem('APP_INSTALLS', app)).pay_by, 'IMPRESSION')
    })

    test('a pay_by that was chosen stays', async () => {
      const { id } = await lineItem('WEBSITE_CLICKS', { bid_strategy: 'MAX', pay_by: 'LINK_CLICK', ...BID })
      assert.equal(await turn(id, 'AUTO'), 'LINK_CLICK')
    })

    test('a campaign does not take budgets over from line items that have one by the day', async () => {
      const { id: campaign_id } = await desk.advertiser.campaign()
      const made = await desk.post('/line_items', {
        campaign_id,
        objective: 'ENGAGEMENTS',
        ...PLACED,
        daily_budget_amount_local_micro: '5000000',
      })
      const path = `/campaigns/${campaign_id}`
      const takeOver = () => desk.put(path, { budget_optimization: 'CAMPAIGN' })
      assert.deepEqual(errorOf(await takeOver()), [400, 'INVALID of budget_optimization'])
      assert.equal(dataOf(await desk.get(path)).budget_optimization, 'LINE_ITEM')
      await desk.put(`/line_items/${dataOf(made).id}`, { daily_budget_amount_local_micro: '' })
      assert.equal((await takeOver()).status, 200)
      const late = await desk.put(`/line_items/${dataOf(made).id}`, {
        daily_budget_amount_local_micro: '5000000',
      })
      assert.deepEqual(errorOf(late), [400, 'INVALID_PARAMETER daily_budget_amount_local_micro'])
    })

    test('a draft that was deleted is listed only with drafts and deleted ones', async () => {
      const own = await Desk.open(opened.plaza, client)
      const { id: funding_instrument_id } = await own.advertiser.fund()
      const campaign = async (entity_status: string) =>
        dataOf(await own.post('/campaigns', { name: entity_status, funding_instrument_id, entity_status }))
      const [draft, paused] = [await campaign('DRAFT'), await campaign('PAUSED')]
      for (const { id } of [draft, paused]) assert.equal((await own.delete(`/campaigns/${id}`)).status, 200)
      const listed = async (query: string) =>
        listOf(await own.get(`/campaigns${query}`)).map(({ name }) => name)
      assert.deepEqual(await listed('?with_deleted=true'), ['PAUSED'])
      assert.deepEqual(await listed('?with_draft=true'), [])
      assert.deepEqual(await listed('?with_deleted=true&with_draft=true'), ['DRAFT', 'PAUSED'])
      const counted = await own.get('/campaigns?with_deleted=true&with_total_count=true')
      assert.equal((counted.json as { total_count: number }).total_count, 1)
      assert.equal((await own.get(`/campaigns/${draft.id}`)).status, 404)
      assert.equal((await own.get(`/campaigns/${draft.id}?with_deleted=true`)).status, 200)
    })

    test('ids of other characters are 404 with their code, numeric ones too', async () => {
      for (const [path, parameter] of [
        ['/line_items/ABC!', 'line_item_id'],
        ['/cards/abc', 'card_id'],
        ['/draft_posts/12x', 'draft_post_id'],
        ['/cards/12345678901234567890', 'card_id'],
      ] as const)
        assert.deepEqual(
          errorOf(await desk.get(path)),
          [404, `INVALID_ID_ILLEGAL_CHARACTERS ${parameter}`],
          path,
        )
    })

    test('a kind of card that there is not is a path that there is not', async () => {
      const reply = await desk.delete('/cards/no_such_kind/1')
      assert.equal(reply.status, 404)
      assert.deepEqual((reply.json as { errors: object[] }).errors, [
        { code: 'ROUTE_NOT_FOUND', message: 'No such route' },
      ])
    })
  })
}
