import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import { createApp } from '../../src/identity/apps/apps.ts'
import { createAccessToken } from '../../src/identity/tokens/access-tokens.ts'
import { Client, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { START_MS, startPlaza } from '../support/plaza.ts'
import { type Opened, stages } from '../support/stages.ts'

const HOUR_MS = 3_600_000
/** All of the time that passes here. */
const ALL = 'start_time=2026-03-01&end_time=2026-03-05'

interface Entry {
  change_by: { user_id: string; platform: string }
  changes: Record<string, { before: unknown; after: unknown }>
  change_time: string
  entity_id: string
  entity: string
  entity_data: Record<string, unknown>
  change_type: string
}

const idOf = (reply: Reply) => (reply.json as { data: { id: string } }).data.id
const entriesOf = (reply: Reply) => (reply.json as { data: Entry[] }).data
const typesOf = (reply: Reply) => entriesOf(reply).map(({ change_type }) => change_type)
const cursorOf = (reply: Reply) => (reply.json as { next_cursor: string | null }).next_cursor
const errorOf = (reply: Reply) => {
  const [first] = (reply.json as { errors?: { code: string; parameter?: string }[] }).errors ?? []
  return [reply.status, first?.code, first?.parameter]
}

/** An account of the sandbox with something to pay with, and what one does there. */
async function advertise(person: Person) {
  const account = idOf(await person.try('POST', '/accounts'))
  const path = `/accounts/${account}`
  const form = { currency: 'USD', type: 'CREDIT_LINE', start_time: '2026-02-01' }
  const funding = idOf(await person.try('POST', `${path}/funding_instruments`, form))
  return {
    account,
    async campaign(name = 'Spring') {
      const values = { name, funding_instrument_id: funding }
      return idOf(await person.try('POST', `${path}/campaigns`, values))
    },
    async lineItem(campaign_id: string) {
      const values = {
        campaign_id,
        objective: 'ENGAGEMENTS',
        product_type: 'PROMOTED_POSTS',
        placements: 'ALL_ON_SERVICE',
      }
      const made = await person.try('POST', `${path}/line_items`, values)
      assert.equal(made.status, 201, made.text)
      return idOf(made)
    },
    put: (rest: string, values: Record<string, string>, by = person) =>
      by.try('PUT', `${path}/${rest}`, values),
    remove: (rest: string) => person.try('DELETE', `${path}/${rest}`),
    history: (kind: string, id: string, more = ALL, by = person) =>
      by.try('GET', `${path}/account_history?entity_type=${kind}&entity_id=${id}&${more}`),
  }
}

for (const stage of stages) {
  describe(`the history of accounts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Person

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
      ann = await Person.join(opened.plaza, client)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })
    const moveTo = (ms: number) => opened.plaza.clock.moveTo(ms)

    test('returns who changed a campaign, when, and what changed', async () => {
      moveTo(START_MS)
      const at = await advertise(ann)
      const id = await at.campaign()
      moveTo(START_MS + 5_000)
      await at.put(`campaigns/${id}`, { name: 'Summer', daily_budget_amount_local_micro: '5000000' })
      moveTo(START_MS + 9_000)
      await at.remove(`campaigns/${id}`)

      const reply = await at.history('CAMPAIGN', id)
      assert.equal(reply.status, 200)
      const change_by = { user_id: ann.id, platform: 'API_OTHER' }
      const data = {
        name: 'Spring',
        budget_optimization: 'LINE_ITEM',
        currency: 'USD',
        start_time: null,
        end_time: null,
        purchase_order_number: null,
        daily_budget_amount_local_micro: null,
        total_budget_amount_local_micro: null,
        duration_in_days: null,
        standard_delivery: null,
        entity_status: 'ACTIVE',
        frequency_cap: null,
        created_at: '2026-03-01T12:00:00Z',
        updated_at: '2026-03-01T12:00:00Z',
        deleted: false,
      }
      const changed = {
        ...data,
        name: 'Summer',
        daily_budget_amount_local_micro: 5_000_000,
        updated_at: '2026-03-01T12:00:05Z',
      }
      assert.deepEqual(reply.json, {
        request: {
          params: {
            account_id: at.account,
            entity_type: 'CAMPAIGN',
            entity_id: id,
            start_time: '2026-03-01T00:00:00Z',
            end_time: '2026-03-05T00:00:00Z',
          },
        },
        next_cursor: null,
        data: [
          {
            change_by,
            changes: {},
            change_time: '2026-03-01T12:00:09Z',
            entity_id: id,
            entity: 'CAMPAIGN',
            entity_data: { ...changed, deleted: true, updated_at: '2026-03-01T12:00:09Z' },
            change_type: 'DELETE',
          },
          {
            change_by,
            changes: {
              name: { before: 'Spring', after: 'Summer' },
              daily_budget_amount_local_micro: { before: null, after: 5_000_000 },
            },
            change_time: '2026-03-01T12:00:05Z',
            entity_id: id,
            entity: 'CAMPAIGN',
            entity_data: changed,
            change_type: 'UPDATE',
          },
          {
            change_by,
            changes: {},
            change_time: '2026-03-01T12:00:00Z',
            entity_id: id,
            entity: 'CAMPAIGN',
            entity_data: data,
            change_type: 'CREATE',
          },
        ],
      })
    })

    test('shows times, lists and switches of a line item as the line item itself does', async () => {
      const at = await advertise(ann)
      const id = await at.lineItem(await at.campaign())
      await at.put(`line_items/${id}`, {
        start_time: '2026-04-01',
        end_time: '2026-05-01T10:00:00Z',
        bid_strategy: 'MAX',
        bid_amount_local_micro: '1000000',
        categories: 'IAB3-1',
      })
      const [update, create] = entriesOf(await at.history('LINE_ITEM', id))
      assert.deepEqual(update?.changes, {
        start_time: { before: null, after: '2026-04-01T00:00:00Z' },
        end_time: { before: null, after: '2026-05-01T10:00:00Z' },
        bid_strategy: { before: 'AUTO', after: 'MAX' },
        bid_amount_local_micro: { before: null, after: 1_000_000 },
        categories: { before: [], after: ['IAB3-1'] },
      })
      assert.equal(create?.entity, 'LINE_ITEM')
      assert.deepEqual(create?.entity_data.placements, ['ALL_ON_SERVICE'])
      for (const parent of ['id', 'campaign_id', 'funding_instrument_id'])
        assert.ok(!Object.hasOwn(create?.entity_data ?? {}, parent), parent)
    })

    test('has no entry for a change that was rejected or changed nothing', async () => {
      const at = await advertise(ann)
      const id = await at.campaign()
      await at.put(`campaigns/${id}`, { name: 'Spring' })
      await at.put(`campaigns/${id}`, { daily_budget_amount_local_micro: '-1' })
      const operation_type = 'Update'
      const [good, bad] = [{ name: 'Batch' }, { name: '' }]
      const batch = (...all: object[]) =>
        client.signed(
          'POST',
          `${opened.plaza.urls.adsSandbox}/12/batch/accounts/${at.account}/campaigns`,
          ann.keys,
          { json: all.map((one) => ({ operation_type, params: { campaign_id: id, ...one } })) },
        )
      assert.equal((await batch(bad)).status, 400)
      assert.deepEqual(typesOf(await at.history('CAMPAIGN', id)), ['CREATE'])
      assert.equal((await batch(good)).status, 200)
      assert.deepEqual(typesOf(await at.history('CAMPAIGN', id)), ['UPDATE', 'CREATE'])
    })

    test('covers whole hours, from the first until before the last', async () => {
      const noon = START_MS + 24 * HOUR_MS
      moveTo(noon)
      const at = await advertise(ann)
      const id = await at.campaign()
      moveTo(noon + HOUR_MS)
      await at.put(`campaigns/${id}`, { name: 'At one' })
      moveTo(noon + 2 * HOUR_MS - 1)
      await at.put(`campaigns/${id}`, { name: 'Just before two' })
      const between = (start: string, end: string) =>
        at.history('CAMPAIGN', id, `start_time=${start}&end_time=${end}`)
      const names = async (start: string, end: string) =>
        entriesOf(await between(start, end)).map(({ entity_data }) => entity_data.name)
      const at12 = '2026-03-02T12:00:00Z'
      const at13 = '2026-03-02T13:00:00Z'
      const at14 = '2026-03-02T14:00:00Z'
      assert.deepEqual(await names(at12, at13), ['Spring'])
      assert.deepEqual(await names(at13, at14), ['Just before two', 'At one'])
      assert.deepEqual(await names(at14, '2026-03-03'), [])
      assert.deepEqual(await names('2026-03-02T14:00:00%2B0200', at13), ['Spring'])

      const wrong: [string, string, string, string][] = [
        ['2026-03-02T12:30:00Z', at13, 'INVALID_PARAMETER', 'start_time'],
        [at12, '2026-03-02T13:00:01Z', 'INVALID_PARAMETER', 'end_time'],
        ['2026-03-02T12:00:00%2B0530', at13, 'INVALID_PARAMETER', 'start_time'],
        ['yesterday', at13, 'INVALID_PARAMETER', 'start_time'],
        [at13, at13, 'INVALID_TIME_WINDOW', 'end_time'],
        [at14, at13, 'INVALID_TIME_WINDOW', 'end_time'],
      ]
      for (const [start, end, code, parameter] of wrong)
        assert.deepEqual(errorOf(await between(start, end)), [400, code, parameter], `${start} ${end}`)
      assert.deepEqual(errorOf(await at.history('CAMPAIGN', id, 'end_time=2026-03-03')), [
        400,
        'MISSING_PARAMETER',
        'start_time',
      ])
      assert.deepEqual(errorOf(await at.history('CARD', id)), [400, 'INVALID_PARAMETER', 'entity_type'])
    })

    test('comes page by page, also where changes share a moment', async () => {
      const at = await advertise(ann)
      const id = await at.campaign('0')
      for (let n = 1; n <= 6; n++) {
        if (n === 4) opened.plaza.clock.advance(1000)
        await at.put(`campaigns/${id}`, { name: String(n) })
      }
      const names: unknown[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const more: string = `${ALL}&count=3${cursor && `&cursor=${cursor}`}`
        const reply = await at.history('CAMPAIGN', id, more)
        assert.equal(reply.status, 200, reply.text)
        names.push(...entriesOf(reply).map(({ entity_data }) => entity_data.name))
        cursor = cursorOf(reply)
      }
      assert.deepEqual(names, ['6', '5', '4', '3', '2', '1', '0'])
      const first = cursorOf(await at.history('CAMPAIGN', id, `${ALL}&count=3`))
      const other = await at.campaign()
      assert.deepEqual(errorOf(await at.history('CAMPAIGN', other, `${ALL}&count=3&cursor=${first}`)), [
        400,
        'INVALID_PARAMETER',
        'cursor',
      ])
      for (const count of ['0', '1001', 'x'])
        assert.deepEqual(errorOf(await at.history('CAMPAIGN', id, `${ALL}&count=${count}`)), [
          400,
          'INVALID_PARAMETER',
          'count',
        ])
    })

    test('can be narrowed to what one user did; everyone with access may read it', async () => {
      const at = await advertise(ann)
      const id = await at.campaign()
      const bob = await Person.join(opened.plaza, client)
      const analyst = await Person.join(opened.plaza, client)
      const { store, clock } = opened.plaza.context
      await store.write(async (tx) => {
        const now = clock.now()
        await grantAccess(tx, { accountId: at.account, userId: bob.id, roles: ['AD_MANAGER'], now })
        await grantAccess(tx, { accountId: at.account, userId: analyst.id, roles: ['ANALYST'], now })
      })
      await at.put(`campaigns/${id}`, { name: 'By Bob' }, bob)
      await at.put(`campaigns/${id}`, { name: 'By Ann' })
      await at.put(`campaigns/${id}`, { name: 'By Bob again' }, bob)
      const of = async (user: Person) =>
        entriesOf(await at.history('CAMPAIGN', id, `${ALL}&user_id=${user.id}`, analyst)).map(
          ({ change_by, entity_data }) => [change_by.user_id, entity_data.name],
        )
      assert.deepEqual(await of(bob), [
        [bob.id, 'By Bob again'],
        [bob.id, 'By Bob'],
      ])
      assert.deepEqual(await of(ann), [
        [ann.id, 'By Ann'],
        [ann.id, 'Spring'],
      ])
      assert.deepEqual(await of(analyst), [])
      assert.deepEqual(errorOf(await at.history('CAMPAIGN', id, `${ALL}&user_id=bob`)), [
        400,
        'INVALID_PARAMETER',
        'user_id',
      ])
    })

    test('of an entity of another account, of another kind, or that never was, is empty', async () => {
      const [at, other] = [await advertise(ann), await advertise(ann)]
      const id = await at.campaign()
      for (const empty of [
        await other.history('CAMPAIGN', id),
        await at.history('LINE_ITEM', id),
        await at.history('PROMOTED_ACCOUNT', id),
        await at.history('CAMPAIGN', 'nosuch'),
      ]) {
        assert.equal(empty.status, 200)
        assert.deepEqual([entriesOf(empty), cursorOf(empty)], [[], null])
      }
      assert.equal(entriesOf(await at.history('CAMPAIGN', id)).length, 1)
    })
  })
}

test('only apps that the operator names may read the history; each entry names the app that wrote', async (t) => {
  const plaza = await startPlaza({ rateLimits: 'off', seedRandom: 'history' })
  const appId = plaza.seeded?.apps[0]?.id ?? ''
  await plaza.close()
  // The same seed makes the same app, which is the only one allowed here.
  const strict = await startPlaza({ rateLimits: 'off', seedRandom: 'history', historyApps: [appId] })
  const client = new Client(strict)
  t.after(async () => {
    await client.close()
    await strict.close()
  })
  assert.equal(strict.seeded?.apps[0]?.id, appId)
  const ann = await Person.join(strict, client)
  const at = await advertise(ann)
  const id = await at.campaign()
  assert.deepEqual(typesOf(await at.history('CAMPAIGN', id)), ['CREATE'])

  const { context } = strict
  const other = await context.store.write(async (tx) => {
    const app = {
      name: 'Other app',
      website: 'https://other.example/',
      ownerUserId: ann.id,
      callbacks: [],
      permission: 'read-write',
      kind: 'web',
      signIn: true,
    } as const
    const keys = await createApp(tx, app, context)
    const grant = { appId: keys.id, userId: ann.id, access: 'read-write' } as const
    const { token, secret } = await createAccessToken(tx, grant, context)
    return { ...keys, token, tokenSecret: secret }
  })
  const url = `${strict.urls.adsSandbox}/12/accounts/${at.account}`
  const renamed = await client.signed('PUT', `${url}/campaigns/${id}`, other, { form: { name: 'Other' } })
  assert.equal(renamed.status, 200)
  const history = `${url}/account_history?entity_type=CAMPAIGN&entity_id=${id}&${ALL}`
  assert.deepEqual(errorOf(await client.signed('GET', history, other)), [
    403,
    'UNAUTHORIZED_CLIENT_APPLICATION',
    undefined,
  ])
  const [newest] = entriesOf(await at.history('CAMPAIGN', id))
  assert.deepEqual(newest?.change_by, { user_id: ann.id, platform: 'API_OTHER' })
})

test('under a vocabulary the history speaks its words, also of what was written before', async (t) => {
  const vocabulary = fileURLToPath(new URL('../../docs/vocabulary.example.json', import.meta.url))
  const plaza = await startPlaza({ rateLimits: 'off', vocabulary })
  const client = new Client(plaza)
  t.after(async () => {
    await client.close()
    await plaza.close()
  })
  const ann = await Person.join(plaza, client)
  const account = idOf(await ann.try('POST', '/accounts'))
  const path = `/accounts/${account}`
  const form = { currency: 'USD', type: 'CREDIT_LINE', start_time: '2026-02-01' }
  const funding_instrument_id = idOf(await ann.try('POST', `${path}/funding_instruments`, form))
  const campaign_id = idOf(
    await ann.try('POST', `${path}/campaigns`, { name: 'Spring', funding_instrument_id }),
  )
  const made = await ann.try('POST', `${path}/line_items`, {
    campaign_id,
    objective: 'ENGAGEMENTS',
    product_type: 'PROMOTED_MEMOS',
    placements: 'ALL_ON_HUB',
  })
  assert.equal(made.status, 201, made.text)
  const query = `entity_type=LINE_ITEM&entity_id=${idOf(made)}&${ALL}`
  const [entry] = entriesOf(await ann.try('GET', `${path}/account_history?${query}`))
  assert.equal(entry?.entity_data.product_type, 'PROMOTED_MEMOS')
  assert.deepEqual(entry?.entity_data.placements, ['ALL_ON_HUB'])
  assert.ok(Object.hasOwn(entry?.entity_data ?? {}, 'automatic_memo_promotion'))
})
