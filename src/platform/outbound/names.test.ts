import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { ManualClock } from '../common/clock.ts'
import { type NameAnswer, startNameServer } from './name-server.fixture.ts'
import { Names } from './names.ts'
import { outcomeOf } from './outbound.fixture.ts'
import { createOutbound } from './outbound.ts'

async function begin(t: TestContext, answers: Readonly<Record<string, NameAnswer>>, hosts = '') {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-names-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const hostsFile = join(folder, 'hosts')
  writeFileSync(hostsFile, hosts)
  const { asked, server } = await startNameServer(t, (name) => answers[name] ?? 'unknown')
  const monotonic = new ManualClock(0)
  const names = new Names({ monotonic, servers: [server], hostsFile })
  const ends = new AbortController()
  t.after(() => ends.abort(new Error('the test ends')))
  const addressesOf = async (name: string, owner = 'an app', signal = ends.signal) =>
    (await names.resolve(name, { owner, signal })).map(({ address, family }) => `${family} ${address}`)
  return { asked, monotonic, hostsFile, addressesOf }
}

test('a name has all of its IPv4 and IPv6 addresses, in turns', async (t) => {
  const { addressesOf } = await begin(t, {
    'hook.test': ['2001:db8::7', '192.0.2.1', '192.0.2.2', '192.0.2.3'],
    'new.test': ['2001:db8::7', '2001:db8::8'],
  })
  const families = (await addressesOf('hook.test')).map((one) => one[0])
  assert.deepEqual(families, ['4', '6', '4', '4'])
  assert.deepEqual((await addressesOf('hook.test')).sort(), [
    '4 192.0.2.1',
    '4 192.0.2.2',
    '4 192.0.2.3',
    '6 2001:db8::7',
  ])
  assert.deepEqual((await addressesOf('new.test')).sort(), ['6 2001:db8::7', '6 2001:db8::8'])
})

test('a name with an internal address of either family is not called', async (t) => {
  const internal = ['10.0.0.7', 'fd00::7', '::ffff:7f00:1', '::1']
  const answers = Object.fromEntries(internal.map((one, n) => [`n${n}.test`, ['192.0.3.1', '2600::1', one]]))
  const { server } = await startNameServer(t, (name) => answers[name] ?? 'unknown')
  const names = new Names({ monotonic: new ManualClock(0), servers: [server] })
  const outbound = createOutbound({
    ...{ allow: [], timeoutMs: 5_000, maxBytes: 1, maxConcurrent: 8, userAgent: 'test' },
    resolve: (host, at) => names.resolve(host, at),
    dial: () => assert.fail('a connection was opened'),
  })
  t.after(() => outbound.close())
  for (const name of Object.keys(answers)) {
    const url = `https://${name}/`
    assert.equal((await outcomeOf(outbound, { method: 'GET', url })).kind, 'rejected', url)
  }
})

test('a name in the hosts file has the addresses there, also after the file has changed, and no server is asked', async (t) => {
  const hosts = '# internal\n10.0.0.7\thook HOOK.internal # the webhook\nfd00::7 hook\nnonsense other\n'
  const { asked, hostsFile, addressesOf } = await begin(t, { other: ['192.0.2.1'] }, hosts)
  assert.deepEqual(await addressesOf('hook'), ['4 10.0.0.7', '6 fd00::7'])
  assert.deepEqual(await addressesOf('Hook.Internal'), ['4 10.0.0.7'])
  assert.deepEqual(asked, [])
  assert.deepEqual(await addressesOf('other'), ['4 192.0.2.1'])
  writeFileSync(hostsFile, '10.0.0.89 hook\n')
  assert.deepEqual(await addressesOf('hook'), ['4 10.0.0.89'])
})

test('a name that does not exist is asked for again after some seconds', async (t) => {
  const answers: Record<string, NameAnswer> = {}
  const { asked, monotonic, addressesOf } = await begin(t, answers)
  await assert.rejects(addressesOf('new.test'))
  answers['new.test'] = ['192.0.2.1']
  const before = asked.length
  await assert.rejects(addressesOf('new.test'))
  assert.equal(asked.length, before)
  monotonic.advance(2_500)
  assert.deepEqual(await addressesOf('new.test'), ['4 192.0.2.1'])
})

test('a lookup ends with its call, and the name is asked for again', async (t) => {
  const answers: Record<string, NameAnswer> = { 'slow.test': 'silent' }
  const { asked, addressesOf } = await begin(t, answers)
  const call = new AbortController()
  const given = addressesOf('slow.test', 'an app', call.signal)
  await until('the question', () => asked.length > 0)
  call.abort(new Error('given up'))
  await assert.rejects(given, /given up/)
  answers['slow.test'] = ['192.0.2.1']
  assert.deepEqual(await addressesOf('slow.test'), ['4 192.0.2.1'])
})

test('names of one app that never answer delay neither those of another app nor those of the server itself', async (t) => {
  const silent = Array.from({ length: 100 }, (_, n) => [`n${n}.test`, 'silent'] as const)
  const { asked, addressesOf } = await begin(t, { 'good.test': ['192.0.2.1'], ...Object.fromEntries(silent) })
  const call = new AbortController()
  const given = silent.map(([name]) => addressesOf(name, 'one', call.signal))
  await until('the questions', () => asked.length >= 16)
  // Eight at a time, each for both kinds of addresses.
  assert.equal(new Set(asked.map((question) => question.split(' ')[0])).size, 8)
  assert.deepEqual(await addressesOf('good.test', 'other'), ['4 192.0.2.1'])
  assert.ok((await lookup('localhost')).address)
  call.abort(new Error('given up'))
  assert.ok((await Promise.allSettled(given)).every(({ status }) => status === 'rejected'))
})
