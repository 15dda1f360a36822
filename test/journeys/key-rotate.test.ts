import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Plaza } from '../../src/app/server.ts'
import { rotateKey } from '../../src/app/start/rotate-key.ts'
import { pageOfTokens } from '../../src/identity/apps/queries.ts'
import { basicHeader } from '../../src/identity/auth/basic.ts'
import { systemRandom } from '../../src/platform/common/random.ts'
import { type Config, configOf, readConfig } from '../../src/platform/config/config.ts'
import { openFolder } from '../../src/platform/storage/folder.ts'
import { settingByName } from '../../src/platform/storage/settings.ts'
import { Admin } from '../support/admin.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza, type TestOverrides } from '../support/plaza.ts'
import { stages } from '../support/stages.ts'
import { until } from '../support/until.ts'
import { runPlaza, smallSeedFlag, startCli, temporaryFolder } from './cli.fixture.ts'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-key-'))
  folders.push(folder)
  return folder
}
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** What a Plaza has that depends on its master key, and what of it is in the database. */
async function inspect(config: Partial<Config>, given: TestOverrides = {}) {
  const plaza = await startPlaza({ rateLimits: 'off', ...config }, given)
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const bearer = await client.bearer(keys)
  const { store } = plaza.context
  const tokens = await store.all(pageOfTokens, { user: '', app: '', limit: 10 })
  const seeded = (await store.first(settingByName, { name: 'planted' }))?.value ?? ''
  const app = await store.all((await import('../../src/identity/apps/queries.ts')).pageOfApps, {
    after: '',
    limit: 10,
  })
  const signed = (await client.signed('GET', '/2/webhooks', keys)).status
  const sealed = [
    seeded,
    ...app.flatMap((one) => [one.consumer_secret_sealed, one.bearer_hash ?? '']),
    ...tokens.flatMap((one) => [one.token_hash, one.token_sealed, one.secret_sealed]),
  ]
  const asBearer = async (text: string) =>
    (await client.send('GET', '/2/webhooks', { headers: { authorization: `Bearer ${text}` } })).status
  const state = { keys, bearer, sealed, signed, former: (text: string) => asBearer(text) }
  return { plaza, state, close: () => client.close().then(() => plaza.close()) }
}

/** Which of the texts are in a file of the folder. */
function found(folder: string, texts: readonly string[]): string[] {
  const files = readdirSync(folder).filter((name) => name.startsWith('plaza.db') || name.startsWith('master'))
  const contents = files.map((name) => readFileSync(join(folder, name), 'latin1'))
  return texts.filter((text) => contents.some((content) => content.includes(text)))
}

const rotate = async (data: string) => {
  const folder = openFolder(data)
  try {
    return await rotateKey(configOf({ data }), { folder, newKeyFile: undefined })
  } finally {
    folder.close()
  }
}

describe('plaza key rotate', () => {
  test('nothing that the former key encrypted or hashed is left in the files, and clients continue to work', async () => {
    const data = newFolder()
    const before = await inspect({ data })
    await before.close()
    const formerKey = readFileSync(join(data, 'master.key'), 'utf8').trim()
    assert.ok(before.state.sealed.length >= 9)
    assert.deepEqual(found(data, before.state.sealed), before.state.sealed)

    assert.equal(await rotate(data), join(data, 'master.key'))
    assert.deepEqual(found(data, [...before.state.sealed, formerKey]), [])
    assert.equal(statSync(join(data, 'master.key')).mode & 0o777, 0o600)

    const later = await inspect({ data })
    assert.equal(later.state.signed, 200)
    assert.deepEqual(later.state.keys, before.state.keys)
    assert.notEqual(later.state.bearer, before.state.bearer)
    assert.equal(await later.state.former(before.state.bearer), 401)
    await later.close()
    await assert.rejects(startPlaza({ data, masterKey: formerKey }), /the master key is not the one/)
  })

  test('snapshots are encrypted with the new key, too', async () => {
    const data = newFolder()
    const before = await inspect({ data }, { usesOwnClock: true })
    const admin = (path: string, origin: string) => fetch(`${origin}/admin/v1${path}`, { method: 'POST' })
    assert.equal((await admin('/snapshots', before.plaza.urls.console)).status, 201)
    await before.close()
    const formerKey = readFileSync(join(data, 'master.key'), 'utf8').trim()
    const snapshots = ['.seed', 'snapshot-1'].map((name) => join(data, 'snapshots', name))
    for (const snapshot of snapshots) assert.notDeepEqual(found(snapshot, before.state.sealed), [])

    await rotate(data)
    for (const snapshot of snapshots)
      assert.deepEqual(found(snapshot, [...before.state.sealed, formerKey]), [])
    const later = await inspect({ data }, { usesOwnClock: true })
    for (const path of ['/snapshots/snapshot-1/restore', '/reset']) {
      const reply = await admin(path, later.plaza.urls.console)
      assert.equal(reply.status, 200, await reply.text())
      const client = new Client(later.plaza)
      const { status } = await client.signed('GET', '/2/webhooks', before.state.keys)
      await client.close()
      assert.equal(status, 200)
    }
    await later.close()
  })

  test('is rejected while a node runs, and changes nothing', async () => {
    const data = newFolder()
    const running = await inspect({ data })
    await assert.rejects(rotate(data), { name: 'FolderInUse' })
    await running.close()
    const later = await inspect({ data })
    await later.close()
    assert.equal(later.state.signed, 200)
  })

  test('is finished by the next one when it was interrupted after its transaction', async () => {
    const data = newFolder()
    await (await inspect({ data })).close()
    const formerKey = readFileSync(join(data, 'master.key'), 'utf8')
    await rotate(data)
    const key = readFileSync(join(data, 'master.key'), 'utf8')
    // As a crash before the new file took the place of the former one leaves it.
    writeFileSync(join(data, 'master.key.new'), key, { mode: 0o600 })
    writeFileSync(join(data, 'master.key'), formerKey)
    await rotate(data)
    assert.equal(readFileSync(join(data, 'master.key'), 'utf8'), key)
    // The next start does so, too.
    writeFileSync(join(data, 'master.key.new'), key, { mode: 0o600 })
    writeFileSync(join(data, 'master.key'), formerKey)
    const later = await inspect({ data })
    assert.equal(later.state.signed, 200)
    assert.equal(readFileSync(join(data, 'master.key'), 'utf8'), key)
    await later.close()
  })

  const shared = stages.find((one) => one.shared)
  test('on PostgreSQL, a running node is seen and named', {
    skip: shared?.skip ?? 'no such stage',
  }, async () => {
    assert.ok(shared)
    const opened = await shared.open()
    try {
      const { config } = opened.plaza.context
      const newKeyFile = join(newFolder(), 'next.key')
      await assert.rejects(rotateKey(config, { folder: undefined, newKeyFile }), {
        name: 'RotationError',
        message: /^Node 0 is running on .+ \(process \d+\)\. Stop all nodes first\.$/,
      })
      await opened.plaza.close()
      await rotateKey(config, { folder: undefined, newKeyFile })
      await assert.rejects(opened.second(), /the master key is not the one/)
      const { masterKey: _, ...rest } = config
      const next = await inspect({ ...rest, masterKey: readFileSync(newKeyFile, 'utf8').trim() })
      assert.equal(next.state.signed, 200)
      await next.close()
    } finally {
      await opened.close()
    }
  })
})

/** What clients and the admin API have of a Plaza whose key is rotated while it runs. */
async function running(plaza: Plaza) {
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const bearer = await client.bearer(keys)
  return {
    client,
    admin: new Admin(plaza, client),
    signed: async () => (await client.signed('GET', '/2/webhooks', keys)).status,
    asBearer: async () =>
      (await client.send('GET', '/2/webhooks', { headers: { authorization: `Bearer ${bearer}` } })).status,
  }
}

describe('POST /admin/v1/key/rotate', () => {
  const given = { usesOwnClock: true } as const

  test('encrypts everything while clients go on, and leaves nothing of the former key', async () => {
    const data = newFolder()
    const before = await inspect({ data }, given)
    const { plaza } = before
    const { client, admin, signed, asBearer } = await running(plaza)
    await admin.call('POST', '/snapshots', { name: 'one' })
    const formerKey = readFileSync(join(data, 'master.key'), 'utf8').trim()
    let isOver = false
    const statuses = new Set<number>()
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) statuses.add(await signed())
    })
    const made: { consumer_key: string; consumer_secret: string }[] = []
    const writer = (async () => {
      const app = { name: 'App', owner: 'demo', website: 'https://app.example/' }
      while (!isOver) made.push(await admin.call('POST', '/apps', app))
    })()
    const file = join(data, 'master.key')
    try {
      await until('they are at work', async () => statuses.size > 0 && made.length > 2)
      assert.deepEqual(await admin.call('POST', '/key/rotate', {}), { key_file: file })
      const soFar = made.length
      await until('they go on', async () => made.length > soFar + 2)
    } finally {
      isOver = true
      await Promise.all([...others, writer])
    }
    assert.deepEqual([...statuses], [200])
    assert.equal(await asBearer(), 401)
    assert.notEqual(readFileSync(file, 'utf8').trim(), formerKey)
    for (const { consumer_key, consumer_secret } of made) {
      const headers = { authorization: basicHeader(consumer_key, consumer_secret) }
      const form = { grant_type: 'client_credentials' }
      assert.equal((await client.send('POST', '/oauth2/token', { headers, form })).status, 200)
    }
    await admin.call('POST', '/snapshots/one/restore')
    assert.equal(await signed(), 200)
    await client.close()
    await before.close()
    for (const folder of [data, join(data, 'snapshots', 'one'), join(data, 'snapshots', '.seed')])
      assert.deepEqual(found(folder, [...before.state.sealed, formerKey]), [])
    const later = await inspect({ data }, given)
    assert.equal(later.state.signed, 200)
    await later.close()
  })

  test('needs a new key when the present one was given, and the right one', async () => {
    const [data, masterKey, newKey] = [newFolder(), 'a'.repeat(64), 'b'.repeat(64)]
    const plaza = await startPlaza({ data, masterKey, rateLimits: 'off' }, given)
    const { client, admin, signed } = await running(plaza)
    const rotating = (json: object) => admin.wrong('POST', '/key/rotate', json)
    assert.deepEqual(await rotating({}), [
      409,
      'The key comes from --master-key or --master-key-file. Pass the new key, too.',
    ])
    assert.equal((await rotating({ new_key: 'B'.repeat(64) }))[0], 400)
    assert.deepEqual(await rotating({ new_key: masterKey }), [
      409,
      'The new key already holds the current key.',
    ])
    assert.equal(await signed(), 200)
    assert.deepEqual(await admin.call('POST', '/key/rotate', { new_key: newKey }), { key_file: null })
    assert.equal(await signed(), 200)
    await admin.call('POST', '/reset')
    assert.equal(await signed(), 200)
    await client.close()
    await plaza.close()
    await assert.rejects(startPlaza({ data, masterKey }), /the master key is not the one/)
    const next = await startPlaza({ data, masterKey: newKey })
    await next.close()
  })

  test('is rejected in memory, and with a new key that has no place', async () => {
    const [stored, memory] = [await startPlaza({ data: newFolder() }, given), await startPlaza({}, given)]
    for (const [plaza, json, says] of [
      [memory, {}, /^With --memory, Plaza stores no secret/],
      [stored, { new_key: 'a'.repeat(64) }, /^The key is in the data folder/],
    ] as const) {
      const client = new Client(plaza)
      const [status, text] = await new Admin(plaza, client).wrong('POST', '/key/rotate', json)
      assert.equal(status, 409)
      assert.match(text, says)
      await client.close()
      await plaza.close()
    }
  })

  test('of two at the same time, one is rejected or follows the other', async () => {
    const plaza = await startPlaza({ data: newFolder(), rateLimits: 'off' }, given)
    const { client, admin, signed } = await running(plaza)
    const replies = await Promise.all([1, 2].map(() => admin.send('POST', '/key/rotate', {})))
    const statuses = replies.map(({ status }) => status).toSorted()
    assert.equal(statuses[0], 200)
    assert.ok(statuses[1] === 200 || statuses[1] === 409)
    assert.equal(await signed(), 200)
    await client.close()
    await plaza.close()
  })

  const shared = stages.find((one) => one.shared)
  test('on PostgreSQL, another node is named, and alone it succeeds', {
    skip: shared?.skip ?? 'no such stage',
  }, async () => {
    assert.ok(shared)
    const opened = await shared.open({ rateLimits: 'off' }, given)
    try {
      const second = await opened.second()
      const { client, admin, signed } = await running(opened.plaza)
      const new_key = systemRandom.bytes(32).toString('hex')
      const [status, says] = await admin.wrong('POST', '/key/rotate', { new_key })
      assert.equal(status, 409)
      assert.match(says, /^Node 1 is running on .+ \(process \d+\)\. Stop all nodes first\.$/)
      assert.equal(await signed(), 200)
      await second.close()
      assert.deepEqual(await admin.call('POST', '/key/rotate', { new_key }), { key_file: null })
      assert.equal(await signed(), 200)
      await client.close()
    } finally {
      await opened.close()
    }
  })
})

test('plaza key rotate reaches a running Plaza, and a kill at any time leaves what a start can read', async (t) => {
  const folder = temporaryFolder(t)
  const data = join(folder, 'data')
  const seed = smallSeedFlag(t)
  const start = () => {
    rmSync(join(folder, 'ready.json'), { force: true })
    return startCli(t, { folder, args: [seed] })
  }
  const run = (...args: string[]) => runPlaza(t, [...args, `--data=${data}`])
  let plaza = await start()
  const key = () => readFileSync(join(data, 'master.key'), 'utf8')
  const first = key()
  const rotated = await run('key', 'rotate', '--json')
  assert.deepEqual([rotated.code, rotated.stderr], [0, ''])
  assert.deepEqual(JSON.parse(rotated.stdout), { key_file: join(data, 'master.key') })
  assert.notEqual(key(), first)
  const begun = (former: string) => existsSync(join(data, 'master.key.new')) || key() !== former
  const kills = [() => true, begun, (former: string) => key() !== former]
  for (const isTime of kills) {
    const former = key()
    const rotating = fetch(`${plaza.ready.console_url}/admin/v1/key/rotate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }).catch(() => undefined)
    while (!isTime(former)) await new Promise((resolve) => setImmediate(resolve))
    plaza.stop('SIGKILL')
    await plaza.ended
    await rotating
    plaza = await start()
    const { code, stdout, stderr } = await run('request', 'GET', '/2/users/me', '--json')
    assert.equal(code, 0, stdout + stderr)
  }
})

describe('secrets in files', () => {
  test('replace the setting, and cannot be combined with it', () => {
    const file = join(newFolder(), 'url')
    writeFileSync(file, 'postgres://a:b@db/plaza\n', { mode: 0o600 })
    assert.equal(readConfig(['--database-url-file', file], {}).databaseUrl, 'postgres://a:b@db/plaza')
    assert.equal(readConfig([], { PLAZA_DATABASE_URL_FILE: file }).databaseUrl, 'postgres://a:b@db/plaza')
    assert.throws(() => readConfig(['--database-url-file', file, '--database-url', 'postgres://c/d'], {}), {
      message: '--database-url and --database-url-file are mutually exclusive',
    })
    assert.throws(() => readConfig(['--redis-url-file', file], {}), {
      message: `--redis-url-file ${file}: must be a URL that starts with redis:// or rediss://`,
    })
    assert.throws(() => readConfig(['--master-key-file', `${file}.no`], {}), /--master-key-file .*ENOENT/)
    writeFileSync(file, '\n')
    assert.throws(() => readConfig(['--master-key-file', file], {}), {
      message: `--master-key-file ${file}: the file is empty`,
    })
  })

  test('warn when others can read them', async () => {
    const masterKeyFile = join(newFolder(), 'key')
    const key = 'a'.repeat(64)
    writeFileSync(masterKeyFile, key, { mode: 0o644 })
    const plaza = await startPlaza({ masterKeyFile, masterKey: key })
    await plaza.close()
    assert.deepEqual(plaza.warnings, [
      `${masterKeyFile} contains a secret and is readable by other users of this machine (mode 0644). Run: chmod 600 ${masterKeyFile}`,
    ])
  })
})
