import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { grantAccess } from '../../src/api/ads/accounts/open.ts'
import { removeAccess } from '../../src/api/ads/accounts/queries.ts'
import { comparisons } from '../../src/app/checks/all.ts'
import { compareAll, type Difference } from '../../src/app/checks/comparison.ts'
import { adHocQuery } from '../../src/app/tables.ts'
import { markDeleted } from '../../src/identity/users/deletion.ts'
import {
  cursorOf,
  type Data,
  Desk,
  dataOf,
  errorOf,
  listOf,
  newPerson,
  paramsOf,
  totalOf,
} from '../support/ads-desk.ts'
import { Client, type Reply } from '../support/client.ts'
import { type Opened, stages } from '../support/stages.ts'
import { placesOf } from '../support/user-traces.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Group {
  id: string
  name: string | null
  description: string | null
  size: string
  entity_ids: string[]
}
type ABTest = Data & { user_groups: Group[] }

const isoOf = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
const made = (reply: Reply): ABTest => {
  assert.ok(reply.status < 300, reply.text)
  return dataOf(reply) as ABTest
}
const messagesOf = (reply: Reply) =>
  (reply.json as { errors: { message: string }[] }).errors.map(({ message }) => message)
const INVALID = [400, 'INVALID of user_groups']

for (const stage of stages) {
  describe(`A/B tests on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client
    let ann: Desk
    /** Whole days: tests start at midnight. */
    let start: number

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
      start = Math.ceil(now() / DAY_MS + 0.5) * DAY_MS
    })

    const now = () => opened.plaza.clock.now()
    const setClock = (ms: number) => opened.plaza.clock.advance(ms - now())
    const campaign = async (desk = ann) => (await desk.advertiser.campaign()).id
    const campaigns = (count: number) => Promise.all(Array.from({ length: count }, () => campaign()))
    const halves = (...ids: string[]) => ids.map((id) => ({ size: '50', entity_ids: [id] }))
    const bodyOf = (user_groups: unknown, more: object = {}) => ({
      entity_type: 'CAMPAIGN',
      start_time: isoOf(start),
      end_time: isoOf(start + 7 * DAY_MS),
      user_groups,
      ...more,
    })
    const post = (user_groups: unknown, more: object = {}) =>
      ann.json('POST', '/ab_tests', bodyOf(user_groups, more))
    const ofCampaigns = async (more: object = {}) => made(await post(halves(...(await campaigns(2))), more))
    const put = (id: string, body: object) => ann.json('PUT', `/ab_tests/${id}`, body)
    const read = async (id: string) => made(await ann.get(`/ab_tests/${id}`))
    const listed = async (query = '') => {
      const reply = await ann.get(`/ab_tests?${query}`)
      assert.equal(reply.status, 200, reply.text)
      return listOf(reply).map(({ id }) => id)
    }
    const lineItems = async (count: number, values: object = {}) => {
      const campaign_id = await campaign()
      const ids: string[] = []
      for (let at = 0; at < count; at++)
        ids.push((await ann.advertiser.lineItem({ campaign_id, ...values })).id)
      return { campaign_id, ids }
    }
    const ofLineItems = (ids: readonly string[], sizes: readonly (string | number)[]) =>
      post(
        ids.map((id, at) => ({ size: sizes[at], entity_ids: [id] })),
        { entity_type: 'LINE_ITEM' },
      )

    test('a test is created with ids for its groups, and sizes have at least one decimal', async () => {
      const [one, other, third] = (await campaigns(3)) as [string, string, string]
      const reply = await post(
        [
          { size: 50, entity_ids: [one], name: 'Blue', id: 'zzz' },
          { size: '33.30', entity_ids: [other, third], description: 'Two of them' },
          { size: 16.7, entity_ids: [await campaign()] },
        ],
        { name: 'Colours', description: null, unknown: 1, start_time: `${isoOf(start).slice(0, 16)}+00:00` },
      )
      assert.equal(reply.status, 201, reply.text)
      const { id, user_groups, entities, created_at, updated_at, ...rest } = made(reply)
      assert.match(id, /^[0-9a-z]{12}$/)
      assert.equal(created_at, updated_at)
      const person = { user_id: ann.person.id, username: ann.person.screenName }
      assert.deepEqual(rest, {
        deleted: false,
        name: 'Colours',
        description: null,
        entity_type: 'CAMPAIGN',
        start_time: isoOf(start),
        end_time: isoOf(start + 7 * DAY_MS),
        status: 'SCHEDULED',
        created_by: person,
        updated_by: person,
      })
      const ids = user_groups.map((group) => group.id)
      assert.equal(new Set(ids).size, 3)
      for (const each of ids) assert.match(each, /^[0-9a-z]{12}$/)
      assert.deepEqual(
        user_groups.map(({ name, description, size, entity_ids }) => [name, description, size, entity_ids]),
        [
          ['Blue', null, '50.0', [one]],
          [null, 'Two of them', '33.3', [other, third]],
          [null, null, '16.7', user_groups[2]?.entity_ids],
        ],
      )
      assert.deepEqual(
        entities,
        ids.map((each) => ({ id: each, account_id: ann.accountId })),
      )
      assert.deepEqual(paramsOf(reply), {
        account_id: ann.accountId,
        entity_type: 'CAMPAIGN',
        start_time: isoOf(start),
        end_time: isoOf(start + 7 * DAY_MS),
        name: 'Colours',
        description: null,
        user_groups: [
          { size: '50.0', entity_ids: [one], name: 'Blue' },
          { size: '33.3', entity_ids: [other, third], description: 'Two of them' },
          { size: '16.7', entity_ids: user_groups[2]?.entity_ids },
        ],
      })
      assert.deepEqual(dataOf(await ann.get(`/ab_tests/${id}`)), dataOf(reply))
      assert.deepEqual(listOf(await ann.get('/ab_tests')), [dataOf(reply)])
    })

    test('the state follows from the clock, in replies and in filters', async () => {
      const first = await ofCampaigns()
      const second = await ofCampaigns({
        start_time: isoOf(start + DAY_MS),
        end_time: isoOf(start + 3 * DAY_MS),
      })
      const states = async () => ({
        own: [(await read(first.id)).status, (await read(second.id)).status],
        SCHEDULED: await listed('status=SCHEDULED'),
        LIVE: await listed('status=LIVE'),
        COMPLETED: await listed('status=COMPLETED'),
      })
      const [SCHEDULED, LIVE, COMPLETED] = ['SCHEDULED', 'LIVE', 'COMPLETED']
      const both = [second.id, first.id]
      assert.deepEqual(await states(), {
        ...{ own: [SCHEDULED, SCHEDULED], SCHEDULED: both, LIVE: [], COMPLETED: [] },
      })
      for (const [at, own, scheduled, live, completed] of [
        [start - 1, [SCHEDULED, SCHEDULED], both, [], []],
        [start, [LIVE, SCHEDULED], [second.id], [first.id], []],
        [start + DAY_MS, [LIVE, LIVE], [], both, []],
        [start + 3 * DAY_MS - 1, [LIVE, LIVE], [], both, []],
        [start + 3 * DAY_MS, [LIVE, COMPLETED], [], [first.id], [second.id]],
        [start + 7 * DAY_MS, [COMPLETED, COMPLETED], [], [], both],
      ] as const) {
        setClock(at)
        assert.deepEqual(
          await states(),
          { own, SCHEDULED: scheduled, LIVE: live, COMPLETED: completed },
          isoOf(at),
        )
      }
      const during = (from: number, until: number) =>
        listed(`live_during=${isoOf(start + from * DAY_MS)},${isoOf(start + until * DAY_MS)}`)
      assert.deepEqual(await during(-3, 0), [])
      assert.deepEqual(await during(-3, 0.5), [first.id])
      assert.deepEqual(await during(0.5, 1), [first.id])
      assert.deepEqual(await during(0, 7), both)
      assert.deepEqual(await during(2, 2), both)
      assert.deepEqual(await during(3, 4), [first.id])
      assert.deepEqual(await during(7, 9), [])
      assert.deepEqual(
        errorOf(await ann.get(`/ab_tests?live_during=${isoOf(start)},${isoOf(start - 1_000)}`)),
        [400, 'INVALID_TIME_WINDOW live_during'],
      )
      for (const wrong of [
        isoOf(start),
        `${isoOf(start)},${isoOf(start + 1)},${isoOf(start + 2)}`,
        'soon,later',
        '',
      ])
        assert.deepEqual(errorOf(await ann.get(`/ab_tests?live_during=${wrong}`)), [
          400,
          'INVALID_PARAMETER live_during',
        ])
    })

    test('lists begin with the newest, and find by name, creator, ids and state, page by page', async () => {
      const bob = await newPerson(opened.plaza)
      await opened.plaza.context.store.write((tx) =>
        grantAccess(tx, { accountId: ann.accountId, userId: bob.id, roles: ['AD_MANAGER'], now: now() }),
      )
      const tests: string[] = []
      for (let at = 0; at < 5; at++)
        tests.push((await ofCampaigns({ name: `${at % 2 ? 'Odd' : 'even'} ${at}` })).id)
      const [a, b, c, d, e] = tests as [string, string, string, string, string]
      const url = `${opened.plaza.urls.ads}/12/accounts/${ann.accountId}/ab_tests`
      const json = bodyOf(halves(...(await campaigns(2))))
      const own = dataOf(await client.signed('POST', url, bob.keys, { json })).id
      assert.deepEqual(await listed(), [own, e, d, c, b, a])
      assert.deepEqual(await listed('sort_by=created_at-asc'), [a, b, c, d, e, own])
      assert.deepEqual(await listed('q=EVEN'), [a, c, e])
      assert.deepEqual(await listed('q=EVEN&status=LIVE'), [])
      assert.deepEqual(await listed('q=o&status=SCHEDULED'), [b, d])
      assert.deepEqual(await listed(`user_id=${bob.id}`), [own])
      assert.deepEqual(await listed(`username=${bob.screenName.toLowerCase()}`), [own])
      assert.deepEqual(await listed(`username=${ann.person.screenName}&q=odd`), [b, d])
      assert.deepEqual(await listed('username=nobody_at_all'), [])
      assert.equal(totalOf(await ann.get('/ab_tests?username=nobody_at_all&with_total_count=true')), 0)
      assert.deepEqual(errorOf(await ann.get(`/ab_tests?user_id=${bob.id}&username=${bob.screenName}`)), [
        400,
        'EXCLUSIVE_PARAMETERS username',
      ])
      assert.deepEqual(await listed(`ab_test_ids=${a},zzz,${d}`), [d, a])
      assert.deepEqual(await listed(`ab_test_ids=${a},${d}&status=SCHEDULED&sort_by=created_at-asc`), [a, d])
      assert.equal((await ann.delete(`/ab_tests/${c}`)).status, 200)
      assert.deepEqual(await listed('with_deleted=true'), [own, e, d, c, b, a])
      assert.deepEqual(await listed('with_deleted=true&status=SCHEDULED'), [own, e, d, c, b, a])
      assert.deepEqual(await listed('status=SCHEDULED'), [own, e, d, b, a])
      assert.equal(totalOf(await ann.get('/ab_tests?status=SCHEDULED&with_total_count=true')), 5)
      // The clock moves between pages.
      const pages: string[][] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const reply = await ann.get(`/ab_tests?status=SCHEDULED&count=2${cursor && `&cursor=${cursor}`}`)
        pages.push(listOf(reply).map(({ id }) => id))
        cursor = cursorOf(reply)
        opened.plaza.clock.advance(1_000)
      }
      assert.deepEqual(pages, [[own, e], [d, b], [a]])
      const { next_cursor } = (await ann.get('/ab_tests?status=SCHEDULED&count=2')).json as Data
      assert.deepEqual(errorOf(await ann.get(`/ab_tests?status=LIVE&count=2&cursor=${next_cursor}`)), [
        400,
        'INVALID_PARAMETER cursor',
      ])
      made(await put(b, { end_time: isoOf(start + 20 * DAY_MS) }))
      assert.deepEqual(await listed('sort_by=end_time-desc&count=1'), [b])
      assert.deepEqual(await listed('sort_by=updated_at-desc&count=1'), [b])
      const late = `live_during=${isoOf(start + 10 * DAY_MS)},${isoOf(start + 11 * DAY_MS)}`
      assert.deepEqual(await listed(late), [b])
      assert.deepEqual(await listed(`${late}&sort_by=start_time-asc`), [b])
    })

    test('a whole test can be sent back, and fixed members keep their values', async () => {
      const first = await ofCampaigns({ name: 'Colours' })
      opened.plaza.clock.advance(5_000)
      assert.deepEqual(made(await put(first.id, first)), first)
      const renamed = made(await put(first.id, { ...first, name: 'Other', description: 'Text' }))
      assert.deepEqual(renamed, {
        ...first,
        name: 'Other',
        description: 'Text',
        updated_at: isoOf(now()),
      })
      const cleared = await put(first.id, { name: null, description: null })
      assert.deepEqual([made(cleared).name, made(cleared).description], [null, null])
      assert.deepEqual(paramsOf(cleared), {
        ...{ account_id: ann.accountId, ab_test_id: first.id, name: null, description: null },
      })
      assert.deepEqual(errorOf(await put(first.id, { entity_type: 'LINE_ITEM' })), [
        400,
        'INVALID_PARAMETER entity_type',
      ])
      assert.deepEqual(errorOf(await put(first.id, { name: ' ' })), [400, 'INVALID of name'])
      assert.deepEqual(errorOf(await put('zzz', { name: 'x' })), [404, 'NOT_FOUND ab_test_id'])
    })

    test('groups with ids change, groups without ids replace all', async () => {
      const [one, other, third] = (await campaigns(3)) as [string, string, string]
      const first = made(
        await post([
          { size: '50', entity_ids: [one], name: 'Blue', description: 'Sky' },
          { size: '50', entity_ids: [other] },
        ]),
      )
      const [blue, red] = first.user_groups as [Group, Group]
      const groups = async (user_groups: unknown) => made(await put(first.id, { user_groups })).user_groups
      assert.deepEqual(await groups([{ id: red.id, name: 'Red' }]), [blue, { ...red, name: 'Red' }])
      const resized = [
        { id: red.id, size: 79.99, entity_ids: [third, other] },
        { id: blue.id, size: '20.01', name: null },
      ]
      const changed = [
        { ...blue, size: '20.01', name: null },
        { ...red, name: 'Red', size: '79.99', entity_ids: [third, other] },
      ]
      assert.deepEqual(await groups(resized), changed)
      assert.deepEqual(await groups(changed), changed)
      for (const [user_groups, says] of [
        [[{ id: blue.id, size: 50 }], 'Expected sizes that add up to 100.0, got 129.99 for user_groups'],
        [[{ id: 'zzz', name: 'x' }], 'The test has no user group zzz'],
        [
          [{ id: blue.id, name: 'x' }, { name: 'y' }],
          'Expected an id in all groups or in none for user_groups',
        ],
        [[{ id: blue.id, name: 'x' }, { id: blue.id }], 'Expected each id once for user_groups'],
        [[{ id: blue.id, entity_ids: [] }], 'Expected an id, got none for user_groups[0].entity_ids'],
        [[{ id: blue.id, entity_ids: [third] }], `Campaign ${third} is in user_groups twice`],
      ] as const) {
        const reply = await put(first.id, { user_groups })
        assert.deepEqual([errorOf(reply), messagesOf(reply)], [INVALID, [says]])
      }
      const empty = await put(first.id, { user_groups: [] })
      assert.deepEqual(errorOf(empty), [400, 'INVALID of user_groups', 'INVALID of user_groups'])
      assert.deepEqual(errorOf(await put(first.id, { user_groups: [{ size: '50' }] })), [
        400,
        'MISSING_PARAMETER user_groups[0].entity_ids',
      ])
      assert.deepEqual((await read(first.id)).user_groups, changed)
      const whole = await groups(halves(third, one))
      assert.deepEqual(
        whole.map(({ id, ...rest }) => [[blue.id, red.id].includes(id), rest]),
        [third, one].map((id) => [false, { name: null, description: null, size: '50.0', entity_ids: [id] }]),
      )
      // What is in no group any more is free.
      assert.equal((await post(halves(other, await campaign()))).status, 201)
      assert.deepEqual(errorOf(await put(first.id, { user_groups: halves(other, one) })), INVALID)
    })

    test('a test changes until it starts, its end until it has passed, and it can be deleted at any time', async () => {
      const first = await ofCampaigns({ name: 'Colours' })
      const renamed = { name: 'Other', user_groups: [{ id: first.user_groups[0]?.id, name: 'Blue' }] }
      setClock(start + DAY_MS / 2)
      const live = await put(first.id, renamed)
      assert.deepEqual(
        [errorOf(live), messagesOf(live)],
        [
          [400, 'INVALID of name', 'INVALID of user_groups'],
          ['name', 'user_groups'].map(
            (name) => `setting ${name} is not allowed while A/B Test ${first.id} is LIVE`,
          ),
        ],
      )
      const end = (days: number) => put(first.id, { end_time: isoOf(start + days * DAY_MS) })
      for (const days of [0.4, 0.5, 0.9])
        assert.equal(errorOf(await end(days))[1], 'INVALID_TIME_WINDOW end_time')
      assert.equal(made(await end(3)).end_time, isoOf(start + 3 * DAY_MS))
      assert.equal(made(await put(first.id, { ...(await read(first.id)) })).status, 'LIVE')
      setClock(start + 3 * DAY_MS)
      assert.deepEqual(errorOf(await end(9)), [400, 'INVALID of end_time'])
      assert.deepEqual(errorOf(await put(first.id, { start_time: isoOf(start + 9 * DAY_MS) })), [
        400,
        'INVALID of start_time',
      ])
      const path = `/ab_tests/${first.id}`
      const gone = made(await ann.delete(path))
      assert.deepEqual([gone.deleted, gone.status, gone.name], [true, 'COMPLETED', 'Colours'])
      for (const again of [await ann.delete(path), await ann.get(path), await put(first.id, { name: 'x' })])
        assert.deepEqual(errorOf(again), [404, 'NOT_FOUND ab_test_id'])
      assert.deepEqual(dataOf(await ann.get(`${path}?with_deleted=true`)), gone)
    })

    test('the times are in the future, a day apart, five for apps, and in the flights', async () => {
      const [one, other] = (await campaigns(2)) as [string, string]
      const at = (from: number, until: number, ids = [one, other]) =>
        post(halves(...ids), { start_time: isoOf(from), end_time: isoOf(until) })
      const WRONG = (...names: string[]) => [400, ...names.map((name) => `INVALID_TIME_WINDOW ${name}`)]
      assert.deepEqual(errorOf(await at(now() - 1_000, start)), WRONG('start_time'))
      assert.deepEqual(errorOf(await at(now(), start + 9 * DAY_MS)), WRONG('start_time'))
      assert.deepEqual(errorOf(await at(start, start)), WRONG('end_time'))
      assert.deepEqual(errorOf(await at(start, start - HOUR_MS)), WRONG('end_time'))
      assert.deepEqual(errorOf(await at(start, start + DAY_MS - 1_000)), WRONG('end_time'))
      const past = await at(now() - 9 * DAY_MS, now() - 2 * DAY_MS)
      assert.deepEqual(errorOf(past), WRONG('start_time', 'end_time'))

      // A campaign runs from the start of its first line item to the end of its last.
      const flight = (campaign_id: string, from: number, until: number) =>
        ann.advertiser.lineItem({
          campaign_id,
          start_time: start + from * DAY_MS,
          end_time: start + until * DAY_MS,
        })
      await flight(one, 2, 3)
      await flight(one, 4, 5)
      const apart = await at(start, start + 2 * DAY_MS)
      assert.deepEqual(errorOf(apart), WRONG('start_time'))
      assert.deepEqual(messagesOf(apart), [`Campaign ${one} does not run between start_time and end_time`])
      assert.deepEqual(errorOf(await at(start + 5 * DAY_MS, start + 7 * DAY_MS)), WRONG('start_time'))
      const between = made(await at(start + 3 * DAY_MS, start + 4 * DAY_MS))
      const earlier = { start_time: isoOf(start), end_time: isoOf(start + DAY_MS) }
      assert.deepEqual(errorOf(await put(between.id, earlier)), WRONG('start_time'))
      assert.equal(made(await put(between.id, { start_time: isoOf(start + DAY_MS) })).status, 'SCHEDULED')

      const app = {
        objective: 'APP_INSTALLS',
        android_app_store_identifier: 'com.example.game',
        bid_amount_local_micro: 1_000_000,
      }
      const apps = await campaigns(2)
      await ann.advertiser.lineItem({ campaign_id: apps[0], ...app })
      const short = await at(start, start + 5 * DAY_MS - 1_000, apps)
      assert.deepEqual(errorOf(short), WRONG('end_time'))
      assert.match(messagesOf(short)[0] ?? '', /^Expected at least 5 days after start_time, got "/)
      assert.equal((await at(start, start + 5 * DAY_MS, apps)).status, 201)
    })

    test('groups have sizes that add up, and known campaigns of the account', async () => {
      const bob = await Desk.open(opened.plaza, client)
      const [one, other, foreign] = [await campaign(), await campaign(), await campaign(bob)]
      const gone = await campaign()
      assert.equal((await ann.delete(`/campaigns/${gone}`)).status, 200)
      const sizes = (...all: unknown[]) =>
        post(all.map((size, at) => ({ size, entity_ids: at === 0 ? [one] : [`x${at}`] })))
      for (const [user_groups, says] of [
        [[{ size: 50, entity_ids: [one] }], ['Expected 2 to 30 groups, got 1', 'add up to 100.0, got 50.0']],
        [halves(one, foreign), [`Campaign ${foreign} was not found for Account ${ann.accountId}`]],
        [halves(one, gone), [`Campaign ${gone} was not found`]],
        [halves(one, 'zzz'), ['Campaign zzz was not found']],
        [halves(one, one), [`Campaign ${one} is in user_groups twice`]],
        [
          [
            { size: 99, entity_ids: [one, other, one] },
            { size: 1, entity_ids: [] },
          ],
          ['Expected an id', 'twice'],
        ],
        [[], ['Expected 2 to 30 groups, got 0', 'add up to 100.0, got 0.0']],
      ] as const) {
        const reply = await post(user_groups)
        const messages = messagesOf(reply)
        assert.deepEqual(
          [errorOf(reply), messages.length],
          [[400, ...says.map(() => 'INVALID of user_groups')], says.length],
          reply.text,
        )
        for (const [at, part] of says.entries()) assert.ok(messages[at]?.includes(part), messages[at])
      }
      for (const [size, isRight] of [
        ['1', true],
        ['1.00', true],
        [99, true],
        ['99.00', true],
        ['0.99', false],
        [0, false],
        ['99.01', false],
        [100, false],
        ['50.001', false],
        ['50.', false],
        ['5e1', false],
        ['', false],
        [null, false],
        [true, false],
        [-50, false],
      ] as const) {
        const wrong = errorOf(await sizes(size, 50)).filter((each) => String(each).includes('[0].size'))
        assert.deepEqual(wrong, isRight ? [] : ['INVALID_PARAMETER user_groups[0].size'], String(size))
      }
      assert.deepEqual(messagesOf(await sizes('0.5', 50)), [
        'Expected a number from 1.00 to 99.00 with up to two decimals, got "0.5" for user_groups[0].size',
      ])
      const many = Array.from({ length: 31 }, (_, at) => ({
        size: at === 0 ? 70 : 1,
        entity_ids: [`x${at}`],
      }))
      assert.match(messagesOf(await post(many))[0] ?? '', /^Expected 2 to 30 groups, got 31 /)
      const wide = [{ size: 50, entity_ids: Array.from({ length: 201 }, (_, at) => `x${at}`) }]
      assert.deepEqual(errorOf(await post(wide)), [400, 'INVALID_PARAMETER user_groups[0].entity_ids'])
      const whole = Array.from({ length: 30 }, (_, group) => ({
        size: group === 0 ? 71 : 1,
        entity_ids: Array.from({ length: 200 }, (_, at) => `${1e11 + group * 200 + at}`),
      }))
      assert.deepEqual(messagesOf(await post(whole)), [
        `Campaign 100000000000 was not found for Account ${ann.accountId}`,
      ])
      assert.deepEqual(errorOf(await ann.json('POST', '/ab_tests', {})), [
        400,
        ...['entity_type', 'start_time', 'end_time', 'user_groups'].map(
          (name) => `MISSING_PARAMETER ${name}`,
        ),
      ])
      assert.deepEqual(
        errorOf(await post(halves(one, other), { name: 'x'.repeat(256), description: 'x'.repeat(1025) })),
        [400, 'INVALID_PARAMETER name', 'INVALID_PARAMETER description'],
      )
      assert.deepEqual(await listed('with_deleted=true'), [])
      const thirty = await campaigns(30)
      const all = await post(
        thirty.map((id, at) => ({ size: at === 0 ? '71.0' : 1, entity_ids: [id] })),
        { name: 'x'.repeat(255), description: 'x'.repeat(1024) },
      )
      assert.equal(made(all).user_groups.length, 30)
    })

    test('a test of line items has all those of one campaign, each in a group of the same size', async () => {
      const { campaign_id, ids } = await lineItems(3)
      const [one = '', other = '', third = ''] = ids
      const stranger = (await lineItems(1)).ids[0] as string
      for (const [given, sizes, says] of [
        [[one, other], [50, 50], `Line Item ${third} of Campaign ${campaign_id} is in none of user_groups`],
        [
          [one, other, stranger],
          ['33.33', '33.33', '33.34'],
          'Expected line items of one campaign for user_groups',
        ],
        [
          ids,
          ['30', '30', '40'],
          'Expected groups of the same size for line items, got 30.0, 30.0, 40.0 for user_groups',
        ],
        [
          [one, other, 'zzz'],
          ['33.33', '33.33', '33.34'],
          `Line Item zzz was not found for Account ${ann.accountId}`,
        ],
      ] as const) {
        const reply = await ofLineItems(given, sizes)
        assert.deepEqual(errorOf(reply)[1], 'INVALID of user_groups')
        assert.equal(messagesOf(reply)[0], says)
      }
      const joint = await post(
        [
          { size: 50, entity_ids: [one, other] },
          { size: 50, entity_ids: [third] },
        ],
        {
          entity_type: 'LINE_ITEM',
        },
      )
      assert.deepEqual(messagesOf(joint), ['Expected one line item, got 2 for user_groups[0].entity_ids'])
      const thirds = made(await ofLineItems(ids, ['33.33', '33.33', '33.34']))
      assert.deepEqual([thirds.entity_type, thirds.user_groups[2]?.size], ['LINE_ITEM', '33.34'])
      const five = await lineItems(5)
      assert.equal((await ofLineItems(five.ids, [20, 20, 20, 20, 20])).status, 201)
      const six = await lineItems(6)
      assert.match(
        messagesOf(await ofLineItems(six.ids, ['16.66', '16.67', '16.67', '16.67', '16.67', '16.66']))[0] ??
          '',
        /^Expected 2 to 5 groups, got 6 /,
      )
      const campaignsInstead = await ofLineItems([campaign_id, await campaign()], [50, 50])
      assert.match(messagesOf(campaignsInstead)[0] ?? '', /^Line Item .* was not found/)
    })

    test('a campaign or line item belongs to one test, and its line items to that of their campaign', async () => {
      const [one, other] = (await campaigns(2)) as [string, string]
      const first = made(await post(halves(one, other)))
      const taken = await post(halves(other, await campaign()))
      assert.deepEqual(
        [errorOf(taken), messagesOf(taken)],
        [INVALID, [`Campaign ${other} belongs to A/B Test ${first.id}`]],
      )
      const { id: inside } = await ann.advertiser.lineItem({ campaign_id: one })
      const { id: too } = await ann.advertiser.lineItem({ campaign_id: one })
      assert.deepEqual(messagesOf(await ofLineItems([inside, too], [50, 50])), [
        `Campaign ${one} belongs to A/B Test ${first.id}`,
      ])
      const { campaign_id, ids } = await lineItems(2)
      const second = made(await ofLineItems(ids, [50, 50]))
      assert.match(
        messagesOf(await post(halves(campaign_id, await campaign())))[0] ?? '',
        new RegExp(`^Line Item (${ids.join('|')}) belongs to A/B Test ${second.id}$`),
      )
      // A deleted test lets go of them, a completed one does not.
      setClock(start + 7 * DAY_MS)
      start += 8 * DAY_MS
      assert.deepEqual(errorOf(await post(halves(one, await campaign()))), INVALID)
      assert.equal((await ann.delete(`/ab_tests/${first.id}`)).status, 200)
      assert.equal((await post(halves(one, await campaign()))).status, 201)
      const wanted = [other, await campaign()]
      const replies = await Promise.all([1, 2, 3].map(() => post(halves(...wanted))))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 400, 400])
    })

    test('a deleted campaign or line item stays in its test, and a new line item takes no part', async () => {
      const [one, other, third] = (await campaigns(3)) as [string, string, string]
      const first = made(await post(halves(one, other)))
      assert.equal((await ann.delete(`/campaigns/${one}`)).status, 200)
      assert.deepEqual((await read(first.id)).user_groups, first.user_groups)
      const [blue] = first.user_groups as [Group]
      const named = made(await put(first.id, { user_groups: [{ id: blue.id, name: 'Blue' }] }))
      assert.deepEqual(named.user_groups[0], { ...blue, name: 'Blue' })
      const replaced = made(await put(first.id, { user_groups: halves(third, other) }))
      assert.deepEqual(
        replaced.user_groups.map(({ entity_ids }) => entity_ids),
        [[third], [other]],
      )
      assert.deepEqual(errorOf(await put(first.id, { user_groups: halves(one, other) })), INVALID)

      const { campaign_id, ids } = await lineItems(3)
      const second = made(await ofLineItems(ids, ['33.33', '33.33', '33.34']))
      assert.equal((await ann.delete(`/line_items/${ids[0]}`)).status, 200)
      assert.deepEqual((await read(second.id)).user_groups, second.user_groups)
      assert.equal(made(await put(second.id, { user_groups: halves(...ids.slice(1)) })).user_groups.length, 2)
      const { id: late } = await ann.advertiser.lineItem({ campaign_id })
      assert.deepEqual((await read(second.id)).status, 'SCHEDULED')
      assert.deepEqual(messagesOf(await put(second.id, { user_groups: halves(...ids.slice(1)).reverse() })), [
        `Line Item ${late} of Campaign ${campaign_id} is in none of user_groups`,
      ])
    })

    test('roles that may not change campaigns may only read', async () => {
      const first = await ofCampaigns()
      const url = `${opened.plaza.urls.ads}/12/accounts/${ann.accountId}/ab_tests`
      for (const [role, mayWrite] of [
        ['AD_MANAGER', true],
        ['CREATIVE_MANAGER', false],
        ['CAMPAIGN_ANALYST', false],
        ['ANALYST', false],
      ] as const) {
        const one = await newPerson(opened.plaza)
        await opened.plaza.context.store.write((tx) =>
          grantAccess(tx, { accountId: ann.accountId, userId: one.id, roles: [role], now: now() }),
        )
        assert.equal((await client.signed('GET', `${url}/${first.id}`, one.keys)).status, 200, role)
        const json = { name: `By ${role}` }
        const changed = await client.signed('PUT', `${url}/${first.id}`, one.keys, { json })
        if (mayWrite) {
          const person = { user_id: one.id, username: one.screenName }
          assert.deepEqual([made(changed).created_by, made(changed).updated_by], [first.created_by, person])
        } else assert.equal(errorOf(changed)[0], 403, role)
      }
      assert.equal((await read(first.id)).name, 'By AD_MANAGER')
      const removed = made(await ann.delete(`/ab_tests/${first.id}`))
      assert.deepEqual(removed.updated_by, first.created_by)
    })

    test('the sandbox has tests too, and a deleted account has none', async () => {
      const bob = await Desk.open(opened.plaza, client, { environment: 'sandbox' })
      const body = bodyOf(halves(await campaign(bob), await campaign(bob)))
      const { id } = made(await bob.json('POST', '/ab_tests', body))
      assert.deepEqual(
        listOf(await bob.get('/ab_tests?status=SCHEDULED')).map((one) => one.id),
        [id],
      )
      setClock(start)
      assert.deepEqual(
        listOf(await bob.get('/ab_tests?status=LIVE')).map((one) => one.id),
        [id],
      )
      assert.equal((await bob.delete('')).status, 200)
      for (const path of ['/ab_tests', `/ab_tests/${id}?with_deleted=true`])
        assert.deepEqual(errorOf(await bob.get(path)), [403, 'ACCOUNT_NOT_FOUND account_id'])
    })

    test('a deleted user is no longer named, and the test stays', async () => {
      const bob = await newPerson(opened.plaza)
      const url = `${opened.plaza.urls.ads}/12/accounts/${ann.accountId}/ab_tests`
      await opened.plaza.context.store.write((tx) =>
        grantAccess(tx, { accountId: ann.accountId, userId: bob.id, roles: ['AD_MANAGER'], now: now() }),
      )
      const json = bodyOf(halves(...(await campaigns(2))))
      const own = made(await client.signed('POST', url, bob.keys, { json }))
      const first = await ofCampaigns()
      assert.equal((await client.signed('DELETE', `${url}/${first.id}`, bob.keys)).status, 200)
      const { store } = opened.plaza.context
      await store.write((tx) => tx.run(removeAccess, { userId: bob.id, account: ann.accountId }))
      assert.deepEqual((await read(own.id)).created_by, { user_id: bob.id, username: bob.screenName })
      assert.equal(await store.write((tx) => markDeleted(tx, bob.id)), true)
      const nobody = [null, null]
      for (const step of ['nothing', 'delete user', 'remove rows of user']) {
        if (step === 'remove rows of user') opened.plaza.clock.advance(60_000)
        if (step !== 'nothing') await opened.plaza.tasks.runDue(step)
        const { created_by, updated_by, user_groups } = await read(own.id)
        assert.deepEqual([created_by, updated_by, user_groups], [...nobody, own.user_groups], step)
        const gone = dataOf(await ann.get(`/ab_tests/${first.id}?with_deleted=true`))
        assert.deepEqual([gone.created_by, gone.updated_by], [first.created_by, null], step)
      }
      const places = await placesOf(store, bob.id)
      assert.deepEqual(
        places.filter((place) => place.startsWith('ab_')),
        [],
      )
      assert.deepEqual(await listed(`user_id=${bob.id}`), [])
      const renamed = made(await put(own.id, { name: 'Of the account' }))
      assert.deepEqual([renamed.created_by, renamed.updated_by], [null, first.created_by])
    })

    test('campaigns that are not recorded as those of their test are found and repaired', async () => {
      const [one, other] = (await campaigns(2)) as [string, string]
      const { id } = made(await post(halves(one, other)))
      const { store } = opened.plaza.context
      const compare = async (repair: boolean) => {
        const found: Difference[] = []
        const own = comparisons.filter(({ name }) => name === 'entities of A/B tests')
        const options = { repair, found: (difference: Difference) => void found.push(difference) }
        for await (const { compared } of compareAll(store, own, options)) assert.ok(compared > 0)
        return found
      }
      assert.deepEqual(await compare(false), [])
      const broken = adHocQuery('brokenABTest', (db) => ({
        compile: () => sql`delete from ab_test_entities where entity_id = ${sql.lit(one)}`.compile(db),
      }))
      await store.write((tx) => tx.run(broken, {}))
      assert.deepEqual(await compare(true), [
        {
          of: `A/B test ${id} of account ${ann.accountId}`,
          name: 'entities',
          stored: other,
          expected: [one, other].sort().join(' '),
        },
      ])
      assert.deepEqual(await compare(false), [])
      assert.deepEqual(errorOf(await post(halves(one, await campaign()))), INVALID)
    })
  })
}
