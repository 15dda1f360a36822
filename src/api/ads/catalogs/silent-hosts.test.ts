import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SilentHosts } from './silent-hosts.ts'

test('a host is skipped until its time, and then forgotten', () => {
  const hosts = new SilentHosts()
  assert.equal(hosts.silentUntil('a.example', 0), undefined)
  hosts.add('a.example', 10)
  assert.equal(hosts.silentUntil('a.example', 9), 10)
  assert.equal(hosts.silentUntil('a.example', 10), undefined)
  assert.equal(hosts.size, 0)
})

test('only so many hosts are remembered, the latest ones', () => {
  const hosts = new SilentHosts(3)
  for (let n = 0; n < 10; n++) hosts.add(`${n}.example`, 100 + n)
  assert.equal(hosts.size, 3)
  assert.equal(hosts.silentUntil('6.example', 0), undefined)
  assert.equal(hosts.silentUntil('7.example', 0), 107)
  // A host that is silent again counts as the latest.
  hosts.add('7.example', 200)
  hosts.add('10.example', 300)
  assert.deepEqual(
    ['7.example', '8.example', '9.example', '10.example'].map((host) => hosts.silentUntil(host, 0)),
    [200, undefined, 109, 300],
  )
})

test('there is a bound by default', () => {
  const hosts = new SilentHosts()
  for (let n = 0; n < 5_000; n++) hosts.add(`${n}.example`, 1)
  assert.equal(hosts.size, 1_000)
})
