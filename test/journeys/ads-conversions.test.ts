import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { adHocQuery } from '../../src/app/tables.ts'
import { Desk, dataOf, errorOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

const PURCHASE = {
  name: 'Purchases',
  type: 'PURCHASE',
  click_window: '30',
  view_through_window: '1',
  retargeting_enabled: 'true',
}
const HASHED_EMAIL = 'e586883b2b4faf78d48300a79e0e15138d664cdf796ffb86e533170a9893eda8'
const HOUR_MS = 3_600_000

const conversionsOf = adHocQuery<{ account: string }, Record<string, unknown>>(
  'conversionsOfTest',
  (db, at) => db.selectFrom('conversions').selectAll().where('account_id', '=', at.account).orderBy('id'),
)

for (const stage of stages) {
  describe(`conversions on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    let source: string
    let tag: string

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
      const made = dataOf(await ann.post('/web_event_tags', PURCHASE))
      ;[tag, source] = [made.id, String(made.website_tag_id)]
    })

    const one = (more: object = {}) => ({
      conversion_time: new Date(opened.plaza.clock.now()).toISOString(),
      event_id: tag,
      identifiers: [{ hashed_email: HASHED_EMAIL }],
      ...more,
    })
    const report = (conversions: unknown, desk = ann, id = source) =>
      client.signed('POST', `${opened.plaza.urls.ads}/12/measurement/conversions/${id}`, desk.person.keys, {
        json: { conversions },
      })
    const stored = () => opened.plaza.context.store.all(conversionsOf, { account: ann.accountId })

    test('an account has one event source, which its first tag creates', async () => {
      const tags = await Promise.all([1, 2, 3].map(() => ann.post('/web_event_tags', PURCHASE)))
      for (const other of tags) assert.equal(dataOf(other).website_tag_id, source)
      const bob = await Desk.open(opened.plaza, client)
      assert.notEqual(dataOf(await bob.post('/web_event_tags', PURCHASE)).website_tag_id, source)
    })

    test('are stored with their values, and verify their tag until it gets another type', async () => {
      const reply = await report([
        one({ value: '20.00', price_currency: 'EUR', number_items: 4, conversion_id: 'a' }),
        one({
          event_id: `SVC-${source}-${tag}`.toUpperCase(),
          identifiers: [{ click_id: 'x' }, { user_agent: '' }],
        }),
      ])
      assert.equal(reply.status, 200, reply.text)
      const [first, second] = await stored()
      assert.deepEqual(
        [
          first?.value_micro,
          first?.price_currency,
          first?.number_items,
          first?.hashed_email,
          first?.click_id,
        ],
        [20_000_000, 'EUR', 4, HASHED_EMAIL, null],
      )
      assert.deepEqual(
        [second?.value_micro, second?.price_currency, second?.number_items, second?.click_id],
        [0, 'USD', 1, 'x'],
      )
      const read = async () => dataOf(await ann.get(`/web_event_tags/${tag}`))
      const { status, last_tracked_at } = await read()
      assert.equal(status, 'TRACKING')
      assert.equal(
        Date.parse(String(last_tracked_at)),
        opened.plaza.clock.now() - (opened.plaza.clock.now() % 1000),
      )
      await ann.put(`/web_event_tags/${tag}`, { name: 'Renamed' })
      assert.equal((await read()).status, 'TRACKING')
      await ann.put(`/web_event_tags/${tag}`, { type: 'SIGN_UP' })
      assert.equal((await read()).status, 'UNVERIFIED')
    })

    test('are counted once for 48 hours if they have a name', async () => {
      const other = dataOf(await ann.post('/web_event_tags', PURCHASE)).id
      const count = async () => (await stored()).length
      await report([one({ conversion_id: 'a' }), one({ conversion_id: 'a' }), one(), one()])
      assert.equal(await count(), 3)
      const again = await report([one({ conversion_id: 'a' })])
      assert.deepEqual([again.status, await count()], [200, 3])
      await report([one({ conversion_id: 'a', event_id: other })])
      assert.equal(await count(), 4)
      await Promise.all(Array.from({ length: 8 }, () => report([one({ conversion_id: 'b' })])))
      assert.equal(await count(), 5)
      opened.plaza.clock.advance(49 * HOUR_MS)
      await report([one({ conversion_id: 'a' })])
      assert.equal(await count(), 6)
    })

    test('have a name of any 512 characters', async () => {
      const characters = Array.from({ length: 512 }, (_, at) => 0x10000 + ((at * at * 7919) % 0xffff))
      const conversion_id = String.fromCodePoint(...characters)
      for (const count of [1, 1]) {
        assert.equal((await report([one({ conversion_id })])).status, 200)
        assert.equal((await stored()).length, count)
      }
    })

    test('are all rejected if one is wrong, with each error once', async () => {
      const bad = { identifiers: [{ hashed_email: 'x' }] }
      const reply = await report([one(), one(bad), one(bad), one({ number_items: 0, value: 'much' })])
      assert.deepEqual(errorOf(reply), [
        400,
        'INVALID_PARAMETER hashed_email',
        'INVALID_PARAMETER number_items',
        'INVALID_PARAMETER value',
      ])
      assert.deepEqual(await stored(), [])
      for (const [change, expected] of [
        [{ price_currency: 'usd' }, [400, 'INVALID_PARAMETER price_currency']],
        [{ event_id: undefined }, [400, 'MISSING_PARAMETER event_id']],
        [{ event_id: source }, [400, 'INVALID_PARAMETER event_id']],
        [{ event_id: 'zzz' }, [404, 'NOT_FOUND event_id', 'INVALID_PARAMETER event_id']],
        [{ conversion_time: '2026-02-18' }, [400, 'INVALID_PARAMETER conversion_time']],
        [{ conversion_time: '2026-02-30T00:00:00Z' }, [400, 'INVALID_PARAMETER conversion_time']],
        [{ conversion_time: '2099-01-01T00:00:00Z' }, [400, 'INVALID_PARAMETER conversion_time']],
        [{ identifiers: [{ ip_address: '192.0.2.1' }] }, [400, 'INVALID_PARAMETER ']],
        [{ value: Number.MAX_VALUE }, [400, 'INVALID_PARAMETER value']],
        [{ conversion_id: 'x'.repeat(513) }, [400, 'INVALID_PARAMETER conversions[0].conversion_id']],
      ] as const)
        assert.deepEqual(errorOf(await report([one(change)])), expected, JSON.stringify(change))
      const pair = one({ identifiers: [{ ip_address: '192.0.2.1' }, { user_agent: 'Mozilla/5.0' }] })
      assert.equal((await report([pair])).status, 200)
      const tooMany = await report(Array.from({ length: 501 }, () => one()))
      assert.deepEqual(errorOf(tooMany), [400, 'INVALID_PARAMETER conversions'])
      assert.equal((await report(Array.from({ length: 500 }, () => one()))).status, 200)
      assert.equal((await stored()).length, 501)
      for (const none of [[], undefined]) assert.equal((await report(none)).status, 400)
    })

    test('belong to the account of their event source', async () => {
      const bob = await Desk.open(opened.plaza, client)
      assert.deepEqual(errorOf(await report([one()], bob)), [404, 'NOT_FOUND pixel_id'])
      assert.deepEqual(errorOf(await report([one()], ann, 'zzz')), [404, 'NOT_FOUND pixel_id'])
      const his = dataOf(await bob.post('/web_event_tags', PURCHASE))
      assert.equal(errorOf(await report([one({ event_id: his.id })]))[1], 'NOT_FOUND event_id')
      await ann.delete(`/web_event_tags/${tag}`)
      assert.equal(errorOf(await report([one()]))[1], 'NOT_FOUND event_id')
      assert.deepEqual(await stored(), [])
    })
  })
}
