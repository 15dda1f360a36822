import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { inDatabase } from '../../../test/support/own-servers.ts'
import { dropSchema, POSTGRES_URL } from '../../../test/support/services.ts'
import { stages } from '../../../test/support/stages.ts'
import { until } from '../../../test/support/until.ts'
import { systemClock } from '../common/clock.ts'
import { randomText, systemRandom } from '../common/random.ts'
import { openPostgres } from './postgres.ts'
import { addSetting, settingByName } from './settings.ts'
import { type Store, StoreBusy, StoreUnavailable } from './store.ts'

const skip = stages.find(({ name }) => name.startsWith('PostgreSQL'))?.skip ?? false

/** `ErrorResponse` of the PostgreSQL protocol. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mcome back later\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/**
 * A proxy in front of PostgreSQL that refuses connections with `code` while `isFull` returns true.
 */
async function doorkeeper(t: { after(work: () => unknown): void }) {
  const door = { code: '53300', isFull: () => false, refused: 0, url: '', freeze() {} }
  const { hostname, port } = new URL(POSTGRES_URL)
  const open = new Set<Socket>()
  const answers = new Map<Socket, Socket>()
  // Connections stay open, but nothing is answered on them any more.
  door.freeze = () => {
    for (const [behind, socket] of answers) behind.unpipe(socket).pause()
  }
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)))
    if (door.isFull()) {
      door.refused++
      socket.once('data', () => socket.end(refusal(door.code)))
      return
    }
    const behind = connect(Number(port || 5432), hostname).on('error', () => socket.destroy())
    socket.pipe(behind).pipe(socket)
    answers.set(behind, socket)
    socket.on('close', () => behind.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(POSTGRES_URL)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  door.url = url.href
  t.after(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return door
}

describe('connections to PostgreSQL', { skip }, () => {
  const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`
  const stores: Store[] = []
  after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await dropSchema(schema)
  })
  const open = async (
    url: string,
    more?: { name?: string; connections?: number; connectTimeoutMs?: number; lockTimeoutMs?: number },
  ) => {
    const store = await openPostgres({
      url,
      schema,
      clock: systemClock,
      onError: () => undefined,
      ...more,
    })
    stores.push(store)
    return store
  }

  for (const code of ['53300', '57P03'])
    test(`a start, reads and writes wait while the server refuses connections with ${code}`, async (t) => {
      const door = await doorkeeper(t)
      door.code = code
      door.isFull = () => door.refused < 2
      const store = await open(door.url)
      assert.equal(door.refused, 2)
      door.isFull = () => door.refused < 4
      await store.write((tx) => tx.run(addSetting, { name: code, value: 'written' }))
      assert.equal(door.refused, 4)
      // A read while the only idle connection is in use.
      door.isFull = () => door.refused < 6
      const rows = await Promise.all([1, 2].map(() => store.first(settingByName, { name: code })))
      assert.deepEqual(
        rows.map((row) => row?.value),
        ['written', 'written'],
      )
    })

  test('are as many as a setting allows, half of them for writes', async () => {
    const name = `plaza ${randomText(systemRandom, 12)}`
    const store = await open(POSTGRES_URL, { name, connections: 6 })
    const at = { name: 'connections' }
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? store.first(settingByName, at)
          : store.write((tx) => tx.run(addSetting, { name: `${name} ${n}`, value: 'written' })),
      ),
    )
    const rows = await inDatabase(
      POSTGRES_URL,
      `SELECT application_name AS name, count(*)::int AS count FROM pg_stat_activity
       WHERE application_name LIKE '${name}%' GROUP BY 1 ORDER BY 1`,
    )
    assert.deepEqual(rows, [
      { name: `${name} read`, count: 3 },
      { name: `${name} write`, count: 3 },
    ])
  })

  test('with sslmode=require are encrypted and verified, without a warning of the driver', async (t) => {
    const warned = t.mock.method(process, 'emitWarning')
    const url = new URL(POSTGRES_URL)
    url.searchParams.set('sslmode', 'require')
    // The certificate of the test server, if it has one, is signed by nobody.
    await assert.rejects(open(url.href), /does not support SSL|self-signed certificate/)
    assert.equal(warned.mock.callCount(), 0)
  })

  test('settings that the URL names hold beside those of Plaza', async () => {
    const url = new URL(POSTGRES_URL)
    url.searchParams.set('options', '-c search_path=pg_catalog -c default_transaction_read_only=on')
    await assert.rejects(open(url.href), /read-only transaction/)
    url.searchParams.set('options', '-c search_path=pg_catalog')
    const store = await open(url.href)
    await store.write((tx) => tx.run(addSetting, { name: 'options', value: 'written' }))
    assert.equal((await store.first(settingByName, { name: 'options' }))?.value, 'written')
  })

  test('a start waits for the schema of another node for longer than a statement or a lock may take', async (t) => {
    const other = new pg.Client({ connectionString: POSTGRES_URL })
    await other.connect()
    t.after(() => other.end())
    await other.query('SELECT pg_advisory_lock(4207841, hashtext($1))', [schema])
    const url = new URL(POSTGRES_URL)
    url.searchParams.set('statement_timeout', '50')
    let isOver = false
    const ended = () => {
      isOver = true
    }
    const name = `${schema} waits`
    const opened = open(url.href, { name, lockTimeoutMs: 50 })
    opened.then(ended, ended)
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE application_name = $1 AND wait_event = 'advisory' AND now() - query_start > interval '200 ms'`
    await until(
      'a long wait, or its end',
      async () => isOver || (await other.query(waiting, [`${name} read`])).rowCount === 1,
    )
    await other.query('SELECT pg_advisory_unlock(4207841, hashtext($1))', [schema])
    const store = await opened
    await store.write((tx) => tx.run(addSetting, { name: 'waited', value: 'written' }))
    // Only while the schema is created.
    await other.query('BEGIN')
    await other.query(`LOCK TABLE "${schema}".settings`)
    await assert.rejects(
      store.write((tx) => tx.run(addSetting, { name: 'locked', value: 'x' })),
      StoreBusy,
    )
  })

  test('after the time for connecting a request fails, and a later one may succeed', async (t) => {
    const door = await doorkeeper(t)
    const store = await open(door.url, { connectTimeoutMs: 200 })
    let isFull = true
    door.isFull = () => isFull
    const add = (name: string) => store.write((tx) => tx.run(addSetting, { name, value: 'x' }))
    await assert.rejects(add('refused'), StoreUnavailable)
    assert.ok(door.refused > 1)
    isFull = false
    await until('a connection', () =>
      add('accepted').then(
        () => true,
        () => false,
      ),
    )
    assert.equal(await store.first(settingByName, { name: 'refused' }), undefined)
  })

  test('are given up when the server does not answer, and replaced', async (t) => {
    const door = await doorkeeper(t)
    const clock = systemClock
    const store = await openPostgres({
      url: door.url,
      schema,
      clock,
      onError: () => undefined,
      answerTimeoutMs: 500,
    })
    stores.push(store)
    const write = (name: string) => store.write((tx) => tx.run(addSetting, { name, value: 'x' }))
    await write('before')
    await store.first(settingByName, { name: 'before' })
    door.freeze()
    await assert.rejects(store.first(settingByName, { name: 'before' }), StoreUnavailable)
    await assert.rejects(write('during'), StoreUnavailable)
    await write('after')
    assert.equal((await store.first(settingByName, { name: 'after' }))?.value, 'x')
  })
})
