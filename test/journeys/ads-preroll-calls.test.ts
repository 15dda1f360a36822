import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cursorOf, Desk, dataOf, errorOf, listOf, paramsOf, totalOf } from '../support/ads-desk.ts'
import { Client } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { prerollLineItem } from '../support/targeting.ts'

const HOUR_MS = 3_600_000
const PATH = '/preroll_call_to_actions'
const VISIT = { call_to_action: 'VISIT_SITE', call_to_action_url: 'https://www.example.com' }
const WATCH = { call_to_action: 'WATCH_NOW', call_to_action_url: 'http://example.com/watch?a=b' }
const NO_LINE_ITEM = [404, 'LINE_ITEM_NOT_FOUND line_item_id']
const NO_CALL = [404, 'NOT_FOUND preroll_call_to_action_id']
const SECOND = [400, 'INVALID of line_item_id']

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id)

for (const stage of stages) {
  describe(`preroll call to actions on ${stage.name}`, { skip: stage.skip }, () => {
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
    /** Every test advertises for itself. */
    beforeEach(async () => {
      ann = await Desk.open(opened.plaza, client)
    })

    const lineItem = async (desk = ann) => (await prerollLineItem(desk.advertiser)).id
    const hang = (line_item_id: string, form: Record<string, string> = VISIT, desk = ann) =>
      desk.post(PATH, { line_item_id, ...form })
    const made = async (line_item_id?: string) => dataOf(await hang(line_item_id ?? (await lineItem())))
    const at = (id: string) => `${PATH}/${id}`
    const shown = async (query = '') => listOf(await ann.get(`${PATH}${query}`))

    test('are created, changed, and deleted permanently', async () => {
      const line_item_id = await lineItem()
      const reply = await hang(line_item_id)
      assert.equal(reply.status, 201, reply.text)
      const { id } = dataOf(reply)
      const now = () => new Date(opened.plaza.clock.now()).toISOString().replace('.000', '')
      const first = { id, line_item_id, ...VISIT, created_at: now(), updated_at: now(), deleted: false }
      assert.deepEqual(dataOf(reply), first)
      assert.deepEqual(paramsOf(reply), { account_id: ann.accountId, line_item_id, ...VISIT })

      opened.plaza.clock.advance(HOUR_MS)
      assert.deepEqual(dataOf(await ann.put(at(id), VISIT)), first, 'nothing was changed')
      const other = { ...first, call_to_action: WATCH.call_to_action, updated_at: now() }
      const changed = await ann.put(at(id), { call_to_action: WATCH.call_to_action })
      assert.deepEqual([changed.status, dataOf(changed)], [200, other])
      assert.deepEqual(paramsOf(changed), {
        account_id: ann.accountId,
        preroll_call_to_action_id: id,
        call_to_action: WATCH.call_to_action,
      })
      const elsewhere = { ...other, call_to_action_url: WATCH.call_to_action_url }
      assert.deepEqual(
        dataOf(await ann.put(at(id), { call_to_action_url: WATCH.call_to_action_url })),
        elsewhere,
      )
      assert.deepEqual(dataOf(await ann.get(at(id))), elsewhere)
      assert.deepEqual(await shown(), [elsewhere])

      const gone = await ann.delete(at(id))
      assert.deepEqual([gone.status, dataOf(gone)], [200, { ...elsewhere, deleted: true }])
      for (const again of [await ann.delete(at(id)), await ann.get(at(id)), await ann.put(at(id), VISIT)])
        assert.deepEqual(errorOf(again), NO_CALL)
      assert.deepEqual(dataOf(await ann.get(`${at(id)}?with_deleted=true`)), dataOf(gone))
      assert.deepEqual(await shown(), [])
      assert.deepEqual(await shown('?with_deleted=true'), [dataOf(gone)])
    })

    test('call for one of five things', async () => {
      const words = ['GO_TO', 'SEE_MORE', 'SHOP', 'VISIT_SITE', 'WATCH_NOW']
      const { id } = await made()
      for (const call_to_action of words) {
        const reply = await hang(await lineItem(), { ...VISIT, call_to_action })
        assert.deepEqual([reply.status, dataOf(reply).call_to_action], [201, call_to_action])
        assert.equal((await ann.put(at(id), { call_to_action })).status, 200)
      }
      const line_item_id = await lineItem()
      for (const call_to_action of ['visit_site', 'BUY', '']) {
        const wrong = [400, 'INVALID_PARAMETER call_to_action']
        assert.deepEqual(errorOf(await hang(line_item_id, { ...VISIT, call_to_action })), wrong)
        assert.deepEqual(errorOf(await ann.put(at(id), { call_to_action })), wrong)
      }
      assert.deepEqual(await shown(`?line_item_ids=${line_item_id}`), [])
    })

    test('lead to an address on the web of up to 2048 characters', async () => {
      const { id } = await made()
      const long = `https://example.com/${'a'.repeat(2048 - 20)}`
      for (const call_to_action_url of ['http://example.com', 'https://example.com/a?b=c#d', long]) {
        const reply = await hang(await lineItem(), { ...VISIT, call_to_action_url })
        assert.deepEqual([reply.status, dataOf(reply).call_to_action_url], [201, call_to_action_url])
        assert.equal((await ann.put(at(id), { call_to_action_url })).status, 200)
      }
      const line_item_id = await lineItem()
      for (const call_to_action_url of [
        'example.com',
        'ftp://example.com/',
        'https://a b.c',
        `${long}a`,
        '',
      ]) {
        const wrong = [400, 'INVALID_PARAMETER call_to_action_url']
        assert.deepEqual(errorOf(await hang(line_item_id, { ...VISIT, call_to_action_url })), wrong)
        assert.deepEqual(errorOf(await ann.put(at(id), { call_to_action_url })), wrong)
      }
      assert.equal(dataOf(await ann.get(at(id))).call_to_action_url, long)
    })

    test('need everything when they are made, and stay with their line item', async () => {
      const nothing = await ann.post(PATH, {})
      assert.deepEqual(errorOf(nothing), [
        400,
        'MISSING_PARAMETER line_item_id',
        'MISSING_PARAMETER call_to_action',
        'MISSING_PARAMETER call_to_action_url',
      ])
      const { id, line_item_id } = await made()
      const moved = await ann.put(at(id), { line_item_id: await lineItem() })
      assert.deepEqual(errorOf(moved), [400, 'INVALID_PARAMETER line_item_id'])
      assert.equal(dataOf(await ann.get(at(id))).line_item_id, line_item_id)
    })

    test('hang on a line item of the account that is there, with the objective PREROLL_VIEWS', async () => {
      const bob = await Desk.open(opened.plaza, client)
      const deleted = await lineItem()
      await ann.delete(`/line_items/${deleted}`)
      for (const id of ['nosuchid', deleted, await lineItem(bob)])
        assert.deepEqual(errorOf(await hang(id)), NO_LINE_ITEM)
      const views = { objective: 'VIDEO_VIEWS', product_type: 'MEDIA' }
      for (const values of [{}, views]) {
        const { id } = await ann.advertiser.lineItem(values)
        assert.deepEqual(errorOf(await hang(id)), [400, 'INCOMPATIBLE_LINE_ITEM line_item_id'])
      }
      assert.deepEqual(await shown('?with_deleted=true'), [])
      for (const entity_status of ['DRAFT', 'PAUSED']) {
        const forVideos = { objective: 'PREROLL_VIEWS', product_type: 'MEDIA', categories: ['IAB2'] }
        const { id } = await ann.advertiser.lineItem({ ...forVideos, entity_status })
        assert.equal((await hang(id)).status, 201)
      }
    })

    test('are one for each line item, and there is room for another once it is deleted', async () => {
      const line_item_id = await lineItem()
      const { id } = await made(line_item_id)
      for (const form of [VISIT, WATCH]) assert.deepEqual(errorOf(await hang(line_item_id, form)), SECOND)
      assert.deepEqual(idsOf(await shown()), [id])
      assert.equal((await hang(await lineItem(), WATCH)).status, 201)
      await ann.delete(at(id))
      const anew = await hang(line_item_id, WATCH)
      assert.equal(anew.status, 201)
      assert.notEqual(dataOf(anew).id, id)
    })

    test('of several writers one makes the call of a line item', async () => {
      const lines = [await lineItem(), await lineItem(), await lineItem(), await lineItem()]
      // In turns, for the connections to the database are many only once they were needed.
      for (const line_item_id of lines) {
        const replies = await Promise.all(Array.from({ length: 8 }, () => hang(line_item_id)))
        assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(7).fill(400)])
        for (const reply of replies.filter(({ status }) => status === 400))
          assert.deepEqual(errorOf(reply), SECOND)
      }
      assert.equal((await shown('?with_deleted=true')).length, lines.length)
    })

    test('of two concurrent writers, one deletes a call, and it cannot be changed afterwards', async () => {
      const path = at((await made()).id)
      const replies = await Promise.all([ann.delete(path), ann.put(path, WATCH), ann.delete(path)])
      const [first, changed, last] = replies.map(({ status }) => status)
      assert.deepEqual([first, last].sort(), [200, 404])
      assert.ok(changed === 200 || changed === 404)
      const { deleted, call_to_action } = dataOf(await ann.get(`${path}?with_deleted=true`))
      assert.deepEqual([deleted, call_to_action], [true, changed === 200 ? 'WATCH_NOW' : 'VISIT_SITE'])
    })

    test('of two writers with a member each both are kept', async () => {
      const { id } = await made()
      const { call_to_action, call_to_action_url } = WATCH
      const replies = await Promise.all([
        ann.put(at(id), { call_to_action }),
        ann.put(at(id), { call_to_action_url }),
      ])
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200],
      )
      const kept = dataOf(await ann.get(at(id)))
      assert.deepEqual([kept.call_to_action, kept.call_to_action_url], [call_to_action, call_to_action_url])
    })

    test('whose line item is deleted stay, shown only with deleted ones, and do not change', async () => {
      const [kept, doomed] = [await lineItem(), await lineItem()]
      const safe = await made(kept)
      const child = await made(doomed)
      await ann.delete(`/line_items/${doomed}`)
      const path = at(child.id)
      const withDeleted = async () =>
        (await shown('?with_deleted=true')).map(({ id, deleted }) => [id, deleted])
      for (const reply of [await ann.get(path), await ann.put(path, WATCH), await ann.put(path, {})])
        assert.deepEqual(errorOf(reply), NO_CALL)
      assert.deepEqual(dataOf(await ann.get(`${path}?with_deleted=true`)), child)
      assert.deepEqual(idsOf(await shown()), [safe.id])
      assert.deepEqual(await shown(`?line_item_ids=${doomed}`), [])
      assert.deepEqual(await withDeleted(), [
        [safe.id, false],
        [child.id, false],
      ])
      assert.equal(totalOf(await ann.get(`${PATH}?with_total_count=true`)), 1)
      assert.equal(dataOf(await ann.delete(path)).deleted, true)
      assert.deepEqual(await withDeleted(), [
        [safe.id, false],
        [child.id, true],
      ])
    })

    test('are never shown for a line item that is deleted at the same time', async () => {
      const [taken, free] = [await lineItem(), await lineItem()]
      const { id } = await made(taken)
      const [, , change, late] = await Promise.all([
        ann.delete(`/line_items/${taken}`),
        ann.delete(`/line_items/${free}`),
        ann.put(at(id), WATCH),
        hang(free),
      ])
      assert.ok(change.status === 200 || change.status === 404, change.text)
      assert.ok(late.status === 201 || late.status === 404, late.text)
      assert.deepEqual(await shown(), [])
      const all = await shown('?with_deleted=true')
      assert.equal(all.length, late.status === 201 ? 2 : 1)
      assert.equal(all[0]?.call_to_action, change.status === 200 ? 'WATCH_NOW' : 'VISIT_SITE')
    })

    test('are found by line item and by id, a page at a time', async () => {
      const lines = [await lineItem(), await lineItem(), await lineItem()]
      const calls: string[] = []
      for (const one of lines) calls.push((await made(one)).id)
      const [first, second, third] = calls as [string, string, string]
      const found = async (query: string) => idsOf(await shown(query))
      assert.deepEqual(await found(`?line_item_ids=${lines[2]},${lines[0]},nosuchid`), [first, third])
      assert.deepEqual(await found(`?preroll_call_to_action_ids=${second},nosuchid`), [second])
      assert.deepEqual(
        await found(`?line_item_ids=${lines[0]}&preroll_call_to_action_ids=${first},${second}`),
        [first],
      )
      assert.deepEqual(await found('?sort_by=created_at-desc'), [third, second, first])
      opened.plaza.clock.advance(HOUR_MS)
      await ann.put(at(first), WATCH)
      assert.deepEqual(await found('?sort_by=updated_at-desc&count=1'), [first])
      const page = await ann.get(`${PATH}?count=2`)
      assert.deepEqual(idsOf(listOf(page)), [first, second])
      const rest = await ann.get(`${PATH}?count=2&cursor=${cursorOf(page)}`)
      assert.deepEqual([idsOf(listOf(rest)), cursorOf(rest)], [[third], null])
      const many = Array.from({ length: 201 }, (_, index) => `a${index}`).join()
      for (const name of ['line_item_ids', 'preroll_call_to_action_ids'])
        assert.deepEqual(errorOf(await ann.get(`${PATH}?${name}=${many}`)), [
          400,
          `INVALID_PARAMETER ${name}`,
        ])
    })

    test('are nothing to strangers, nor to other accounts and the sandbox of the same person', async () => {
      const { id, line_item_id } = await made()
      const bob = await Desk.open(opened.plaza, client)
      const other = await Desk.open(opened.plaza, client, { person: ann.person })
      const sandbox = await Desk.open(opened.plaza, client, { person: ann.person, environment: 'sandbox' })
      for (const desk of [bob, other, sandbox]) {
        assert.deepEqual(listOf(await desk.get(`${PATH}?preroll_call_to_action_ids=${id}`)), [])
        assert.deepEqual(
          listOf(await desk.get(`${PATH}?line_item_ids=${line_item_id}&with_deleted=true`)),
          [],
        )
        const tries = [desk.get(`${at(id)}?with_deleted=true`), desk.put(at(id), WATCH), desk.delete(at(id))]
        for (const reply of await Promise.all(tries)) assert.deepEqual(errorOf(reply), NO_CALL)
        assert.deepEqual(errorOf(await hang(String(line_item_id), WATCH, desk)), NO_LINE_ITEM)
        assert.equal((await hang(await lineItem(desk), WATCH, desk)).status, 201)
      }
      assert.deepEqual(idsOf(await shown('?with_deleted=true')), [id])
      assert.equal(dataOf(await ann.get(at(id))).call_to_action, 'VISIT_SITE')
    })
  })
}
