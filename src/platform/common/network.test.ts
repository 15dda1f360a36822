import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

test('IPv4 addresses count each, mapped ones as what they are', () => {
  assert.equal(networkOf('203.0.113.9'), '203.0.113.9')
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9')
})

test('all addresses of an IPv6 site count as one, in every spelling', () => {
  const site = '2001:db8:1:2::/64'
  for (const address of [
    '2001:db8:1:2::',
    '2001:db8:1:2::1',
    '2001:0db8:0001:0002:ffff:1:2:3',
    '2001:db8:1:2:0:0:0:9%eth0',
  ]) {
    assert.equal(networkOf(address), site, address)
  }
  assert.notEqual(networkOf('2001:db8:1:3::1'), site)
  assert.equal(networkOf('::1'), '::/64')
})

test('a value from a proxy that is not an address is counted as it is', () => {
  for (const text of ['', 'unknown', '203.0.113.9:4711', '_hidden', '1:2'])
    assert.equal(networkOf(text), text)
})
