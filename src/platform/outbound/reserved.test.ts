import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { outcomeOf, script, setTrap } from './outbound.fixture.ts'
import { createOutbound } from './outbound.ts'
import { isReserved, type Reserved, reservedBy } from './reserved.ts'

test('a URL names the host and port of its service', () => {
  assert.deepEqual(reservedBy('postgres://a:b@db.internal/plaza', 5432), [
    { host: 'db.internal', port: 5432 },
  ])
  assert.deepEqual(reservedBy('postgres://a@[fd00::1]:6000/plaza', 5432), [{ host: 'fd00::1', port: 6000 }])
  assert.deepEqual(reservedBy('postgres:///plaza', 5432), [{ host: 'localhost', port: 5432 }])
  assert.deepEqual(reservedBy('redis://10.0.0.4', 6379), [{ host: '10.0.0.4', port: 6379 }])
  assert.deepEqual(reservedBy(undefined, 6379), [])
})

test('a reserved service is found by each of its addresses, and only by them', async () => {
  const here = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  const { resolve } = script([['10.0.0.4', 'fd00::4']])
  const reserved: Reserved[] = [
    { host: 'db.internal', port: 5432 },
    { host: 'localhost', port: 8440 },
  ]
  const meets = (address: string, port: number) => isReserved({ address, port }, reserved, resolve)
  assert.equal(await meets('10.0.0.4', 5432), true)
  assert.equal(await meets('::ffff:10.0.0.4', 5432), true)
  assert.equal(await meets('fd00::4', 5432), true)
  assert.equal(await meets('10.0.0.5', 5432), false)
  assert.equal(await meets('10.0.0.4', 5433), false)
  assert.equal(await meets('127.1.2.3', 8440), true)
  assert.equal(await meets('::1', 8440), true)
  for (const { address } of here) assert.equal(await meets(address, 8440), true, address)
})

test('a call to a reserved service fails like one to a closed port, and connects to nothing', async (t) => {
  const trap = await setTrap(t)
  const outbound = createOutbound({
    allow: ['127.0.0.0/8', '::1/128'],
    reserved: [{ host: '127.0.0.1', port: trap.port }],
    timeoutMs: 2_000,
    maxBytes: 1_000,
    maxConcurrent: 1,
    userAgent: 'test',
  })
  t.after(() => outbound.close())
  for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '[::1]'])
    assert.deepEqual(await outcomeOf(outbound, { method: 'GET', url: `http://${host}:${trap.port}/` }), {
      kind: 'unreachable',
      detail: 'the connection was refused',
    })
  assert.equal(trap.touched(), 0)
})
