import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { rotateKey } from '../../src/app/start/rotate-key.ts'
import { pageOfTokens } from '../../src/identity/apps/queries.ts'
import { type Config, configOf, readConfig } from '../../src/platform/config/config.ts'
import { openFolder } from '../../src/platform/storage/folder.ts'
import { settingByName } from '../../src/platform/storage/settings.ts'
import { Client, demoKeys } from '../support/client.ts'
import { startPlaza, type TestOverrides } from '../support/plaza.ts'
import { stages } from '../support/stages.ts'

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
    await assert.rejects(startPlaza({ data }), /run "plaza key rotate" again if it was interrupted/)
    await rotate(data)
    assert.equal(readFileSync(join(data, 'master.key'), 'utf8'), key)
    const later = await inspect({ data })
    assert.equal(later.state.signed, 200)
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
