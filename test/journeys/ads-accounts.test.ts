import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { registerApp } from '../../src/api/ads/accounts/apps.ts'
import { grantAccess, openAccount } from '../../src/api/ads/accounts/open.ts'
import { removeAccess } from '../../src/api/ads/accounts/queries.ts'
import { fundAccount } from '../../src/api/ads/funding-instruments/fund.ts'
import type { Role } from '../../src/api/ads/scope.ts'
import type { Transaction } from '../../src/platform/storage/store.ts'
import { Client, type Reply } from '../support/client.ts'
import { Person } from '../support/person.ts'
import { startPlaza } from '../support/plaza.ts'
import { type Opened, stages } from '../support/stages.ts'

type Data = Record<string, unknown> & { id: string }

const dataOf = (reply: Reply) => (reply.json as { data: Data }).data
const listOf = (reply: Reply) => (reply.json as { data: Data[] }).data
const featuresOf = (reply: Reply) => (reply.json as { data: string[] }).data
const cursorOf = (reply: Reply) => (reply.json as { next_cursor: string | null }).next_cursor
const namesOf = (reply: Reply) => listOf(reply).map(({ name }) => name)
/** Status and first error. */
const errorOf = (reply: Reply) => {
  const [first] = (reply.json as { errors?: { code: string; parameter?: string }[] }).errors ?? []
  return [reply.status, first?.code, first?.parameter]
}

const UNKNOWN = [403, 'ACCOUNT_NOT_FOUND', 'account_id']
const NOT_ALLOWED = [403, 'ACTION_NOT_ALLOWED', undefined]
const NO_ROUTE = [404, 'ROUTE_NOT_FOUND', undefined]

const FIRST_FEATURES = [
  'CPI_CHARGING',
  'EVENT_TARGETING',
  'INSTALLED_APP_CATEGORY_TARGETING',
  'MOBILE_CONVERSION_TRANSACTION_VALUE',
  'OPTIMIZED_ACTION_BIDDING',
  'VIDEO_APP_DOWNLOAD_CARD',
]

for (const stage of stages) {
  describe(`accounts on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let client: Client

    before(async () => {
      opened = await stage.open({ rateLimits: 'off' })
      client = new Client(opened.plaza)
    })
    after(async () => {
      await client?.close()
      await opened?.close()
    })

    const join = () => Person.join(opened.plaza, client)
    const write = <T>(work: (tx: Transaction) => Promise<T>) => opened.plaza.context.store.write(work)
    async function open(
      owner: Person,
      name = 'An account',
      environment: 'production' | 'sandbox' = 'production',
    ) {
      const { context } = opened.plaza
      const row = await context.store.write((tx) =>
        openAccount(tx, { environment, name, ownerUserId: owner.id }, context),
      )
      return row.id
    }
    const share = (accountId: string, { id: userId }: Person, ...roles: Role[]) =>
      write((tx) => grantAccess(tx, { accountId, userId, roles, now: opened.plaza.clock.now() }))

    test('an account is shown with all of its members', async () => {
      const ann = await join()
      const id = await open(ann, 'Ann & Co')
      const reply = await ann.call('GET', `/accounts/${id}`)
      assert.equal(reply.status, 200)
      assert.deepEqual(reply.json, {
        request: { params: { account_id: id } },
        data: {
          id,
          name: 'Ann & Co',
          business_name: null,
          business_id: null,
          timezone: 'America/Los_Angeles',
          timezone_switch_at: null,
          approval_status: 'ACCEPTED',
          industry_type: null,
          created_at: '2026-03-01T12:00:00Z',
          updated_at: '2026-03-01T12:00:00Z',
          deleted: false,
        },
      })
      assert.deepEqual(listOf(await ann.call('GET', '/accounts')), [dataOf(reply)])
    })

    describe('the list', () => {
      const names = ['beta', 'Alpha', 'alphabet', 'Gamma', 'BETA 2', 'élan']
      let ann: Person
      let ids: string[]

      before(async () => {
        ann = await join()
        ids = []
        for (const name of names) {
          ids.push(await open(ann, name))
          opened.plaza.clock.advance(1000)
        }
        await open(await join(), 'alpha of another user')
        await open(ann, 'alpha of the sandbox', 'sandbox')
      })
      const list = (query = '') => ann.call('GET', `/accounts${query}`)

      test('holds what the user may use in the environment that is called, oldest first', async () => {
        assert.deepEqual(namesOf(await list()), names)
        assert.deepEqual(namesOf(await ann.try('GET', '/accounts')), ['alpha of the sandbox'])
      })

      test('finds names by how they begin, in any case', async () => {
        assert.deepEqual(namesOf(await list('?q=ALPHA')), ['Alpha', 'alphabet'])
        assert.deepEqual(namesOf(await list('?q=%C3%89L')), ['élan'])
        assert.deepEqual(namesOf(await list('?q=%25')), [])
        assert.deepEqual(errorOf(await list('?q=')), [400, 'INVALID_PARAMETER', 'q'])
      })

      test('passes over ids of other people and other environments', async () => {
        const bob = await join()
        const foreign = await open(bob)
        const sandboxed = listOf(await ann.try('GET', '/accounts'))[0]?.id
        const asked = [ids[3], foreign, sandboxed, 'nosuch', ids[0]].join(',')
        assert.deepEqual(namesOf(await list(`?account_ids=${asked}`)), ['beta', 'Gamma'])
      })

      test('is sorted by name or age, either way', async () => {
        const byName = ['Alpha', 'alphabet', 'beta', 'BETA 2', 'Gamma', 'élan']
        assert.deepEqual(namesOf(await list('?sort_by=name-asc')), byName)
        assert.deepEqual(namesOf(await list('?sort_by=name-desc')), byName.toReversed())
        assert.deepEqual(namesOf(await list('?sort_by=created_at-desc')), names.toReversed())
        assert.deepEqual(errorOf(await list('?sort_by=name')), [400, 'INVALID_PARAMETER', 'sort_by'])
        assert.deepEqual(errorOf(await list('?sort_by=timezone-asc')), [400, 'INVALID_PARAMETER', 'sort_by'])
      })

      for (const sort of ['created_at-asc', 'name-asc', 'name-desc', 'updated_at-desc']) {
        test(`comes page by page without a gap: ${sort}`, async () => {
          const whole = namesOf(await list(`?sort_by=${sort}`))
          const paged: unknown[] = []
          let cursor: string | null = ''
          while (cursor !== null) {
            const reply = await list(`?sort_by=${sort}&count=2${cursor && `&cursor=${cursor}`}`)
            assert.equal(reply.status, 200, reply.text)
            assert.ok(listOf(reply).length <= 2)
            paged.push(...namesOf(reply))
            cursor = cursorOf(reply)
          }
          assert.deepEqual(paged, whole)
        })
      }

      test('takes a cursor only for the list that it came from', async () => {
        const cursor = cursorOf(await list('?count=2'))
        const wrong = [400, 'INVALID_PARAMETER', 'cursor']
        assert.deepEqual(errorOf(await list(`?q=a&cursor=${cursor}`)), wrong)
        assert.deepEqual(errorOf(await ann.try('GET', `/accounts?cursor=${cursor}`)), wrong)
        const bob = await join()
        assert.deepEqual(errorOf(await bob.call('GET', `/accounts?cursor=${cursor}`)), wrong)
      })

      test('is counted on request, but not from the middle', async () => {
        const counted = (await list('?with_total_count=true&count=1&q=alpha')).json
        assert.equal((counted as { total_count: number }).total_count, 2)
        const cursor = cursorOf(await list('?count=2'))
        assert.deepEqual(errorOf(await list(`?with_total_count=true&cursor=${cursor}`)), [
          400,
          'EXCLUSIVE_PARAMETERS',
          'with_total_count',
        ])
      })
    })

    test('a stranger learns nothing of an account, not even that it is there', async () => {
      const ann = await join()
      const id = await open(ann)
      const stranger = await join()
      const calls: [string, string, Record<string, string>?][] = [
        ['GET', ''],
        ['PUT', '', { name: 'Mine now' }],
        ['GET', '/account_apps'],
        ['GET', '/features'],
        ['GET', '/authenticated_user_access'],
        [
          'GET',
          '/account_history?entity_type=CAMPAIGN&entity_id=a&start_time=2026-03-01&end_time=2026-03-02',
        ],
        ['GET', '/campaigns'],
      ]
      for (const [method, path, form] of calls) {
        const [known, unknown] = [`/accounts/${id}${path}`, `/accounts/nosuch${path}`]
        assert.deepEqual(errorOf(await stranger.call(method, known, form)), UNKNOWN, path)
        assert.deepEqual(errorOf(await stranger.call(method, unknown, form)), UNKNOWN, path)
        assert.deepEqual(errorOf(await ann.try(method, known, form)), UNKNOWN, `${path} on the sandbox`)
      }
      assert.deepEqual(listOf(await stranger.call('GET', '/accounts')), [])
      assert.equal(dataOf(await ann.call('GET', `/accounts/${id}`)).name, 'An account')
    })

    test('each role may do what is its own, and no more', async () => {
      const ann = await join()
      const id = await open(ann)
      const { context } = opened.plaza
      const funding = await context.store.write((tx) =>
        fundAccount(tx, id, { currency: 'USD', type: 'CREDIT_LINE' }, context),
      )
      const campaign = { name: 'A campaign', funding_instrument_id: funding }
      const may: [Role[], rename: boolean, campaign: boolean][] = [
        [['ACCOUNT_ADMIN'], true, true],
        [['AD_MANAGER', 'POST_COMPOSER'], false, true],
        [['CREATIVE_MANAGER'], false, false],
        [['CAMPAIGN_ANALYST'], false, false],
        [['ANALYST'], false, false],
        [['PARTNER_AUDIENCE_MANAGER'], false, false],
      ]
      for (const [roles, mayRename, mayAdvertise] of may) {
        const one = await join()
        await share(id, one, ...roles)
        const access = await one.call('GET', `/accounts/${id}/authenticated_user_access`)
        assert.deepEqual(dataOf(access), { user_id: one.id, permissions: roles })
        assert.equal((await one.call('GET', `/accounts/${id}/features`)).status, 200)
        const renamed = await one.call('PUT', `/accounts/${id}`, { name: roles.join() })
        assert.deepEqual(errorOf(renamed), mayRename ? [200, undefined, undefined] : NOT_ALLOWED)
        const made = await one.call('POST', `/accounts/${id}/campaigns`, campaign)
        assert.deepEqual(errorOf(made), mayAdvertise ? [201, undefined, undefined] : NOT_ALLOWED)
      }
      assert.equal(dataOf(await ann.call('GET', `/accounts/${id}`)).name, 'ACCOUNT_ADMIN')
      assert.equal(listOf(await ann.call('GET', `/accounts/${id}/campaigns`)).length, 2)
    })

    test('other roles hold from the next call on, and so does the end of all', async () => {
      const [ann, bob] = [await join(), await join()]
      const id = await open(ann)
      await share(id, bob, 'ACCOUNT_ADMIN')
      assert.equal((await bob.call('PUT', `/accounts/${id}`, { name: 'By Bob' })).status, 200)
      await share(id, bob, 'ANALYST')
      assert.deepEqual(errorOf(await bob.call('PUT', `/accounts/${id}`, { name: 'Again' })), NOT_ALLOWED)
      assert.equal((await bob.call('GET', `/accounts/${id}`)).status, 200)
      await write((tx) => tx.run(removeAccess, { userId: bob.id, account: id }))
      assert.deepEqual(errorOf(await bob.call('GET', `/accounts/${id}`)), UNKNOWN)
      assert.deepEqual(listOf(await bob.call('GET', '/accounts')), [])
    })

    test('a change touches only what is sent', async () => {
      const ann = await join()
      const id = await open(ann)
      const put = (form?: Record<string, string>) => ann.call('PUT', `/accounts/${id}`, form)
      opened.plaza.clock.advance(60_000)
      const before = dataOf(await ann.call('GET', `/accounts/${id}`))
      assert.deepEqual(dataOf(await put()), before, 'nothing sent, nothing changed')
      const renamed = dataOf(await put({ name: 'Älter' }))
      assert.deepEqual({ ...renamed, updated_at: before.updated_at }, { ...before, name: 'Älter' })
      assert.ok(String(renamed.updated_at) > String(before.updated_at))
      assert.deepEqual(namesOf(await ann.call('GET', '/accounts?q=%C3%A4L')), ['Älter'])
      const travel = await put({ industry_type: 'TRAVEL' })
      assert.deepEqual(dataOf(travel), { ...renamed, industry_type: 'TRAVEL' })
      const cleared = await put({ industry_type: '' })
      assert.equal(dataOf(cleared).industry_type, null)
      assert.deepEqual((cleared.json as { request: unknown }).request, {
        params: { account_id: id, industry_type: null },
      })
    })

    test('a wrong change is rejected and changes nothing', async () => {
      const ann = await join()
      const id = await open(ann)
      const put = (form: Record<string, string>) => ann.call('PUT', `/accounts/${id}`, form)
      const foo = await put({ name: 'New', industry_type: 'FOO' })
      assert.deepEqual(errorOf(foo), [400, 'INVALID_PARAMETER', 'industry_type'])
      assert.match(foo.text, /Expected a value in AGENCY, BUSINESS_TO_BUSINESS, .*, got \\"FOO\\"/)
      assert.deepEqual(errorOf(await put({ name: '' })), [400, 'INVALID_PARAMETER', 'name'])
      assert.deepEqual(errorOf(await put({ name: 'x'.repeat(256) })), [400, 'INVALID_PARAMETER', 'name'])
      assert.deepEqual(errorOf(await put({ name: ' \t' })), [400, 'INVALID', undefined])
      assert.equal((await put({ name: '\u{1f600}'.repeat(255) })).status, 200)
      await put({ name: 'An account' })
      assert.equal(dataOf(await ann.call('GET', `/accounts/${id}`)).name, 'An account')
    })

    test('the sandbox opens and deletes accounts, production does not', async () => {
      const ann = await join()
      for (const [method, path] of [
        ['POST', '/accounts'],
        ['DELETE', `/accounts/${await open(ann)}`],
        ['POST', `/accounts/${await open(ann)}/features`],
        ['DELETE', `/accounts/${await open(ann)}/features`],
      ] as const)
        assert.deepEqual(errorOf(await ann.call(method, path)), NO_ROUTE, `${method} ${path}`)

      const made = await ann.try('POST', '/accounts')
      assert.equal(made.status, 201)
      assert.deepEqual((made.json as { request: unknown }).request, { params: {} })
      const account = dataOf(made)
      assert.deepEqual([account.name, account.approval_status], ['Sandbox account', 'ACCEPTED'])
      assert.deepEqual(listOf(await ann.try('GET', '/accounts')), [account])
      const access = await ann.try('GET', `/accounts/${account.id}/authenticated_user_access`)
      assert.deepEqual(dataOf(access).permissions, ['ACCOUNT_ADMIN', 'POST_COMPOSER'])
      assert.deepEqual(errorOf(await ann.call('GET', `/accounts/${account.id}`)), UNKNOWN)
    })

    test('a deleted account is gone with everything under it, but its record is not', async () => {
      const [ann, bob] = [await join(), await join()]
      const { id } = dataOf(await ann.try('POST', '/accounts'))
      await share(id, bob, 'AD_MANAGER')
      assert.deepEqual(errorOf(await bob.try('DELETE', `/accounts/${id}`)), NOT_ALLOWED)
      opened.plaza.clock.advance(1000)
      const deleted = await ann.try('DELETE', `/accounts/${id}`)
      assert.equal(deleted.status, 200)
      assert.equal(dataOf(deleted).deleted, true)
      assert.deepEqual(errorOf(await ann.try('DELETE', `/accounts/${id}`)), UNKNOWN)

      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['GET', '?with_deleted=false'],
        ['GET', '/features'],
        ['GET', '/campaigns?with_deleted=true'],
        ['GET', '/authenticated_user_access'],
        ['POST', '/features?feature_keys=BRAND_TPN'],
      ] as const)
        assert.deepEqual(errorOf(await ann.try(method, `/accounts/${id}${path}`)), UNKNOWN, path)
      for (const person of [ann, bob]) {
        assert.deepEqual(listOf(await person.try('GET', '/accounts')), [])
        assert.deepEqual(listOf(await person.try('GET', '/accounts?with_deleted=true')), [dataOf(deleted)])
        const shown = await person.try('GET', `/accounts/${id}?with_deleted=true`)
        assert.deepEqual(dataOf(shown), dataOf(deleted))
      }
    })

    test('of several concurrent deletions of an account, one succeeds', async () => {
      const ann = await join()
      const { id } = dataOf(await ann.try('POST', '/accounts'))
      const replies = await Promise.all([1, 2, 3].map(() => ann.try('DELETE', `/accounts/${id}`)))
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 403, 403])
    })

    test('features are granted and revoked, as often as one likes', async () => {
      const ann = await join()
      const { id } = dataOf(await ann.try('POST', '/accounts'))
      const path = `/accounts/${id}/features`
      assert.deepEqual((await ann.try('GET', path)).json, {
        request: { params: { account_id: id } },
        data: FIRST_FEATURES,
      })
      const grant = () => ann.try('POST', path, { feature_keys: 'REACH_FREQUENCY_CAP,AGE_TARGETING' })
      const granted = await grant()
      assert.equal(granted.status, 201)
      assert.deepEqual(granted.json, {
        request: { params: { account_id: id, feature_keys: ['REACH_FREQUENCY_CAP', 'AGE_TARGETING'] } },
        data: ['AGE_TARGETING', ...FIRST_FEATURES, 'REACH_FREQUENCY_CAP'].sort(),
      })
      assert.deepEqual(featuresOf(await grant()), featuresOf(granted))
      const some = await ann.try('GET', `${path}?feature_keys=REACH_FREQUENCY_CAP,BRAND_TPN`)
      assert.deepEqual(featuresOf(some), ['REACH_FREQUENCY_CAP'])
      for (let round = 0; round < 2; round++) {
        const left = await ann.try('DELETE', `${path}?feature_keys=AGE_TARGETING,CPI_CHARGING`)
        assert.equal(left.status, 200)
        assert.deepEqual(featuresOf(left), [...FIRST_FEATURES.slice(1), 'REACH_FREQUENCY_CAP'].sort())
      }
      const other = dataOf(await ann.try('POST', '/accounts')).id
      assert.deepEqual(featuresOf(await ann.try('GET', `/accounts/${other}/features`)), FIRST_FEATURES)
    })

    test('an unknown feature is rejected, and nothing of the call is granted', async () => {
      const ann = await join()
      const { id } = dataOf(await ann.try('POST', '/accounts'))
      const path = `/accounts/${id}/features`
      const wrong = [400, 'INVALID_PARAMETER', 'feature_keys']
      const keys = 'AGE_TARGETING,TELEPORTATION'
      assert.deepEqual(errorOf(await ann.try('GET', `${path}?feature_keys=${keys}`)), wrong)
      assert.deepEqual(errorOf(await ann.try('POST', path, { feature_keys: keys })), wrong)
      assert.deepEqual(errorOf(await ann.try('DELETE', path, { feature_keys: keys })), wrong)
      const missing = [400, 'MISSING_PARAMETER', 'feature_keys']
      assert.deepEqual(errorOf(await ann.try('POST', path)), missing)
      assert.deepEqual(errorOf(await ann.try('DELETE', path)), missing)
      assert.deepEqual(featuresOf(await ann.try('GET', path)), FIRST_FEATURES)
    })

    test("how a user is told about an account is the user's own; an administrator may look", async () => {
      const [ann, bob, eve] = [await join(), await join(), await join()]
      const id = await open(ann)
      await share(id, bob, 'AD_MANAGER')
      await share(id, eve, 'ANALYST')
      const path = (user: Person) => `/accounts/${id}/user_settings/${user.id}`
      const nothing = {
        notification_email: null,
        contact_phone: '',
        contact_phone_extension: '',
        subscribed_email_types: [],
      }
      assert.deepEqual(dataOf(await bob.call('GET', path(bob))), nothing)
      const put = (form: Record<string, string>) => bob.call('PUT', path(bob), form)
      const all = await put({
        notification_email: 'bob@example.com',
        contact_phone: '+49 (30) 555-0100',
        contact_phone_extension: '42',
        subscribed_email_types: 'PERFORMANCE_IMPROVEMENT,ACCOUNT_PERFORMANCE',
      })
      assert.equal(all.status, 200)
      const expected = {
        notification_email: 'bob@example.com',
        contact_phone: '+49 (30) 555-0100',
        contact_phone_extension: '42',
        subscribed_email_types: ['PERFORMANCE_IMPROVEMENT', 'ACCOUNT_PERFORMANCE'],
      }
      assert.deepEqual(dataOf(all), expected)
      assert.deepEqual(dataOf(await put({})), expected)
      assert.deepEqual(dataOf(await put({ contact_phone: '' })), { ...expected, contact_phone: '' })
      const emptied = await put({ notification_email: '', subscribed_email_types: '' })
      assert.deepEqual(dataOf(emptied), { ...nothing, contact_phone_extension: '42' })

      assert.deepEqual(dataOf(await ann.call('GET', path(bob))), dataOf(emptied))
      const forbidden = [403, 'ACTION_NOT_ALLOWED', 'user_id']
      assert.deepEqual(errorOf(await eve.call('GET', path(bob))), forbidden)
      for (const other of [ann, eve])
        assert.deepEqual(errorOf(await other.call('PUT', path(bob), { contact_phone: '555' })), forbidden)
      const stranger = await join()
      assert.deepEqual(errorOf(await ann.call('GET', path(stranger))), [404, 'NOT_FOUND', 'user_id'])
      assert.deepEqual(errorOf(await stranger.call('GET', path(stranger))), UNKNOWN)
      for (const [name, value] of [
        ['notification_email', 'nobody'],
        ['contact_phone', 'call me'],
        ['contact_phone_extension', '4-2'],
        ['subscribed_email_types', 'SPAM'],
      ] as const)
        assert.deepEqual(errorOf(await put({ [name]: value })), [400, 'INVALID_PARAMETER', name])
      assert.deepEqual(dataOf(await bob.call('GET', path(bob))), dataOf(emptied))
    })

    test('an account is taxed and billed as it says', async () => {
      const ann = await join()
      const id = await open(ann)
      const path = `/accounts/${id}/tax_settings`
      const nothing = {
        tax_id: null,
        tax_category: null,
        business_relationship: 'SELF',
        bill_to: 'NOT_SET',
        invoice_jurisdiction: 'NOT_SET',
        address_company: null,
        address_first_name: null,
        address_last_name: null,
        address_email: null,
        address_street1: null,
        address_street2: null,
        address_city: null,
        address_region: null,
        address_postal_code: null,
        address_country: null,
      }
      assert.deepEqual(dataOf(await ann.call('GET', path)), nothing)
      const put = (form: Record<string, string>) => ann.call('PUT', path, form)
      const own = await put({
        tax_id: 'GB896391250',
        tax_category: 'BUSINESS_WITH_VAT',
        address_name: 'ABC, Inc.',
        address_city: 'London',
        address_country: 'GB',
      })
      const expected = {
        ...nothing,
        tax_id: 'GB896391250',
        tax_category: 'BUSINESS_WITH_VAT',
        address_company: 'ABC, Inc.',
        address_city: 'London',
        address_country: 'GB',
      }
      assert.deepEqual(dataOf(own), expected)
      const agency = await put({
        business_relationship: 'AGENCY',
        bill_to: 'AGENCY',
        client_address_name: 'Client',
        tax_exemption_id: 'E1',
      })
      assert.deepEqual(dataOf(agency), {
        ...expected,
        business_relationship: 'AGENCY',
        bill_to: 'AGENCY',
        client_address_company: 'Client',
        tax_exemption_id: 'E1',
      })
      const cleared = {
        business_relationship: '',
        bill_to: '',
        client_address_name: '',
        tax_exemption_id: '',
      }
      assert.deepEqual(dataOf(await put(cleared)), expected)
      for (const [name, value] of [
        ['address_country', 'XX'],
        ['client_address_country', 'Germany'],
        ['bill_to', 'NOBODY'],
        ['address_company', 'Another, Inc.'],
        ['address_email', 'nobody'],
        ['tax_id', 'x'.repeat(51)],
      ] as const)
        assert.deepEqual(
          errorOf(await put({ tax_id: 'other', [name]: value })),
          [400, 'INVALID_PARAMETER', name],
          name,
        )
      assert.deepEqual(dataOf(await ann.call('GET', path)), expected)
      const manager = await join()
      await share(id, manager, 'AD_MANAGER')
      assert.deepEqual(errorOf(await manager.call('PUT', path, { tax_id: 'mine' })), NOT_ALLOWED)
      assert.deepEqual(dataOf(await manager.call('GET', path)), expected)
      assert.deepEqual(dataOf(await ann.call('GET', `/accounts/${await open(ann)}/tax_settings`)), nothing)
    })

    test('apps that were registered for an account are listed, for that account only', async () => {
      const ann = await join()
      const [id, other] = [await open(ann), await open(ann)]
      const { context } = opened.plaza
      const app = { system: 'iOS', conversionTracking: true, deepLinkPattern: null } as const
      const register = (identifier: string) =>
        context.store.write((tx) => registerApp(tx, id, { ...app, identifier }, context))
      const first = await register('333903271')
      await register('333903272')
      assert.equal(await register('333903271'), undefined, 'once is enough')
      const reply = await ann.call('GET', `/accounts/${id}/account_apps?count=1`)
      assert.deepEqual(listOf(reply), [
        {
          id: first,
          app_store_identifier: '333903271',
          conversion_tracking_enabled: true,
          deep_link_pattern: null,
          os_type: 'iOS',
          created_at: listOf(reply)[0]?.created_at,
          updated_at: listOf(reply)[0]?.created_at,
          deleted: false,
        },
      ])
      const next = await ann.call('GET', `/accounts/${id}/account_apps?count=1&cursor=${cursorOf(reply)}`)
      assert.deepEqual(
        listOf(next).map((one) => one.app_store_identifier),
        ['333903272'],
      )
      assert.equal(cursorOf(next), null)
      assert.deepEqual(listOf(await ann.call('GET', `/accounts/${other}/account_apps`)), [])
    })
  })
}

test('a first start opens one account on production and one on the sandbox, ready to advertise', async (t) => {
  const plaza = await startPlaza({ rateLimits: 'off' })
  const client = new Client(plaza)
  t.after(async () => {
    await client.close()
    await plaza.close()
  })
  const app = plaza.seeded?.apps[0]
  assert.deepEqual(
    plaza.seeded?.accounts.map(({ environment, owner }) => [environment, owner]),
    [
      ['production', 'advertiser'],
      ['sandbox', 'advertiser'],
    ],
  )
  for (const { id, environment, fundingInstrumentIds } of plaza.seeded?.accounts ?? []) {
    const url = environment === 'sandbox' ? plaza.urls.adsSandbox : plaza.urls.ads
    for (const grant of app?.grants ?? []) {
      const { consumerKey = '', consumerSecret = '' } = app ?? {}
      const keys = { consumerKey, consumerSecret, token: grant.token, tokenSecret: grant.secret }
      const form = { name: 'A campaign', funding_instrument_id: fundingInstrumentIds[0] ?? '' }
      const made = await client.signed('POST', `${url}/12/accounts/${id}/campaigns`, keys, { form })
      assert.equal(made.status, 201, made.text)
      assert.equal(dataOf(made).currency, 'USD')
      const mine = await client.signed('GET', `${url}/12/accounts/${id}/authenticated_user_access`, keys)
      const roles =
        grant.screenName === 'demo' ? ['AD_MANAGER', 'POST_COMPOSER'] : ['ACCOUNT_ADMIN', 'POST_COMPOSER']
      assert.deepEqual(dataOf(mine).permissions, roles)
    }
  }
})

test('with --sandbox-account-list a new sandbox account comes as a list of one', async (t) => {
  const plaza = await startPlaza({ rateLimits: 'off', sandboxAccountList: true })
  const client = new Client(plaza)
  t.after(async () => {
    await client.close()
    await plaza.close()
  })
  const ann = await Person.join(plaza, client)
  const reply = await ann.try('POST', '/accounts')
  assert.equal(reply.status, 201)
  assert.deepEqual(reply.json, {
    request: { params: {} },
    next_cursor: null,
    data: listOf(await ann.try('GET', '/accounts')),
  })
})
