import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Desk, dataOf, errorOf } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

// Amounts are 64-bit integers. JavaScript reads these numbers alike, so that replies are compared
// as text.

const MAX = '9223372036854775807'
const ABOVE = '9223372036854775808'
/** Multiples of 10,000, the smallest step of US dollars. */
const LARGE = '9223372036854770000'
const LESS = '9223372036854760000'
const BID = 'bid_amount_local_micro'
const TOTAL = 'total_budget_amount_local_micro'
const DAILY = 'daily_budget_amount_local_micro'
const FUNDED = 'funded_amount_local_micro'

/** The digits that follow a name in the text of a reply, wherever it stands. */
const digitsOf = ({ text }: Reply, name: string) =>
  [...text.matchAll(new RegExp(`"${name}":(null|[^,{}]+)`, 'g'))].map(([, digits]) => digits)

for (const stage of stages) {
  describe(`amounts of 64 bits on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let desk: Desk
    let sandbox: Desk
    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      desk = await Desk.open(opened.plaza, client)
      sandbox = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const created = (reply: Reply) => {
      assert.equal(reply.status, 201, reply.text)
      return dataOf(reply)
    }
    /** A call whose body is JSON text as it is here: a number in it has all of its digits. */
    const raw = (method: string, path: string, body: string, by = desk) => {
      const url = `${by === desk ? opened.plaza.urls.ads : opened.plaza.urls.adsSandbox}/12${path.replace('{account}', `accounts/${by.accountId}`)}`
      const authorization = client.sign(method, url, by.person.keys)
      const headers = { authorization, 'content-type': 'application/json' }
      return client.send(method, url, { headers, body: Buffer.from(body) })
    }
    const funding = (amount: string) =>
      sandbox.post('/funding_instruments', {
        currency: 'USD',
        type: 'INSERTION_ORDER',
        start_time: '2026-01-01',
        [FUNDED]: amount,
      })
    const placed = { objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' }

    test('every amount up to 9223372036854775807 is kept as it was sent: as text, as a number, as a string', async () => {
      for (const amount of ['9007199254740991', '9007199254740992', '9007199254740993', MAX]) {
        const form = await funding(amount)
        assert.deepEqual(digitsOf(form, FUNDED), [amount, amount])
        for (const sent of [amount, `"${amount}"`]) {
          const body = `{"currency":"USD","type":"CREDIT_LINE","start_time":"2026-01-01","credit_limit_local_micro":${sent}}`
          const reply = await raw('POST', '/{account}/funding_instruments', body, sandbox)
          assert.equal(reply.status, 201, reply.text)
          assert.deepEqual(digitsOf(reply, 'credit_limit_local_micro'), [amount, amount])
          assert.deepEqual(digitsOf(reply, 'credit_remaining_local_micro'), [amount])
          const got = await sandbox.get(`/funding_instruments/${dataOf(reply).id}`)
          assert.deepEqual(digitsOf(got, 'credit_limit_local_micro'), [amount])
          assert.equal(dataOf(got).able_to_fund, true)
        }
      }
    })

    test('an amount above the range is 400 with the parameter and the value, and changes nothing', async () => {
      const { id } = created(await desk.post('/campaigns', await named({ [TOTAL]: LARGE })))
      const path = `/campaigns/${id}`
      const before = (await desk.get(path)).text
      const numbers = [ABOVE, '18446744073709551616', '123456789012345678901234567890']
      for (const value of numbers) {
        for (const reply of [
          await desk.put(path, { [TOTAL]: value }),
          await raw('PUT', `/{account}${path}`, `{"${TOTAL}":${value}}`),
          await raw('PUT', `/{account}${path}`, `{"${TOTAL}":"${value}"}`),
        ]) {
          assert.deepEqual(errorOf(reply), [400, `INVALID_PARAMETER ${TOTAL}`], value)
          assert.ok(reply.text.includes(`got \\"${value}\\" for ${TOTAL}`), reply.text)
        }
        const operation = `[{"operation_type":"Update","params":{"campaign_id":"${id}","${TOTAL}":${value}}}]`
        const batch = await raw('POST', '/batch/{account}/campaigns', operation)
        assert.equal(batch.status, 400)
        assert.ok(batch.text.includes(`got \\"${value}\\" for ${TOTAL}`), batch.text)
      }
      const reply = await desk.put(path, { [TOTAL]: ABOVE })
      assert.ok(
        reply.text.includes(`Expected a value between 1 and ${MAX}, got \\"${ABOVE}\\" for ${TOTAL}`),
        reply.text,
      )
      const fraction = await raw('PUT', `/{account}${path}`, `{"${TOTAL}":1e19}`)
      assert.deepEqual(errorOf(fraction), [400, `INVALID_PARAMETER ${TOTAL}`])
      assert.ok(fraction.text.includes('got \\"10000000000000000000\\"'), fraction.text)
      assert.equal((await desk.get(path)).text, before)
    })

    const named = async (more: Record<string, string>) => ({
      name: 'Large',
      funding_instrument_id: (await desk.advertiser.fund()).id,
      ...more,
    })

    test('the smallest step and the order of budgets hold to the last digit', async () => {
      const wrong = await desk.post('/campaigns', await named({ [TOTAL]: MAX }))
      assert.deepEqual(errorOf(wrong), [400, `INVALID_DENOMINATION ${TOTAL}`])
      assert.ok(wrong.text.includes(`got \\"${MAX}\\"`), wrong.text)
      const above = await desk.post('/campaigns', await named({ [DAILY]: LARGE, [TOTAL]: LESS }))
      assert.deepEqual(errorOf(above), [400, `INVALID of ${DAILY}`])
      const { id: campaign_id } = created(await desk.post('/campaigns', await named({ [TOTAL]: LESS })))
      const item = { campaign_id, ...placed, bid_strategy: 'MAX', [BID]: '1000000000' }
      const larger = await desk.post('/line_items', { ...item, [TOTAL]: LARGE })
      assert.deepEqual(errorOf(larger), [400, `INVALID of ${TOTAL}`])
      assert.ok(larger.text.includes(`Expected at most ${LESS}, `), larger.text)
      assert.ok(larger.text.includes(`got \\"${LARGE}\\"`), larger.text)
      const made = created(await desk.post('/line_items', { ...item, [TOTAL]: LESS }))
      assert.deepEqual(digitsOf(await desk.get(`/line_items/${made.id}`), TOTAL), [LESS])
      const bid = await desk.put(`/line_items/${made.id}`, { [BID]: LARGE })
      assert.deepEqual(errorOf(bid), [400, `INVALID_PARAMETER ${BID}`, `INVALID of ${BID}`])
      // A budget above that of its campaign keeps it from being shown, by 10,000 of this many.
      await desk.put(`/campaigns/${campaign_id}`, { [TOTAL]: '9223372036854750000' })
      const shown = dataOf(await desk.get(`/line_items/${made.id}`))
      assert.ok((shown.reasons_not_servable as string[]).includes('BUDGET_EXHAUSTED'))
      await desk.put(`/campaigns/${campaign_id}`, { [TOTAL]: LESS })
      const again = dataOf(await desk.get(`/line_items/${made.id}`))
      assert.ok(!(again.reasons_not_servable as string[]).includes('BUDGET_EXHAUSTED'))
    })

    test('they are changed, echoed, taken away, and kept in drafts and in the history', async () => {
      const reply = await desk.post('/campaigns', await named({ entity_status: 'DRAFT', [TOTAL]: LESS }))
      const { id } = created(reply)
      assert.deepEqual(digitsOf(reply, TOTAL), [LESS, LESS])
      const path = `/campaigns/${id}`
      const changed = await desk.put(path, { [TOTAL]: LARGE })
      assert.deepEqual(digitsOf(changed, TOTAL), [LARGE, LARGE])
      await desk.put(path, { [TOTAL]: '' })
      assert.deepEqual(digitsOf(await desk.get(`${path}?with_draft=true`), TOTAL), ['null'])
      const history = await desk.get(
        `/account_history?entity_type=CAMPAIGN&entity_id=${id}&start_time=2026-03-01&end_time=2026-03-05`,
      )
      assert.equal(history.status, 200, history.text)
      assert.ok(history.text.includes(`"${TOTAL}":{"before":${LESS},"after":${LARGE}}`), history.text)
      assert.ok(history.text.includes(`"${TOTAL}":{"before":${LARGE},"after":null}`), history.text)
      assert.ok(history.text.includes(`"${TOTAL}":${LESS}`), history.text)
    })

    test('what was loaded can be saved, and a neighbour is another value', async () => {
      const { id } = created(await desk.post('/campaigns', await named({ [TOTAL]: LARGE })))
      const path = `/campaigns/${id}`
      const loaded = (await desk.get(path)).text
      const whole = /"data":(\{.*\})\}$/.exec(loaded)?.[1] ?? ''
      assert.ok(whole.includes(`"${TOTAL}":${LARGE}`), loaded)
      opened.plaza.clock.advance(1000)
      assert.equal((await raw('PUT', `/{account}${path}`, whole)).status, 200)
      assert.equal((await desk.get(path)).text, loaded)
      await raw('PUT', `/{account}${path}`, whole.replace(LARGE, LESS))
      const after = await desk.get(path)
      assert.deepEqual(digitsOf(after, TOTAL), [LESS])
      assert.notEqual(dataOf(after).updated_at, JSON.parse(loaded).data.updated_at)
    })

    test('lists show them, and walk in their order page by page', async () => {
      const own = await Desk.open(opened.plaza, client)
      const { id: funding_instrument_id } = await own.advertiser.fund()
      const totals = [
        '9223372036854770000',
        '9223372036854760000',
        '9223372036854750000',
        '9007199254740000',
        '9007199254750000',
        '10000',
      ]
      const campaign = { name: 'A campaign', funding_instrument_id }
      for (const total of totals) created(await own.post('/campaigns', { ...campaign, [TOTAL]: total }))
      created(await own.post('/campaigns', campaign))
      assert.deepEqual(digitsOf(await own.get('/campaigns'), TOTAL), [...totals, 'null'])
      for (const direction of ['asc', 'desc']) {
        const walked: (string | undefined)[] = []
        for (let cursor = ''; ; ) {
          const page = await own.get(`/campaigns?sort_by=${TOTAL}-${direction}&count=1${cursor}`)
          assert.equal(page.status, 200, page.text)
          walked.push(...digitsOf(page, TOTAL))
          const next = (page.json as { next_cursor: string | null }).next_cursor
          if (next === null) break
          cursor = `&cursor=${next}`
        }
        const ordered = ['null', '10000', '9007199254740000', '9007199254750000']
        ordered.push('9223372036854750000', '9223372036854760000', '9223372036854770000')
        assert.deepEqual(walked, direction === 'asc' ? ordered : ordered.toReversed())
      }
    })

    test('a list of funding instruments is walked between neighbours', async () => {
      const own = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
      for (const amount of [MAX, '9223372036854775806', '9223372036854775805'])
        created(
          await own.post('/funding_instruments', {
            currency: 'USD',
            type: 'INSERTION_ORDER',
            start_time: '2026-01-01',
            [FUNDED]: amount,
          }),
        )
      const first = await own.get(`/funding_instruments?sort_by=${FUNDED}-asc&count=2`)
      assert.deepEqual(digitsOf(first, FUNDED), ['9223372036854775805', '9223372036854775806'])
      const { next_cursor } = first.json as { next_cursor: string }
      const rest = await own.get(`/funding_instruments?sort_by=${FUNDED}-asc&count=2&cursor=${next_cursor}`)
      assert.deepEqual(digitsOf(rest, FUNDED), [MAX])
    })

    test('batches create and change them', async () => {
      const { funding_instrument_id } = await named({})
      const params = (more: string) =>
        `{"name":"Batch","funding_instrument_id":"${funding_instrument_id}",${more}}`
      const reply = await raw(
        'POST',
        '/batch/{account}/campaigns',
        `[{"operation_type":"Create","params":${params(`"${TOTAL}":${LARGE}`)}},
          {"operation_type":"Create","params":${params(`"${TOTAL}":"${LESS}"`)}}]`,
      )
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(digitsOf(reply, TOTAL).sort(), [LESS, LESS, LARGE, LARGE])
      const [one, two] = (reply.json as { data: { id: string }[] }).data
      const changed = await raw(
        'POST',
        '/batch/{account}/campaigns',
        `[{"operation_type":"Update","params":{"campaign_id":"${one?.id}","${TOTAL}":${LESS}}},
          {"operation_type":"Delete","params":{"campaign_id":"${two?.id}"}}]`,
      )
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(digitsOf(changed, TOTAL), [LESS, LESS, LESS])
    })
  })
}
