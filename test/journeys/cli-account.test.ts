import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runPlaza, type Started, startCli, stopCli, temporaryFolder } from './cli.fixture.ts'

/** What an operator does with advertising accounts beside the server that another user started. */

async function account<T>(t: TestContext, { data }: Started, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runPlaza(t, ['account', ...args, `--data=${data}`, '--json'])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as T
}

interface Answer<Data> {
  status: number
  body: { data: Data; errors?: { code: string }[] }
}

/** A call of the advertising API as the first user. */
async function call<Data>(
  t: TestContext,
  { data }: Started,
  method: string,
  path: string,
  ...args: string[]
) {
  const flags = ['--host=ads', `--data=${data}`, '--json']
  const { stdout, stderr } = await runPlaza(t, ['request', method, `/12${path}`, ...flags, ...args])
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout) as Answer<Data>
}

test('an account that was opened, shared and paid for can advertise at once', async (t) => {
  const plaza = await startCli(t)
  const args = ['--owner=@Advertiser', '--name=Made by hand', '--timezone=Europe/Berlin']
  const { id } = await account<{ id: string }>(t, plaza, 'create', ...args)
  const path = `/accounts/${id}`
  assert.equal((await call(t, plaza, 'GET', path)).status, 403)
  await account(t, plaza, 'grant', id, 'demo', 'AD_MANAGER,POST_COMPOSER')
  const shown = await call<Record<string, unknown>>(t, plaza, 'GET', path)
  assert.deepEqual([shown.body.data.name, shown.body.data.timezone], ['Made by hand', 'Europe/Berlin'])

  const amounts = ['--currency=EUR', '--credit-limit=1000.5']
  const funding = await account<{ id: string }>(t, plaza, 'fund', id, ...amounts)
  const instruments = await call<Record<string, unknown>[]>(t, plaza, 'GET', `${path}/funding_instruments`)
  assert.deepEqual(
    instruments.body.data.map((one) => [
      one.id,
      one.currency,
      one.type,
      one.credit_limit_local_micro,
      one.able_to_fund,
    ]),
    [[funding.id, 'EUR', 'CREDIT_LINE', 1_000_500_000, true]],
  )
  const form = ['--form=name=First', `--form=funding_instrument_id=${funding.id}`]
  assert.equal((await call(t, plaza, 'POST', `${path}/campaigns`, ...form)).status, 201)

  const added = await account<{ features: string[] }>(t, plaza, 'feature', 'add', id, 'BRAND_TPN')
  assert.ok(added.features.includes('BRAND_TPN'))
  await account(t, plaza, 'feature', 'remove', id, 'BRAND_TPN,CPI_CHARGING')
  const { body } = await call<string[]>(t, plaza, 'GET', `${path}/features`)
  assert.ok(!body.data.includes('BRAND_TPN') && !body.data.includes('CPI_CHARGING'))

  await account(t, plaza, 'app', 'add', id, 'com.example.app', '--deep-link=svc://')
  const apps = await call<Record<string, unknown>[]>(t, plaza, 'GET', `${path}/account_apps`)
  assert.deepEqual(
    apps.body.data.map((one) => [one.app_store_identifier, one.os_type, one.deep_link_pattern]),
    [['com.example.app', 'Android', 'svc://']],
  )
  await account(t, plaza, 'update', id, '--approval-status=REJECTED', '--business-id=b1')
  const updated = await call<Record<string, unknown>>(t, plaza, 'GET', path)
  assert.deepEqual([updated.body.data.approval_status, updated.body.data.business_id], ['REJECTED', 'b1'])
  const { stdout } = await runPlaza(t, ['account', 'list', `--data=${plaza.data}`])
  assert.match(stdout, new RegExp(`${id} +production +Made by hand\n +@\\w+ +\\w+`))
  await account(t, plaza, 'revoke', id, 'demo')
  assert.equal((await call(t, plaza, 'GET', path)).status, 403)
})

test('invalid input is named in the error, and changes nothing', async (t) => {
  const plaza = await startCli(t)
  const [first] = plaza.ready.accounts
  const id = first?.id ?? ''
  const wrong: [string[], number, RegExp][] = [
    [['create', '--owner=nobody', '--name=X'], 1, /no user @nobody/],
    [['create', '--owner=demo'], 2, /--name/],
    [['create', '--owner=demo', '--name=X', '--timezone=Atlantis'], 2, /--timezone/],
    [['grant', id, 'demo', 'KING'], 2, /"KING".*ACCOUNT_ADMIN/],
    [['grant', id, 'demo', 'POST_COMPOSER'], 2, /POST_COMPOSER goes together/],
    [['grant', 'nosuch', 'demo', 'ANALYST'], 1, /no account nosuch/],
    [['revoke', id, 'nobody'], 1, /no user @nobody/],
    [['fund', id, '--currency=XXX'], 2, /--currency/],
    [['fund', id, '--type=GOLD'], 2, /--type/],
    [['fund', id, '--credit-limit=-1'], 2, /--credit-limit/],
    [
      ['fund', id, '--credit-limit=9223372036854.775808'],
      2,
      /at most 9223372036854\.775807, got "9223372036854\.775808"/,
    ],
    [['feature', 'add', id, 'TELEPORTATION'], 2, /"TELEPORTATION"/],
    [['app', 'add', id, 'not a package'], 2, /package name/],
    [['app', 'add', id, 'com.example.app', '--os=iOS'], 2, /number of an iOS app/],
    [['update', id], 2, /at least one flag is required/],
    [['feature'], 2, /account feature add/],
  ]
  const before = await runPlaza(t, ['account', 'list', `--data=${plaza.data}`, '--json'])
  for (const [args, code, names] of wrong) {
    const ended = await runPlaza(t, [
      'account',
      ...args,
      ...(args.length > 1 ? [`--data=${plaza.data}`] : []),
    ])
    assert.deepEqual([ended.code, ended.stdout], [code, ''], args.join(' '))
    assert.match(ended.stderr, names)
  }
  const after = await runPlaza(t, ['account', 'list', `--data=${plaza.data}`, '--json'])
  assert.equal(after.stdout, before.stdout)
})

describe('the accounts of a first start', () => {
  test('are in the ready file and in what the start prints, also after the next start', async (t) => {
    const folder = temporaryFolder(t)
    const plaza = await startCli(t, { folder })
    const { accounts } = plaza.ready
    assert.deepEqual(
      accounts.map(({ environment, name }) => [environment, name]),
      [
        ['production', 'Demo account'],
        ['sandbox', 'Demo sandbox account'],
      ],
    )
    for (const { id, funding_instrument_ids } of accounts) {
      assert.ok(plaza.stdout().includes(id))
      assert.equal(funding_instrument_ids.length, 1)
    }
    const { body } = await call<{ id: string }[]>(t, plaza, 'GET', '/accounts')
    assert.deepEqual(
      body.data.map(({ id }) => id),
      [accounts[0]?.id],
    )
    const { id = '', user_id } = accounts[0] ?? {}
    const form = [`--form=as_user_id=${user_id}`, '--form=text=Hello']
    const post = await call(t, plaza, 'POST', `/accounts/${id}/post`, ...form)
    assert.equal(post.status, 201, JSON.stringify(post.body))
    await stopCli(plaza)
    assert.deepEqual((await startCli(t, { folder })).ready.accounts, accounts)
  })

  const SEED = {
    users: [
      { screen_name: 'ann', name: 'Ann' },
      { screen_name: 'bob', name: 'Bob' },
    ],
    apps: [
      {
        name: 'App',
        website: 'https://app.example/',
        owner: 'ann',
        callbacks: [],
        permission: 'read-write',
        kind: 'web',
        sign_in: false,
        grants: [{ user: 'bob', access: 'read-write' }],
      },
    ],
  }
  const ACCOUNT = {
    name: 'Seeded',
    owner: 'ann',
    environment: 'production',
    timezone: 'Europe/Paris',
    business_id: 'b1',
    users: [{ user: 'bob', roles: ['CREATIVE_MANAGER', 'POST_COMPOSER'] }],
    features: ['PROMOTED_MEDIA_POLLS'],
    funding: [
      { currency: 'JPY', type: 'INSERTION_ORDER', funded_amount_local_micro: 5_000_000_000 },
      { currency: 'EUR', type: 'CREDIT_LINE', credit_limit_local_micro: 1_000_000 },
    ],
  }

  test('are those of a seed file', async (t) => {
    const folder = temporaryFolder(t)
    const file = join(folder, 'seed.json')
    writeFileSync(file, JSON.stringify({ ...SEED, accounts: [ACCOUNT] }))
    const plaza = await startCli(t, { folder, args: [`--seed=${file}`] })
    const [seeded] = plaza.ready.accounts
    assert.equal(seeded?.funding_instrument_ids.length, 2)
    const path = `/accounts/${seeded?.id}`
    const shown = await call<Record<string, unknown>>(t, plaza, 'GET', path)
    assert.deepEqual(
      [shown.body.data.name, shown.body.data.timezone, shown.body.data.business_id],
      ['Seeded', 'Europe/Paris', 'b1'],
    )
    const access = await call<{ permissions: string[] }>(t, plaza, 'GET', `${path}/authenticated_user_access`)
    assert.deepEqual(access.body.data.permissions, ['CREATIVE_MANAGER', 'POST_COMPOSER'])
    const features = await call<string[]>(t, plaza, 'GET', `${path}/features`)
    assert.ok(features.body.data.includes('PROMOTED_MEDIA_POLLS'))
  })

  test('are rejected when the seed file contradicts itself', async (t) => {
    const wrong: [object, RegExp][] = [
      [{ ...ACCOUNT, owner: 'carol' }, /"carol"/],
      [{ ...ACCOUNT, users: [{ user: 'bob', roles: ['POST_COMPOSER'] }] }, /POST_COMPOSER/],
      [{ ...ACCOUNT, funding: [{ currency: 'XXX', type: 'CREDIT_LINE' }] }, /"XXX"/],
      [{ ...ACCOUNT, timezone: 'Atlantis' }, /"Atlantis"/],
      [{ ...ACCOUNT, environment: 'moon' }, /environment/],
      [{ ...ACCOUNT, features: ['TELEPORTATION'] }, /features/],
    ]
    for (const [one, names] of wrong) {
      const file = join(temporaryFolder(t), 'seed.json')
      writeFileSync(file, JSON.stringify({ ...SEED, accounts: [one] }))
      const { code, stderr } = await runPlaza(t, [
        '--memory',
        '--core-port=0',
        '--ads-port=0',
        '--ads-sandbox-port=0',
        '--console-port=0',
        `--seed=${file}`,
      ])
      assert.equal(code, 2)
      assert.match(stderr, names)
    }
  })
})
