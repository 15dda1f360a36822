import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { AudienceReader } from '../../src/api/ads/delivery/audiences.ts'
import { adDelivery } from '../../src/api/ads/delivery/delivery.ts'
import { settle } from '../../src/api/ads/delivery/settle.ts'
import { spentAmounts } from '../../src/app/checks/ad-delivery.ts'
import { compareAll } from '../../src/app/checks/comparison.ts'
import { cellsIn, earliestRow } from '../../src/domain/ad-delivery/ledger.ts'
import { DELIVERED } from '../../src/domain/ad-delivery/metrics.ts'
import { promotedPeriods } from '../../src/domain/ad-delivery/promoted-posts.ts'
import { type LedgerLevel, ledgerBy, putSpending } from '../../src/domain/ad-delivery/queries.ts'
import { type Data, Desk, dataOf, errorOf, listOf } from '../support/ads-desk.ts'
import { updateProfile } from '../../src/identity/users/profile.ts'
import { Client, type Reply } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DOLLAR = 1_000_000
const RUNNING = [true, [], 'RUNNING']

const standing = ({ servable, reasons_not_servable, effective_status }: Data) => [
  servable,
  reasons_not_servable,
  effective_status,
]

const done = (reply: Reply): Data => {
  assert.ok(reply.status < 300, reply.text)
  return dataOf(reply)
}

for (const stage of stages) {
  describe(`the delivery of line items on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    let campaignId: string
    let fundingId: string

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', adPeoplePerUser: 10_000 })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
      fundingId = (await ann.advertiser.fund({ credit_limit_local_micro: 1_000 * DOLLAR })).id
      campaignId = (await ann.advertiser.campaign({ funding_instrument_id: fundingId })).id
    })

    const now = () => opened.plaza.clock.now()
    /** Moves the clock, and lets tasks that are due run. */
    async function pass(ms: number): Promise<void> {
      opened.plaza.clock.advance(ms)
      await opened.plaza.tasks.runDue('deliver advertisements')
    }

    async function promote(values: Record<string, unknown> = {}): Promise<string> {
      const { id } = await ann.advertiser.lineItem({
        campaign_id: campaignId,
        pay_by: 'ENGAGEMENT',
        ...values,
      })
      const { id: post } = await makePost(opened.plaza.context, { authorId: ann.person.id })
      done(await ann.post('/promoted_posts', { line_item_id: id, post_ids: post }))
      return id
    }

    /** The ledger of something, from one time to another. */
    async function ledger(level: LedgerLevel, id: string, fromMs = 0, untilMs = now() + DAY_MS) {
      const rows = await opened.plaza.context.store.all(ledgerBy[level], {
        account: ann.accountId,
        ids: JSON.stringify([id]),
        after: earliestRow(fromMs),
        before: untilMs,
      })
      return rows.flatMap((row) => cellsIn(row, { fromMs, untilMs }))
    }
    async function sum(metric: (typeof DELIVERED)[number], level: LedgerLevel, id: string, fromMs = 0) {
      const cells = await ledger(level, id, fromMs)
      return cells.reduce((total, { counts }) => total + (counts[DELIVERED.indexOf(metric)] ?? 0), 0)
    }
    const spent = (level: LedgerLevel, id: string, fromMs = 0) =>
      sum('billed_charge_local_micro', level, id, fromMs)
    const read = async (path: string) => dataOf(await ann.get(path))

    test('a running line item is shown, spends its daily budget, and its funding instrument pays', async () => {
      const lineItem = await promote({ daily_budget_amount_local_micro: 20 * DOLLAR })
      await pass(3 * DAY_MS)
      const whole = await spent('line_item_id', lineItem)
      assert.ok(whole > 40 * DOLLAR && whole <= 80 * DOLLAR, String(whole))
      assert.ok((await sum('impressions', 'line_item_id', lineItem)) > 1_000)
      for (const [level, id] of [
        ['campaign_id', campaignId],
        ['funding_instrument_id', fundingId],
        ['account_id', ann.accountId],
      ] as const)
        assert.equal(await spent(level, id), whole)
      const { credit_remaining_local_micro } = await read(`/funding_instruments/${fundingId}`)
      assert.equal(credit_remaining_local_micro, 1_000 * DOLLAR - whole)
      const [listed] = listOf(await ann.get(`/funding_instruments?funding_instrument_ids=${fundingId}`))
      assert.equal(listed?.credit_remaining_local_micro, 1_000 * DOLLAR - whole)
    })

    test('a total budget ends a line item, and more money lets it go on', async () => {
      const lineItem = await promote({ total_budget_amount_local_micro: 5 * DOLLAR })
      const path = `/line_items/${lineItem}`
      assert.deepEqual(standing(await read(path)), RUNNING)
      await pass(5 * DAY_MS)
      const exhausted = [false, ['BUDGET_EXHAUSTED'], 'UNKNOWN']
      assert.deepEqual(standing(await read(path)), exhausted)
      assert.deepEqual(standing(await read(`/campaigns/${campaignId}`)), exhausted)
      assert.equal(await spent('line_item_id', lineItem), 5 * DOLLAR)
      const less = await ann.put(path, { total_budget_amount_local_micro: String(4 * DOLLAR) })
      assert.deepEqual(errorOf(less), [400, 'SPEND_EXCEEDS_BUDGET of total_budget_amount_local_micro'])
      done(await ann.put(path, { total_budget_amount_local_micro: String(8 * DOLLAR) }))
      assert.deepEqual(standing(await read(path)), RUNNING)
      await pass(2 * DAY_MS)
      assert.equal(await spent('line_item_id', lineItem), 8 * DOLLAR)
    })

    test('the total budget of a campaign ends all its line items', async () => {
      done(await ann.put(`/campaigns/${campaignId}`, { total_budget_amount_local_micro: String(6 * DOLLAR) }))
      const lineItems = [await promote(), await promote(), await promote()]
      await pass(5 * DAY_MS)
      assert.equal(await spent('campaign_id', campaignId), 6 * DOLLAR)
      for (const path of [...lineItems.map((id) => `/line_items/${id}`), `/campaigns/${campaignId}`])
        assert.deepEqual(standing(await read(path)), [false, ['BUDGET_EXHAUSTED'], 'UNKNOWN'])
      const less = await ann.put(`/campaigns/${campaignId}`, { total_budget_amount_local_micro: '5000000' })
      assert.deepEqual(errorOf(less), [400, 'SPEND_EXCEEDS_BUDGET of total_budget_amount_local_micro'])
    })

    test('a funding instrument without money ends everything that it pays for', async () => {
      const { id: funding } = await ann.advertiser.fund({
        type: 'INSERTION_ORDER',
        funded_amount_local_micro: 3 * DOLLAR,
      })
      const { id: campaign_id } = await ann.advertiser.campaign({ funding_instrument_id: funding })
      const lineItem = await promote({ campaign_id })
      await pass(5 * DAY_MS)
      assert.equal(await spent('funding_instrument_id', funding), 3 * DOLLAR)
      assert.deepEqual(standing(await read(`/line_items/${lineItem}`)), [
        false,
        ['FUNDING_PROBLEM'],
        'UNKNOWN',
      ])
      const { able_to_fund, reasons_not_able_to_fund } = await read(`/funding_instruments/${funding}`)
      assert.deepEqual([able_to_fund, reasons_not_able_to_fund], [false, ['BUDGET_EXHAUSTED']])
    })

    test('what was delivered of a post is known by the hour', async () => {
      const { id } = await ann.advertiser.lineItem({ campaign_id: campaignId })
      const { id: post } = await makePost(opened.plaza.context, { authorId: ann.person.id })
      done(await ann.post('/promoted_posts', { line_item_id: id, post_ids: post }))
      await pass(30 * HOUR_MS)
      const { store } = opened.plaza.context
      const window = { fromMs: now() - 10 * HOUR_MS, untilMs: now() }
      const periods = (await promotedPeriods(store, [post, '1'], window)).get(post) ?? []
      assert.deepEqual(
        periods.map(({ fromMs }) => fromMs),
        Array.from({ length: 10 }, (_, hour) => window.fromMs + hour * HOUR_MS),
      )
      const cells = await ledger('line_item_id', id, window.fromMs)
      assert.deepEqual(
        periods.map(({ counts }) => counts.impressions),
        cells.map(({ counts }) => counts[0]),
      )
    })

    test('the metrics of a post are its own and what was delivered of any version of it', async () => {
      const { store } = opened.plaza.context
      await store.write((tx) => updateProfile(tx, ann.person.id, { subscription_type: 'Premium' }))
      const { id } = await ann.advertiser.lineItem({ campaign_id: campaignId })
      const { id: post } = await makePost(opened.plaza.context, { authorId: ann.person.id })
      const fields = 'post.fields=public_metrics,organic_metrics,promoted_metrics,non_public_metrics'
      const metrics = async (shown: string) => {
        const url = `${opened.plaza.urls.core}/2/posts/${shown}?${fields}`
        return dataOf(await client.signed('GET', url, ann.person.keys)) as unknown as Record<string, Data>
      }
      assert.equal((await metrics(post)).promoted_metrics, undefined)
      done(await ann.post('/promoted_posts', { line_item_id: id, post_ids: post }))
      await pass(20 * 60_000)
      const body = { text: 'Better now', edit_options: { previous_post_id: post } }
      const posts = `${opened.plaza.urls.core}/2/posts`
      const edited = done(await client.signed('POST', posts, ann.person.keys, { json: body })).id
      const second = await ann.advertiser.lineItem({ campaign_id: campaignId })
      done(await ann.post('/promoted_posts', { line_item_id: second.id, post_ids: edited }))
      await pass(30 * HOUR_MS)
      const impressions =
        (await sum('impressions', 'line_item_id', id)) + (await sum('impressions', 'line_item_id', second.id))
      const shown = await metrics(edited)
      assert.equal(shown.promoted_metrics?.impression_count, impressions)
      for (const name of ['impression_count', 'like_count', 'reply_count', 'repost_count'])
        assert.equal(
          shown.public_metrics?.[name],
          Number(shown.organic_metrics?.[name]) + Number(shown.promoted_metrics?.[name]),
        )
      assert.ok(impressions > 0)
      const window = { fromMs: now() - 40 * HOUR_MS, untilMs: now() }
      const periods = (await promotedPeriods(store, [post], window)).get(post) ?? []
      assert.equal(
        periods.reduce((all, { counts }) => all + counts.impressions, 0),
        impressions,
      )
    })

    test('a change affects only what comes after it', async () => {
      const lineItem = await promote({ daily_budget_amount_local_micro: 50 * DOLLAR })
      await pass(5 * HOUR_MS + 20 * 60_000)
      const pausedAt = now()
      done(await ann.put(`/line_items/${lineItem}`, { entity_status: 'PAUSED' }))
      const before = await sum('impressions', 'line_item_id', lineItem)
      assert.ok(before > 0)
      await pass(6 * HOUR_MS)
      assert.equal(await sum('impressions', 'line_item_id', lineItem), before)
      const resumedAt = now()
      done(await ann.put(`/line_items/${lineItem}`, { entity_status: 'ACTIVE' }))
      await pass(3 * HOUR_MS)
      assert.ok((await sum('impressions', 'line_item_id', lineItem)) > before)
      for (const { fromMs, untilMs } of await ledger('line_item_id', lineItem))
        assert.ok(untilMs <= pausedAt || fromMs >= resumedAt)
      done(await ann.delete(`/line_items/${lineItem}`))
      const deletedAt = now()
      await pass(DAY_MS)
      for (const { untilMs } of await ledger('line_item_id', lineItem)) assert.ok(untilMs <= deletedAt)
    })

    test('an hour is one cell of the ledger, however often the account is changed in it', async () => {
      const lineItem = await promote({ daily_budget_amount_local_micro: 50 * DOLLAR })
      for (let change = 0; change < 20; change++) {
        opened.plaza.clock.advance(6 * 60_000)
        done(await ann.put(`/line_items/${lineItem}`, { name: `Changed ${change} times` }))
      }
      await pass(HOUR_MS)
      const cells = await ledger('line_item_id', lineItem)
      assert.ok(cells.length <= 4, `${cells.length} cells`)
      const { credit_remaining_local_micro } = await read(`/funding_instruments/${fundingId}`)
      assert.equal(credit_remaining_local_micro, 1_000 * DOLLAR - (await spent('line_item_id', lineItem)))
    })

    test('nothing is shown before the start or after the end', async () => {
      const start_time = now() + 90 * 60_000
      const lineItem = await promote({ start_time, end_time: start_time + 5 * HOUR_MS })
      await pass(DAY_MS)
      const cells = await ledger('line_item_id', lineItem)
      assert.equal(cells[0]?.fromMs, start_time)
      for (const { untilMs } of cells) assert.ok(untilMs <= start_time + 5 * HOUR_MS)
    })

    test('the same hours are computed once, whoever computes them, and the same in any steps', async () => {
      const values = { daily_budget_amount_local_micro: 30 * DOLLAR }
      const lineItem = await promote(values)
      opened.plaza.clock.advance(30 * HOUR_MS)
      const { delivery } = opened.plaza.context
      const others = stage.shared ? [(await opened.second()).context.delivery] : [delivery]
      await Promise.all([delivery, ...others, delivery].map((each) => each.complete(ann.accountId)))
      const cells = await ledger('line_item_id', lineItem)
      assert.equal(new Set(cells.map(({ fromMs }) => fromMs)).size, cells.length)
      const whole = await spent('line_item_id', lineItem)
      await delivery.complete(ann.accountId)
      assert.equal(await spent('line_item_id', lineItem), whole)
      const { credit_remaining_local_micro } = await read(`/funding_instruments/${fundingId}`)
      assert.equal(credit_remaining_local_micro, 1_000 * DOLLAR - whole)
    })

    test('a spent amount that differs from the ledger is found and repaired', async () => {
      const lineItem = await promote()
      await pass(DAY_MS)
      const whole = await spent('line_item_id', lineItem)
      const { store } = opened.plaza.context
      const compare = async (repair: boolean) => {
        const found: unknown[] = []
        const options = {
          repair,
          found: (one: { name: string; expected: unknown }) => found.push(one.expected),
        }
        for await (const { compared } of compareAll(store, [spentAmounts], options)) assert.ok(compared > 0)
        return found
      }
      assert.deepEqual(await compare(false), [])
      const state = JSON.stringify({ spending: { spent: 1 } })
      const rows = JSON.stringify([{ id: fundingId, spent: 1, unit: 1, state }])
      await store.write((tx) => tx.run(putSpending, { account: ann.accountId, rows }))
      assert.deepEqual((await compare(true)).map(Number), [whole])
      assert.deepEqual(await compare(false), [])
    })

    test('nothing is delivered while delivery is off, and nothing is made up for', async () => {
      const lineItem = await promote()
      const { context } = opened.plaza
      const off = adDelivery({ ...context, config: { ...context.config, adDelivery: 'off' } })
      opened.plaza.clock.advance(DAY_MS)
      await off.settle(ann.accountId)
      await pass(HOUR_MS)
      const cells = await ledger('line_item_id', lineItem)
      for (const { fromMs } of cells) assert.ok(fromMs >= now() - HOUR_MS)
    })

    test('on the sandbox, nothing is delivered', async () => {
      const bob = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
      const { id } = await bob.advertiser.lineItem()
      const { id: post } = await makePost(opened.plaza.context, {
        authorId: bob.person.id,
        environment: 'sandbox',
      })
      done(await bob.post('/promoted_posts', { line_item_id: id, post_ids: post }))
      await pass(DAY_MS)
      const rows = await opened.plaza.context.store.all(ledgerBy.account_id, {
        account: bob.accountId,
        ids: '[]',
        after: 0,
        before: now(),
      })
      assert.deepEqual(rows, [])
    })

    test('a request computes a part of three years, and the next one goes on from there', async () => {
      const { id: campaign_id } = await ann.advertiser.campaign()
      const lineItem = await promote({ campaign_id, daily_budget_amount_local_micro: DOLLAR })
      const from = now()
      opened.plaza.clock.advance(3 * 365 * DAY_MS)
      const { context } = opened.plaza
      const parts = { store: context.store, audiences: new AudienceReader(context), maxSteps: 1 }
      assert.equal(await settle(ann.accountId, now(), parts), false)
      assert.ok((await spent('line_item_id', lineItem)) > 500 * DOLLAR)
      assert.equal(await settle(ann.accountId, now(), parts), true)
      const last = (await ledger('line_item_id', lineItem, now() - DAY_MS)).at(-1)
      assert.ok(last && last.untilMs > from + 1_090 * DAY_MS)
    })
  })
}
