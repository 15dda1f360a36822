import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { grantFeature } from '../../src/api/ads/accounts/queries.ts'
import { cellsIn, type DeliveryAbout, earliestRow } from '../../src/domain/ad-delivery/ledger.ts'
import { ledgerBy } from '../../src/domain/ad-delivery/queries.ts'
import { type Data, Desk, dataOf, listOf } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { makePost } from '../support/posts.ts'
import { type Opened, stages } from '../support/stages.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The account is in Los Angeles, where clocks do not change in April. */
const MIDNIGHT_MS = 7 * HOUR_MS
const SUMMER_MS = Date.UTC(2026, 3, 1) + MIDNIGHT_MS

const isoOf = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')
const done = (reply: Reply): Data => {
  assert.ok(reply.status < 300, reply.text)
  return dataOf(reply)
}
const isNear = (value: number, expected: number, within: number) =>
  assert.ok(Math.abs(value - expected) <= within, `${value} is not ${expected} ± ${within}`)

for (const stage of stages) {
  describe(`the delivery of A/B tests on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    /** A midnight of the account. */
    let start: number
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
      start = Math.max(SUMMER_MS, Math.ceil(now() / DAY_MS) * DAY_MS + MIDNIGHT_MS)
      setClock(start)
      fundingId = (await ann.advertiser.fund()).id
      const grant = { account_id: ann.accountId, feature_key: 'REACH_AND_FREQUENCY_ANALYTICS' }
      await opened.plaza.context.store.write((tx) => tx.run(grantFeature, grant))
    })

    const now = () => opened.plaza.clock.now()
    const setClock = (ms: number) => opened.plaza.clock.advance(ms - now())

    async function promote(values: Record<string, unknown>): Promise<string> {
      const { id } = await ann.advertiser.lineItem({ pay_by: 'ENGAGEMENT', ...values })
      const { id: post_ids } = await makePost(opened.plaza.context, { authorId: ann.person.id })
      done(await ann.post('/promoted_posts', { line_item_id: id, post_ids }))
      return id
    }
    async function campaign(entity_status = 'ACTIVE'): Promise<{ id: string; lineItem: string }> {
      const { id } = await ann.advertiser.campaign({ funding_instrument_id: fundingId, entity_status })
      return { id, lineItem: await promote({ campaign_id: id }) }
    }
    const compare = async (entity_type: string, sizes: Record<string, number>, more: object = {}) =>
      done(
        await ann.json('POST', '/ab_tests', {
          ...{ entity_type, start_time: isoOf(start + DAY_MS), end_time: isoOf(start + 3 * DAY_MS) },
          user_groups: Object.entries(sizes).map(([id, size]) => ({ size, entity_ids: [id] })),
          ...more,
        }),
      )

    const call = async (path: string, query: Record<string, string>) => {
      const url = `${opened.plaza.urls.ads}/12/stats/accounts/${ann.accountId}${path}`
      const reply = await client.signed('GET', `${url}?${new URLSearchParams(query)}`, ann.person.keys)
      assert.equal(reply.status, 200, reply.text)
      return listOf(reply)
    }
    /** The impressions of each entity in each of some days. */
    async function impressions(entity: string, ids: readonly string[], days: number): Promise<number[][]> {
      const stats = await call('', {
        ...{ entity, entity_ids: ids.join(), granularity: 'DAY', metric_groups: 'ENGAGEMENT' },
        ...{ start_time: isoOf(start), end_time: isoOf(start + days * DAY_MS), placement: 'ALL_ON_SERVICE' },
      })
      return stats.map((one) => {
        const [{ metrics }] = one.id_data as [{ metrics: { impressions: number[] } }]
        return metrics.impressions
      })
    }
    const reachOf = async (kind: string, id: string, day: number) => {
      const [one] = await call(`/reach/${kind}s`, {
        [`${kind}_ids`]: id,
        start_time: isoOf(start + day * DAY_MS),
        end_time: isoOf(start + (day + 1) * DAY_MS),
      })
      return Number(one?.total_audience_reach)
    }
    /** The rows of the ledger of a line item, with their parts of hours. */
    async function ledger(lineItem: string) {
      const untilMs = now() + DAY_MS
      const rows = await opened.plaza.context.store.all(ledgerBy.line_item_id, {
        ...{ account: ann.accountId, ids: JSON.stringify([lineItem]) },
        ...{ after: earliestRow(0), before: untilMs },
      })
      return rows
        .map((row) => {
          const cells = cellsIn(row, { fromMs: 0, untilMs })
          const about = JSON.parse(row.about) as DeliveryAbout
          return { about, fromMs: cells[0]?.fromMs ?? 0, untilMs: cells.at(-1)?.untilMs ?? 0 }
        })
        .sort((one, other) => one.fromMs - other.fromMs)
    }
    const stateOf = async (id: string) => done(await ann.get(`/ab_tests/${id}`)).status

    test('drafts are compared when they are active: each campaign meets its share while the test is live', async () => {
      const [one, other] = [await campaign('DRAFT'), await campaign()]
      const { id } = await compare('CAMPAIGN', { [one.id]: 80, [other.id]: 20 })
      done(await ann.put(`/campaigns/${one.id}/activate`, {}))
      assert.equal(await stateOf(id), 'SCHEDULED')
      setClock(start + 2 * DAY_MS)
      assert.equal(await stateOf(id), 'LIVE')
      setClock(start + 5 * DAY_MS)
      assert.equal(await stateOf(id), 'COMPLETED')
      const [of, ofOther] = (await impressions('CAMPAIGN', [one.id, other.id], 5)) as [number[], number[]]
      const shares = of.map((count, day) => count / (count + (ofOther[day] ?? 0)))
      for (const [day, share] of [0.5, 0.8, 0.8, 0.5, 0.5].entries()) isNear(shares[day] ?? 0, share, 0.03)
      // Together they meet everybody once, instead of twice.
      const both = of.map((count, day) => count + (ofOther[day] ?? 0))
      for (const [day, part] of [1, 0.5, 0.5, 1, 1].entries())
        isNear((both[day] ?? 0) / (both[0] ?? 0), part, 0.06)
      const lineItems = await impressions('LINE_ITEM', [one.lineItem, other.lineItem], 5)
      assert.deepEqual(lineItems, [of, ofOther])

      // Nobody is in two groups: who was reached by one was not reached by the other.
      for (const [day, isLive] of [false, true, true, false].entries()) {
        const reach = await reachOf('campaign', one.id, day)
        const reachOther = await reachOf('campaign', other.id, day)
        const all = await reachOf('funding_instrument', fundingId, day)
        if (isLive) isNear(all, reach + reachOther, 1)
        else assert.ok(all < 0.9 * (reach + reachOther), `${all} of ${reach} and ${reachOther}`)
      }
    })

    test('line items of a campaign meet a third each, from the second of the start to that of the end', async () => {
      const { id: campaign_id, lineItem } = await campaign()
      const ids = [lineItem, await promote({ campaign_id }), await promote({ campaign_id })] as const
      const [from, until] = [
        start + DAY_MS + 20 * 60_000 + 30 * SECOND_MS,
        start + 3 * DAY_MS - 7 * SECOND_MS,
      ]
      const sizes = Object.fromEntries(ids.map((id, at) => [id, at === 2 ? 33.34 : 33.33]))
      await compare('LINE_ITEM', sizes, { start_time: isoOf(from), end_time: isoOf(until) })
      // A line item that is not in the test meets everybody.
      const late = await promote({ campaign_id })
      setClock(start + 4 * DAY_MS)
      const counts = await impressions('LINE_ITEM', [...ids, late], 4)
      const wanted = ids.map(() => [1, 1 / 3, 1 / 3, 1]).concat([[1, 1, 1, 1]])
      for (const [at, days] of counts.entries())
        for (const [day, part] of wanted[at]?.entries() ?? [])
          isNear((days[day] ?? 0) / (counts[3]?.[0] ?? 0), part, 0.06)
      const audiences: number[] = []
      for (const id of ids) {
        const rows = await ledger(id)
        const live = rows.filter(({ about }) => about.share)
        assert.deepEqual([live[0]?.fromMs, live.at(-1)?.untilMs], [from, until])
        for (const { fromMs, untilMs, about } of rows)
          if (!about.share) assert.ok(untilMs <= from || fromMs >= until)
        audiences.push(live[0]?.about.audience ?? 0)
      }
      const [row] = await ledger(late)
      assert.equal(
        audiences.reduce((sum, audience) => sum + audience, 0),
        row?.about.audience,
      )
      assert.deepEqual(
        (await ledger(late)).filter(({ about }) => about.share),
        [],
      )
    })

    test('an end that is moved, and a deletion, count from then on', async () => {
      const [one, other, third] = [await campaign(), await campaign(), await campaign()]
      const moved = await compare('CAMPAIGN', { [one.id]: 50, [other.id]: 50 })
      const removed = await compare('CAMPAIGN', { [third.id]: 10, [(await campaign()).id]: 90 })
      setClock(start + 1.5 * DAY_MS)
      done(await ann.json('PUT', `/ab_tests/${moved.id}`, { end_time: isoOf(start + 2 * DAY_MS) }))
      done(await ann.delete(`/ab_tests/${removed.id}`))
      const deletedAt = now()
      setClock(start + 3 * DAY_MS)
      const [of = [], ofThird = []] = await impressions('CAMPAIGN', [one.id, third.id], 3)
      const [before = 0] = of
      isNear((of[1] ?? 0) / before, 0.5, 0.05)
      isNear((of[2] ?? 0) / before, 1, 0.06)
      isNear((ofThird[2] ?? 0) / before, 1, 0.06)
      for (const { about, fromMs, untilMs } of await ledger(third.lineItem)) {
        const isLive = fromMs >= start + DAY_MS && untilMs <= deletedAt
        assert.deepEqual(about.share, isLive ? [removed.id, 0, 1_000] : undefined)
      }
    })
  })
}
