import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Advertiser } from '../support/advertiser.ts'
import { Client, demoKeys, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'

type Data = Record<string, unknown> & { id: string }

const dataOf = (reply: Reply) => (reply.json as { data: Data }).data
const listOf = (reply: Reply) => (reply.json as { data: Data[] }).data
const errorsOf = (reply: Reply) => (reply.json as { errors: Record<string, string>[] }).errors
const cursorIn = (reply: Reply) => (reply.json as { next_cursor: string | null }).next_cursor

const LINE_ITEM = { objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS', placements: 'ALL_ON_SERVICE' }

for (const stage of stages) {
  describe(`campaigns on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Advertiser
    let base: string
    const keys = () => demoKeys(opened.plaza)
    const send = (method: string, path: string, form?: Record<string, string>) =>
      client.signed(method, path.startsWith('http') ? path : `${base}${path}`, keys(), form ? { form } : {})
    const batch = (entity: string, operations: unknown) =>
      client.signed(
        'POST',
        `${opened.plaza.urls.adsSandbox}/12/batch/accounts/${ann.account.id}/${entity}`,
        keys(),
        { json: operations },
      )

    before(async () => {
      opened = await stage.open({ rateLimits: 'off', activeCampaigns: 1000 })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    /** Every test advertises for itself. */
    async function fresh(): Promise<void> {
      const userId = opened.plaza.seeded?.apps[0]?.grants[0]?.userId ?? ''
      ann = await Advertiser.open(opened.plaza.context, userId, 'sandbox')
      base = `${opened.plaza.urls.adsSandbox}/12/accounts/${ann.account.id}`
    }

    test('a campaign from its funding to its end', async () => {
      await fresh()
      const funding = await send('POST', '/funding_instruments', {
        currency: 'USD',
        type: 'CREDIT_LINE',
        start_time: '2026-02-01',
      })
      assert.equal(funding.status, 201)
      const campaign = await send('POST', '/campaigns', {
        funding_instrument_id: dataOf(funding).id,
        name: 'Spring',
        daily_budget_amount_local_micro: '140000000',
        entity_status: 'DRAFT',
      })
      assert.equal(campaign.status, 201)
      const { id } = dataOf(campaign)
      assert.deepEqual(listOf(await send('GET', '/campaigns')), [])
      assert.deepEqual(
        listOf(await send('GET', '/campaigns?with_draft=true')).map((one) => one.id),
        [id],
      )
      assert.equal(dataOf(await send('GET', `/campaigns/${id}`)).entity_status, 'DRAFT')
      const published = await send('PUT', `/campaigns/${id}`, { entity_status: 'ACTIVE' })
      assert.equal(dataOf(published).entity_status, 'ACTIVE')
      const item = await send('POST', '/line_items', {
        campaign_id: id,
        ...LINE_ITEM,
        end_time: '2026-05-01',
      })
      assert.equal(item.status, 201)
      const { request, data } = item.json as { request: { params: object }; data: Data }
      assert.deepEqual(request.params, {
        account_id: ann.account.id,
        campaign_id: id,
        ...LINE_ITEM,
        placements: ['ALL_ON_SERVICE'],
        end_time: '2026-05-01T00:00:00Z',
      })
      assert.deepEqual(
        [data.goal, data.bid_strategy, data.pay_by, data.entity_status, data.creative_source, data.end_time],
        ['ENGAGEMENT', 'AUTO', 'ENGAGEMENT', 'ACTIVE', 'MANUAL', '2026-05-01T00:00:00Z'],
      )
      const cleared = await send('PUT', `/line_items/${data.id}`, { end_time: '', name: 'Mine' })
      assert.equal(dataOf(cleared).end_time, null)
      assert.equal((cleared.json as { request: { params: Data } }).request.params.end_time, null)

      const gone = await send('DELETE', `/campaigns/${id}`)
      assert.equal(gone.status, 200)
      assert.equal(dataOf(gone).deleted, true)
      assert.equal((await send('DELETE', `/campaigns/${id}`)).status, 404)
      assert.equal((await send('GET', `/campaigns/${id}`)).status, 404)
      assert.equal(dataOf(await send('GET', `/campaigns/${id}?with_deleted=true`)).deleted, true)
      assert.equal(dataOf(await send('GET', `/line_items/${data.id}`)).deleted, false)
      const [error] = errorsOf(await send('POST', '/line_items', { campaign_id: id, ...LINE_ITEM }))
      assert.deepEqual([error?.code, error?.parameter], ['CAMPAIGN_NOT_FOUND', 'campaign_id'])
    })

    test('a batch with a wrong 17th of 40 operations changes nothing, and says which', async () => {
      await fresh()
      const { id: campaign_id } = await ann.campaign()
      const create = (name: string) => ({
        operation_type: 'Create',
        params: { campaign_id, ...LINE_ITEM, placements: ['ALL_ON_SERVICE'], name },
      })
      const operations = Array.from({ length: 40 }, (_, index) => create(`Line ${index}`))
      const wrong = operations.with(16, create('x'.repeat(256)))
      const rejected = await batch('line_items', wrong)
      assert.equal(rejected.status, 400)
      const { operation_errors: errors, request } = rejected.json as {
        operation_errors: Record<string, string>[][]
        request: unknown[]
      }
      assert.equal(errors.length, 40)
      assert.equal(request.length, 40)
      assert.deepEqual(
        errors.flatMap((one, index) => (one.length > 0 ? [[index, one[0]?.parameter]] : [])),
        [[16, 'name']],
      )
      assert.equal('data' in (rejected.json as object), false)
      assert.deepEqual(listOf(await send('GET', '/line_items?with_deleted=true')), [])

      const done = await batch('line_items', operations)
      assert.equal(done.status, 200, done.text)
      assert.deepEqual(
        listOf(done).map(({ name }) => name),
        operations.map(({ params }) => params.name),
      )
      assert.equal(listOf(await send('GET', '/line_items')).length, 40)
    })

    test('a batch creates, changes and deletes in its order, and sees what it did itself', async () => {
      await fresh()
      const { id: campaign_id } = await ann.campaign()
      const [one, two] = [await ann.lineItem({ campaign_id }), await ann.lineItem({ campaign_id })]
      const done = await batch('line_items', [
        { operation_type: 'Update', params: { line_item_id: one.id, entity_status: 'PAUSED', name: null } },
        { operation_type: 'Delete', params: { line_item_id: two.id } },
        { operation_type: 'Create', params: { campaign_id, ...LINE_ITEM } },
      ])
      assert.equal(done.status, 200, done.text)
      assert.deepEqual(
        listOf(done).map(({ entity_status, deleted }) => [entity_status, deleted]),
        [
          ['PAUSED', false],
          ['ACTIVE', true],
          ['ACTIVE', false],
        ],
      )
      // The campaign has room for a hundred: two are there, and the batch itself makes the others.
      const many = Array.from({ length: 40 }, () => ({
        operation_type: 'Create',
        params: { campaign_id, ...LINE_ITEM },
      }))
      assert.equal((await batch('line_items', many)).status, 200)
      assert.equal((await batch('line_items', many)).status, 200)
      const full = await batch('line_items', many)
      const { operation_errors: errors } = full.json as { operation_errors: Record<string, string>[][] }
      assert.equal(
        errors.findIndex(([error]) => error?.code === 'TOO_MANY_LINE_ITEMS'),
        18,
      )
    })

    test('a batch that is invalid as a whole gets one error', async () => {
      await fresh()
      const { id } = await ann.campaign()
      const tooMany = Array.from({ length: 41 }, () => ({
        operation_type: 'Delete',
        params: { campaign_id: id },
      }))
      const pairs: [unknown, string][] = [
        [tooMany, 'REQUEST_TOO_COMPLEX'],
        [[], 'INVALID_PARAMETER'],
        [{}, 'INVALID_PARAMETER'],
        [tooMany.slice(0, 2), 'INVALID_PARAMETER'],
      ]
      for (const [body, code] of pairs) {
        const reply = await batch('campaigns', body)
        assert.equal(reply.status, 400)
        assert.equal(errorsOf(reply)[0]?.code, code)
      }
      assert.equal(dataOf(await send('GET', `/campaigns/${id}`)).deleted, false)
    })

    test('two writers of one line item both have their way', async () => {
      await fresh()
      const { id } = await ann.lineItem({ bid_amount_local_micro: 1_000_000 })
      const writers = Array.from({ length: 20 }, (_, turn) => [
        send('PUT', `/line_items/${id}`, { name: `Name ${turn}` }),
        send('PUT', `/line_items/${id}`, { bid_amount_local_micro: String((turn + 2) * 1_000_000) }),
      ]).flat()
      for (const reply of await Promise.all(writers)) assert.equal(reply.status, 200, reply.text)
      const { name, bid_amount_local_micro } = dataOf(await send('GET', `/line_items/${id}`))
      assert.match(String(name), /^Name \d+$/)
      assert.ok(Number(bid_amount_local_micro) >= 2_000_000)
    })

    test('two writers at the limit of a campaign do not both get in', async () => {
      await fresh()
      const { id: campaign_id } = await ann.campaign()
      for (let made = 0; made < 95; made++) await ann.lineItem({ campaign_id })
      const tries = await Promise.all(
        Array.from({ length: 12 }, () => send('POST', '/line_items', { campaign_id, ...LINE_ITEM })),
      )
      assert.equal(tries.filter(({ status }) => status === 201).length, 5)
      for (const reply of tries.filter(({ status }) => status !== 201))
        assert.equal(errorsOf(reply)[0]?.code, 'TOO_MANY_LINE_ITEMS')
    })

    test('a walk over a thousand line items neither repeats nor skips one while others come and go', async () => {
      await fresh()
      const { id: funding_instrument_id } = await ann.fund()
      const made: string[] = []
      const doomed: string[] = []
      // Those of one campaign together, so that they share a commit.
      for (let start = 0; start < 1000; start += 90) {
        const { id: campaign_id } = await ann.campaign({ funding_instrument_id })
        const counts = Array.from({ length: Math.min(90, 1000 - start) }, (_, n) => start + n)
        const items = counts.map((count) =>
          ann.lineItem({ campaign_id, bid_amount_local_micro: (count % 7) * 1_000_000 || null }),
        )
        for (const [n, { id }] of (await Promise.all(items)).entries())
          (n % 10 === 3 ? doomed : made).push(id)
      }
      const other = await ann.campaign({ funding_instrument_id })
      for (const sort of [
        '',
        '&sort_by=created_at-desc',
        '&sort_by=bid_amount_local_micro-asc',
        '&sort_by=updated_at-desc,bid_amount_local_micro-asc',
      ]) {
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const page: Reply = await send(
            'GET',
            `/line_items?count=90${sort}${cursor ? `&cursor=${cursor}` : ''}`,
          )
          assert.equal(page.status, 200, page.text)
          seen.push(...listOf(page).map(({ id }) => id))
          cursor = cursorIn(page)
          await ann.lineItem({ campaign_id: other.id })
          const gone = doomed.pop()
          if (gone) assert.equal((await send('DELETE', `/line_items/${gone}`)).status, 200)
        } while (cursor)
        assert.equal(new Set(seen).size, seen.length, `repeated with ${sort}`)
        const shown = new Set(seen)
        assert.deepEqual(
          made.filter((id) => !shown.has(id)),
          [],
          `skipped with ${sort}`,
        )
      }
    })

    test('lists sort, narrow, search and count', async () => {
      await fresh()
      const { id: funding_instrument_id } = await ann.fund()
      const names = ['beta', 'Alpha', 'alphabet', 'Gamma']
      const ids: Record<string, string> = {}
      for (const [index, name] of names.entries()) {
        opened.plaza.clock.advance(1000)
        const { id } = await ann.campaign({
          funding_instrument_id,
          name,
          total_budget_amount_local_micro: index === 0 ? null : index * 1_000_000,
        })
        ids[name] = id
      }
      const list = async (query: string) =>
        listOf(await send('GET', `/campaigns?${query}`)).map(({ name }) => name)
      assert.deepEqual(await list(''), names)
      assert.deepEqual(await list('sort_by=created_at-desc'), names.toReversed())
      assert.deepEqual(await list('sort_by=name-asc'), ['Alpha', 'alphabet', 'beta', 'Gamma'])
      assert.deepEqual(await list('sort_by=total_budget_amount_local_micro-desc'), names.toReversed())
      assert.deepEqual(await list('q=ALPHA'), ['Alpha', 'alphabet'])
      assert.deepEqual(await list('q=al%25'), [])
      assert.deepEqual(await list(`campaign_ids=${ids.Gamma},${ids.beta},nosuch`), ['beta', 'Gamma'])
      assert.deepEqual(
        await list(`funding_instrument_ids=${funding_instrument_id}&count=2`),
        names.slice(0, 2),
      )
      assert.deepEqual(await list('funding_instrument_ids=nosuch'), [])
      await send('DELETE', `/campaigns/${ids.beta}`)
      assert.deepEqual(await list(''), names.slice(1))
      assert.deepEqual(await list('with_deleted=true'), names)
      assert.deepEqual(await list('with_deleted=true&sort_by=deleted-desc'), [
        'beta',
        'Gamma',
        'alphabet',
        'Alpha',
      ])
      assert.deepEqual(await list('with_deleted=true&sort_by=updated_at-desc&count=1'), ['Gamma'])
      const counted = await send('GET', '/campaigns?with_total_count=true&count=1')
      assert.equal((counted.json as { total_count: number }).total_count, 3)
      assert.equal((await send('GET', '/campaigns')).text.includes('total_count'), false)
      const both = await send('GET', `/campaigns?with_total_count=true&cursor=${cursorIn(counted)}`)
      assert.equal(errorsOf(both)[0]?.code, 'EXCLUSIVE_PARAMETERS')
    })

    test('a cursor is good for its own list only, and not when it was touched', async () => {
      await fresh()
      const { id: funding_instrument_id } = await ann.fund()
      for (const name of ['a', 'b', 'c']) await ann.campaign({ funding_instrument_id, name })
      const cursor = cursorIn(await send('GET', '/campaigns?count=1')) ?? ''
      const next = await send('GET', `/campaigns?count=2&cursor=${cursor}`)
      assert.deepEqual(
        listOf(next).map(({ name }) => name),
        ['b', 'c'],
      )
      assert.equal(cursorIn(next), null)
      const former = base
      const others = [
        `/campaigns?cursor=${cursor}&sort_by=name-asc`,
        `/campaigns?cursor=${cursor}&with_deleted=true`,
        `/campaigns?cursor=${cursor}&q=a`,
        `/line_items?cursor=${cursor}`,
        `/campaigns?cursor=${cursor.slice(0, -2)}`,
        `/campaigns?cursor=${cursor}A`,
        '/campaigns?cursor=x',
      ]
      await fresh()
      const foreign = `${base}/campaigns?cursor=${cursor}`
      for (const path of [...others.map((one) => former + one), foreign]) {
        const reply = await send('GET', path)
        assert.equal(reply.status, 400, path)
        assert.deepEqual(
          [errorsOf(reply)[0]?.code, errorsOf(reply)[0]?.parameter],
          ['INVALID_PARAMETER', 'cursor'],
        )
      }
    })

    test('parameters may stand in the query, in a form or in JSON; the body wins', async () => {
      await fresh()
      const { id: funding_instrument_id } = await ann.fund()
      const path = `${base}/campaigns?funding_instrument_id=${funding_instrument_id}&name=query`
      const inQuery = await client.signed('POST', path, keys())
      assert.equal(dataOf(inQuery).name, 'query')
      const inForm = await client.signed('POST', path, keys(), { form: { name: 'form' } })
      assert.equal(dataOf(inForm).name, 'form')
      const inJson = await client.signed('POST', path, keys(), {
        json: { name: 'json', total_budget_amount_local_micro: 5_000_000, purchase_order_number: null },
      })
      assert.equal(dataOf(inJson).name, 'json')
      assert.equal(dataOf(inJson).total_budget_amount_local_micro, 5_000_000)
      const wrong = await client.signed('POST', path, keys(), { json: { name: { first: 'x' } } })
      assert.equal(errorsOf(wrong)[0]?.parameter, 'name')
    })

    test('paging in two orders at the same time returns every item once', async () => {
      await fresh()
      const { id: funding_instrument_id } = await ann.fund()
      const made: string[] = []
      for (let count = 0; count < 13; count++) {
        const draft = count % 4 === 1 ? { entity_status: 'DRAFT' } : {}
        const budget = count % 3 === 0 ? null : (count % 5) * 1_000_000 || null
        const campaign = await ann.campaign({
          funding_instrument_id,
          name: `Name ${count % 3}`,
          total_budget_amount_local_micro: budget,
          ...draft,
        })
        made.push(campaign.id)
        if (count % 3 === 0) await send('DELETE', `/campaigns/${campaign.id}`)
      }
      const attributes = ['deleted', 'created_at', 'updated_at', 'name', 'total_budget_amount_local_micro']
      const keys = attributes.flatMap((one) => [`${one}-asc`, `${one}-desc`])
      for (const [first, second] of keys.flatMap((one) => keys.map((other) => [one, other] as const))) {
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const query = `sort_by=${first},${second}&with_deleted=true&with_draft=true&count=4`
          const page: Reply = await send('GET', `/campaigns?${query}${cursor ? `&cursor=${cursor}` : ''}`)
          seen.push(...listOf(page).map(({ id }) => id))
          cursor = cursorIn(page)
        } while (cursor)
        assert.deepEqual(seen.toSorted(), made.toSorted(), `${first},${second}`)
      }
    })

    test('a cursor holds the longest name', async () => {
      await fresh()
      const { id: funding_instrument_id } = await ann.fund()
      for (const end of ['一', '二'])
        await ann.campaign({ funding_instrument_id, name: `${'\u{20000}'.repeat(254)}${end}` })
      const first = await send('GET', '/campaigns?count=1&sort_by=name-asc')
      const second = await send('GET', `/campaigns?count=1&sort_by=name-asc&cursor=${cursorIn(first)}`)
      assert.equal(second.status, 200, second.text.slice(0, 300))
      assert.equal(listOf(second).length, 1)
      await ann.campaign({ funding_instrument_id, name: 'ΟΔΟΣΑΒ' })
      const found = await send('GET', `/campaigns?q=${encodeURIComponent('ΟΔΟΣ')}`)
      assert.deepEqual(
        listOf(found).map(({ name }) => name),
        ['ΟΔΟΣΑΒ'],
      )
    })

    test('a line item can be paused after the budget of its campaign was lowered', async () => {
      await fresh()
      const campaign = await ann.campaign({ total_budget_amount_local_micro: 90_000_000 })
      const item = await ann.lineItem({
        campaign_id: campaign.id,
        bid_amount_local_micro: 10_000_000,
        total_budget_amount_local_micro: 90_000_000,
      })
      const lowered = await send('PUT', `/campaigns/${campaign.id}`, {
        total_budget_amount_local_micro: '5000000',
      })
      assert.equal(lowered.status, 200)
      const paused = await send('PUT', `/line_items/${item.id}`, { entity_status: 'PAUSED' })
      assert.equal(paused.status, 200, paused.text)
      const raised = await send('PUT', `/line_items/${item.id}`, { bid_amount_local_micro: '6000000' })
      assert.equal(raised.status, 400)
    })

    test('batches about the same rows in any order all come to an end', async () => {
      await fresh()
      const { id: funding_instrument_id } = await ann.fund()
      const ids: string[] = []
      for (let made = 0; made < 20; made++) ids.push((await ann.campaign({ funding_instrument_id })).id)
      const shuffled = (turn: number) =>
        ids.map((_, index) => ids[(index * 7 + turn * 3) % ids.length] as string)
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, turn) =>
          batch(
            'campaigns',
            shuffled(turn).map((campaign_id) => ({
              operation_type: 'Update',
              params: { campaign_id, name: `By batch ${turn}` },
            })),
          ),
        ),
      )
      for (const reply of replies) assert.equal(reply.status, 200, reply.text.slice(0, 300))
      const names = new Set(listOf(await send('GET', '/campaigns')).map(({ name }) => name))
      assert.equal(names.size, 1, 'the last batch had the last word on every row')
    })

    test('money is whole steps of its currency, and budgets fit into each other', async () => {
      await fresh()
      const rejected = async (form: Record<string, string>, currency = 'USD') => {
        const { id: funding_instrument_id } = await ann.fund({ currency })
        const reply = await send('POST', '/campaigns', { name: 'x', funding_instrument_id, ...form })
        return reply.status === 201 ? 'made' : errorsOf(reply)[0]?.code
      }
      assert.equal(await rejected({ daily_budget_amount_local_micro: '15000' }), 'INVALID_DENOMINATION')
      assert.equal(await rejected({ daily_budget_amount_local_micro: '20000' }), 'made')
      assert.equal(
        await rejected({ daily_budget_amount_local_micro: '500000' }, 'JPY'),
        'INVALID_DENOMINATION',
      )
      assert.equal(await rejected({ daily_budget_amount_local_micro: '3000000' }, 'JPY'), 'made')
      assert.equal(await rejected({ daily_budget_amount_local_micro: '0' }), 'INVALID_PARAMETER')
      const tooMuch = {
        daily_budget_amount_local_micro: '2000000',
        total_budget_amount_local_micro: '1000000',
      }
      assert.equal(await rejected(tooMuch), 'INVALID')
    })

    test('a funding instrument must be there, and must not have ended', async () => {
      await fresh()
      const ended = await ann.fund({ start_time: 0, end_time: 1000 })
      const later = await ann.fund({ start_time: opened.plaza.clock.now() + 86_400_000 })
      const open = async (id: string) => send('POST', '/campaigns', { name: 'x', funding_instrument_id: id })
      assert.equal(errorsOf(await open('nosuch'))[0]?.code, 'FUNDING_INSTRUMENT_NOT_FOUND')
      assert.equal(errorsOf(await open(ended.id))[0]?.code, 'INVALID_FUNDING_INSTRUMENT')
      assert.deepEqual(dataOf(await open(later.id)).reasons_not_servable, ['INCOMPLETE', 'FUNDING_PROBLEM'])
      const shown = dataOf(await send('GET', `/funding_instruments/${ended.id}`))
      assert.deepEqual([shown.able_to_fund, shown.reasons_not_able_to_fund], [false, ['EXPIRED']])
      const gone = dataOf(await send('DELETE', `/funding_instruments/${later.id}`))
      assert.deepEqual(
        [gone.deleted, gone.able_to_fund, gone.reasons_not_able_to_fund, gone.entity_status],
        [true, false, ['DELETED'], 'ACTIVE'],
      )
      assert.equal((await send('DELETE', `/funding_instruments/${later.id}`)).status, 404)
    })
  })
}

describe('the limit of campaigns', () => {
  test('holds for those that are active, and not for drafts', async () => {
    const [memory] = stages
    const opened = await memory?.open({ activeCampaigns: 3 })
    if (!opened) throw new Error('there is no stage')
    const client = new Client(opened.plaza)
    try {
      const keys = demoKeys(opened.plaza)
      const userId = opened.plaza.seeded?.apps[0]?.grants[0]?.userId ?? ''
      const ann = await Advertiser.open(opened.plaza.context, userId)
      const path = `${opened.plaza.urls.ads}/12/accounts/${ann.account.id}/campaigns`
      const { id: funding_instrument_id } = await ann.fund()
      const create = (form: Record<string, string> = {}) =>
        client.signed('POST', path, keys, { form: { name: 'x', funding_instrument_id, ...form } })
      for (const entity_status of ['ACTIVE', 'PAUSED', 'ACTIVE']) await create({ entity_status })
      assert.equal(errorsOf(await create())[0]?.code, 'TOO_MANY_CAMPAIGNS')
      const draft = await create({ entity_status: 'DRAFT' })
      assert.equal(draft.status, 201)
      const publish = () =>
        client.signed('PUT', `${path}/${dataOf(draft).id}`, keys, { form: { entity_status: 'ACTIVE' } })
      assert.equal(errorsOf(await publish())[0]?.code, 'TOO_MANY_CAMPAIGNS')
      const [first] = listOf(await client.signed('GET', path, keys))
      await client.signed('DELETE', `${path}/${first?.id}`, keys)
      assert.equal((await publish()).status, 200)
    } finally {
      await client.close()
      await opened.close()
    }
  })
})
