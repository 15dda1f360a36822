import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Admin } from '../support/admin.ts'
import { type Data, dataOf, errorOf, listOf } from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { type Opened, stages } from '../support/stages.ts'

const RUNNING = { servable: true, reasons_not_servable: [], effective_status: 'RUNNING' }
const not = (effective_status: string, ...reasons: string[]) => ({
  servable: false,
  reasons_not_servable: reasons,
  effective_status,
})

const standing = ({ servable, reasons_not_servable, effective_status }: Data) => ({
  servable,
  reasons_not_servable,
  effective_status,
})

const status = (before: string, after: string) => ({ entity_status: { before, after } })

for (const stage of stages) {
  describe(`a campaign and the clock on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let admin: Admin
    let ann: Person
    let account: string
    let campaign: string
    let lineItem: string

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' }, { usesOwnClock: true, backgroundTasks: true })
      client = new Client(opened.plaza)
      admin = new Admin(opened.plaza, client)
      await admin.call('PUT', '/clock', { now: '2030-01-01T00:00:00.000Z', frozen: true })
      ann = await Person.join(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    /** A call about the account. */
    const send = (method: string, path: string, form?: Record<string, string>): Promise<Reply> =>
      ann.try(method, `/accounts/${account}${path}`, form)
    async function make(path: string, form: Record<string, string>): Promise<Data> {
      const made = await send('POST', path, form)
      assert.equal(made.status, 201, made.text)
      return dataOf(made)
    }

    async function advance(by: string, to: string): Promise<void> {
      const reading = await admin.call('POST', '/clock/advance', { by, timeout_seconds: 120 })
      assert.deepEqual([reading.now, reading.settled], [to, true])
    }

    /** The status of both, as single reads and lists return it. */
    async function shown(): Promise<object[]> {
      const both = []
      for (const [kind, id] of [
        ['line_item', lineItem],
        ['campaign', campaign],
      ] as const) {
        const read = dataOf(await send('GET', `/${kind}s/${id}`))
        const listed = listOf(await send('GET', `/${kind}s?${kind}_ids=${id}&with_draft=true`))
        assert.deepEqual(listed, [read])
        both.push(standing(read))
      }
      return both
    }
    const assertShown = async (lineItemIs: object, campaignIs = lineItemIs) =>
      assert.deepEqual(await shown(), [lineItemIs, campaignIs])

    /** Changes both, and asserts that each has the status now. */
    async function set(entity_status: string): Promise<void> {
      for (const path of [`/campaigns/${campaign}`, `/line_items/${lineItem}`]) {
        const reply = await send('PUT', path, { entity_status })
        assert.equal(reply.status, 200, reply.text)
        assert.equal(dataOf(reply).entity_status, entity_status)
      }
    }

    async function history(entity_type: string, entity_id: string) {
      const period = 'start_time=2030-01-01&end_time=2030-01-07'
      const reply = await send(
        'GET',
        `/account_history?entity_type=${entity_type}&entity_id=${entity_id}&${period}`,
      )
      return listOf(reply).map(({ change_time, change_type, changes, change_by }) => {
        assert.deepEqual(change_by, { user_id: ann.id, platform: 'API_OTHER' })
        return [change_time, change_type, changes]
      })
    }

    test('drafts are not shown, say why, and are in lists only on request', async () => {
      account = dataOf(await ann.try('POST', '/accounts')).id
      const money = { currency: 'USD', type: 'CREDIT_LINE', start_time: '2030-01-01' }
      const funding = await make('/funding_instruments', money)
      const draft = { entity_status: 'DRAFT' }
      campaign = (await make('/campaigns', { name: 'New year', funding_instrument_id: funding.id, ...draft }))
        .id
      const made = await make('/line_items', {
        campaign_id: campaign,
        objective: 'ENGAGEMENTS',
        product_type: 'PROMOTED_POSTS',
        placements: 'ALL_ON_SERVICE',
        start_time: '2030-01-02T00:00:00Z',
        end_time: '2030-01-05T00:00:00Z',
        ...draft,
      })
      lineItem = made.id
      assert.deepEqual(
        [made.entity_status, made.start_time, made.end_time, made.created_at],
        ['DRAFT', '2030-01-02T00:00:00Z', '2030-01-05T00:00:00Z', '2030-01-01T00:00:00Z'],
      )
      const empty = not('UNKNOWN', 'AWAITING_APPROVAL_BY_ADVERTISER', 'INCOMPLETE', 'STARTS_IN_FUTURE')
      await assertShown(empty)
      for (const path of ['/campaigns', '/line_items']) assert.deepEqual(listOf(await send('GET', path)), [])
    })

    test('complete and no longer drafts, they wait for their start', async () => {
      await advance('1h', '2030-01-01T01:00:00.000Z')
      const post = await make('/post', { as_user_id: ann.id, text: 'A happy new year' })
      await make('/promoted_posts', { line_item_id: lineItem, post_ids: String(post.id_str) })
      await assertShown(not('UNKNOWN', 'AWAITING_APPROVAL_BY_ADVERTISER', 'STARTS_IN_FUTURE'))
      await set('ACTIVE')
      await assertShown(not('UNKNOWN', 'STARTS_IN_FUTURE'))
      const back = await send('PUT', `/line_items/${lineItem}`, { entity_status: 'DRAFT' })
      assert.deepEqual(errorOf(back), [400, 'INVALID_PARAMETER entity_status'])
    })

    test('they run from their start', async () => {
      await advance('22h59m59s', '2030-01-01T23:59:59.000Z')
      await assertShown(not('UNKNOWN', 'STARTS_IN_FUTURE'))
      await advance('1s', '2030-01-02T00:00:00.000Z')
      await assertShown(RUNNING)
    })

    test('a pause in between stops them', async () => {
      await advance('1d', '2030-01-03T00:00:00.000Z')
      await set('PAUSED')
      await assertShown(not('PAUSED', 'PAUSED_BY_ADVERTISER'))
      await advance('6h', '2030-01-03T06:00:00.000Z')
      await set('ACTIVE')
      await assertShown(RUNNING)
    })

    test('they have ended at their end, and stay so', async () => {
      await advance('1d17h59m59s', '2030-01-04T23:59:59.000Z')
      await assertShown(RUNNING)
      await advance('1s', '2030-01-05T00:00:00.000Z')
      await assertShown(not('UNKNOWN', 'EXPIRED'))
      await advance('1d', '2030-01-06T00:00:00.000Z')
      await assertShown(not('UNKNOWN', 'EXPIRED'))
    })

    test('the history has what the advertiser changed, at the times of the clock, and nothing of what passed', async () => {
      const expected = [
        ['2030-01-03T06:00:00Z', 'UPDATE', status('PAUSED', 'ACTIVE')],
        ['2030-01-03T00:00:00Z', 'UPDATE', status('ACTIVE', 'PAUSED')],
        ['2030-01-01T01:00:00Z', 'UPDATE', status('DRAFT', 'ACTIVE')],
        ['2030-01-01T00:00:00Z', 'CREATE', {}],
      ]
      assert.deepEqual(await history('CAMPAIGN', campaign), expected)
      assert.deepEqual(await history('LINE_ITEM', lineItem), expected)
    })
  })
}
