import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressKind, classify, mayReach, parseAllowList, sameAddress } from './address.ts'

/** range, kind inside, first, last, one before and its kind, one after and its kind */
type Edge = readonly [string, AddressKind, string, string, string, AddressKind, string, AddressKind]

const IPV4: readonly Edge[] = [
  ['0/8', 'reserved', '0.0.0.1', '0.255.255.255', '0.0.0.0', 'unspecified', '1.0.0.0', 'public'],
  ['10/8', 'private', '10.0.0.0', '10.255.255.255', '9.255.255.255', 'public', '11.0.0.0', 'public'],
  [
    '100.64/10',
    'carrier',
    '100.64.0.0',
    '100.127.255.255',
    '100.63.255.255',
    'public',
    '100.128.0.0',
    'public',
  ],
  ['127/8', 'loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', 'public', '128.0.0.0', 'public'],
  [
    '169.254/16',
    'link-local',
    '169.254.0.0',
    '169.254.255.255',
    '169.253.255.255',
    'public',
    '169.255.0.0',
    'public',
  ],
  [
    '172.16/12',
    'private',
    '172.16.0.0',
    '172.31.255.255',
    '172.15.255.255',
    'public',
    '172.32.0.0',
    'public',
  ],
  ['192.0.0/24', 'reserved', '192.0.0.0', '192.0.0.255', '191.255.255.255', 'public', '192.0.1.0', 'public'],
  ['192.0.2/24', 'documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', 'public', '192.0.3.0', 'public'],
  [
    '192.88.99/24',
    'transition',
    '192.88.99.0',
    '192.88.99.255',
    '192.88.98.255',
    'public',
    '192.88.100.0',
    'public',
  ],
  [
    '192.168/16',
    'private',
    '192.168.0.0',
    '192.168.255.255',
    '192.167.255.255',
    'public',
    '192.169.0.0',
    'public',
  ],
  [
    '198.18/15',
    'benchmark',
    '198.18.0.0',
    '198.19.255.255',
    '198.17.255.255',
    'public',
    '198.20.0.0',
    'public',
  ],
  [
    '198.51.100/24',
    'documentation',
    '198.51.100.0',
    '198.51.100.255',
    '198.51.99.255',
    'public',
    '198.51.101.0',
    'public',
  ],
  [
    '203.0.113/24',
    'documentation',
    '203.0.113.0',
    '203.0.113.255',
    '203.0.112.255',
    'public',
    '203.0.114.0',
    'public',
  ],
  [
    '224/4',
    'multicast',
    '224.0.0.0',
    '239.255.255.255',
    '223.255.255.255',
    'public',
    '240.0.0.0',
    'reserved',
  ],
  [
    '240/4',
    'reserved',
    '240.0.0.0',
    '255.255.255.254',
    '239.255.255.255',
    'multicast',
    '255.255.255.255',
    'broadcast',
  ],
]

const END = 'ffff:ffff:ffff:ffff:ffff:ffff:ffff'
const IPV6: readonly Edge[] = [
  ['::1', 'loopback', '::1', '::1', '::', 'unspecified', '::2', 'reserved'],
  [
    '::/96',
    'transition',
    '::1.0.0.0',
    '::223.255.255.255',
    '::0.255.255.255',
    'reserved',
    '::224.0.0.0',
    'multicast',
  ],
  [
    '::ffff:0:0/96 with a private IPv4 address',
    'private',
    '::ffff:10.0.0.0',
    '::ffff:10.255.255.255',
    '::ffff:9.255.255.255',
    'public',
    '::ffff:11.0.0.0',
    'public',
  ],
  [
    '::ffff:0:0/96',
    'public',
    '::ffff:1.0.0.0',
    '::ffff:223.255.255.255',
    '::fffe:ffff:ffff',
    'reserved',
    '::1:0:0:0',
    'reserved',
  ],
  [
    '64:ff9b::/96 with a loopback IPv4 address',
    'loopback',
    '64:ff9b::127.0.0.0',
    '64:ff9b::127.255.255.255',
    '64:ff9b::126.255.255.255',
    'public',
    '64:ff9b::128.0.0.0',
    'public',
  ],
  [
    '64:ff9b:1::/48',
    'transition',
    '64:ff9b:1::',
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
    '64:ff9b:0:ffff:ffff:ffff:ffff:ffff',
    'reserved',
    '64:ff9b:2::',
    'reserved',
  ],
  [
    '100::/64',
    'discard',
    '100::',
    '100::ffff:ffff:ffff:ffff',
    `ff:${END}`,
    'reserved',
    '100:0:0:1::',
    'reserved',
  ],
  ['2000::/3', 'public', '2000::', `2000:${END}`, `1fff:${END}`, 'reserved', '2001::', 'transition'],
  [
    '2001::/32',
    'transition',
    '2001::',
    '2001:0:ffff:ffff:ffff:ffff:ffff:ffff',
    `2000:${END}`,
    'public',
    '2001:1::',
    'reserved',
  ],
  [
    '2001:2::/48',
    'benchmark',
    '2001:2::',
    '2001:2:0:ffff:ffff:ffff:ffff:ffff',
    '2001:1:ffff:ffff:ffff:ffff:ffff:ffff',
    'reserved',
    '2001:2:1::',
    'reserved',
  ],
  [
    '2001::/23',
    'reserved',
    '2001:1::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:0:ffff:ffff:ffff:ffff:ffff:ffff',
    'transition',
    '2001:200::',
    'public',
  ],
  [
    '2001:db8::/32',
    'documentation',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    'public',
    '2001:db9::',
    'public',
  ],
  ['2002::/16', 'transition', '2002:100::', '2002:dfff:ffff::', `2001:${END}`, 'public', '2003::', 'public'],
  [
    '2002::/16 with a private IPv4 address',
    'private',
    '2002:c0a8::',
    '2002:c0a8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2002:c0a7:ffff::',
    'transition',
    '2002:c0a9::',
    'transition',
  ],
  [
    '3fff::/20',
    'documentation',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    `3ffe:${END}`,
    'public',
    '3fff:1000::',
    'public',
  ],
  ['4000::/3 and above', 'reserved', '4000::', `5f00:${END}`, `3fff:${END}`, 'public', '6000::', 'reserved'],
  ['fc00::/7', 'private', 'fc00::', `fdff:${END}`, `fbff:${END}`, 'reserved', 'fe00::', 'reserved'],
  ['fe80::/10', 'link-local', 'fe80::', `febf:${END}`, `fe7f:${END}`, 'reserved', 'fec0::', 'private'],
  ['fec0::/10', 'private', 'fec0::', `feff:${END}`, `febf:${END}`, 'link-local', 'ff00::', 'multicast'],
  ['ff00::/8', 'multicast', 'ff00::', `ffff:${END}`, `feff:${END}`, 'private', '2000::', 'public'],
]

for (const [range, kind, first, last, before, kindBefore, after, kindAfter] of [...IPV4, ...IPV6]) {
  test(`${range} is ${kind} from its first to its last address and not beyond`, () => {
    assert.deepEqual(
      [first, last, before, after].map((ip) => [ip, classify(ip)]),
      [
        [first, kind],
        [last, kind],
        [before, kindBefore],
        [after, kindAfter],
      ],
    )
  })
}

test('addresses that people use every day are public', () => {
  for (const ip of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
  ]) {
    assert.equal(classify(ip), 'public', ip)
  }
})

test('an address with a zone is never public', () => {
  assert.equal(classify('fe80::1%eth0'), 'link-local')
  assert.equal(classify('::1%lo'), 'loopback')
  assert.equal(classify('2606:4700::1%eth0'), 'reserved')
})

test('text in a spelling that readers disagree about is not an address', () => {
  for (const text of [
    '',
    '1',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '1.2.3.4 ',
    '[::1]',
    '::1/128',
    'name',
  ]) {
    assert.equal(classify(text), 'invalid', text)
    assert.equal(mayReach(text, parseAllowList(['0.0.0.0/0', '::/0'])), false, text)
  }
})

test('an allow list contains the addresses of its networks and no others', () => {
  const list = parseAllowList(['10.0.0.0/8', '127.0.0.1', '192.168.7.128/25', 'fd00::/8', '::1/128'])
  for (const ip of [
    '10.0.0.0',
    '10.255.255.255',
    '127.0.0.1',
    '192.168.7.128',
    'fd12::9',
    '::1',
    '::ffff:10.1.2.3',
  ]) {
    assert.equal(list.includes(ip), true, ip)
  }
  for (const ip of [
    '9.255.255.255',
    '11.0.0.0',
    '127.0.0.2',
    '192.168.7.127',
    'fc00::1',
    '::2',
    '::ffff:11.0.0.0',
  ]) {
    assert.equal(list.includes(ip), false, ip)
  }
})

test('a list of all IPv6 does not let IPv4 through its mapped form', () => {
  assert.equal(parseAllowList(['::/0']).includes('::ffff:10.0.0.1'), false)
  assert.equal(parseAllowList(['::ffff:10.0.0.0/104']).includes('10.9.9.9'), true)
  assert.equal(parseAllowList([]).includes('127.0.0.1'), false)
})

test('a text that is not a network is named', () => {
  const bad = [
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10/8',
    '::1/129',
    'fe80::1%eth0/64',
    '10.1.2.3/8',
    'fd00::1/8',
    '',
    ' 10.0.0.0/8',
  ]
  for (const text of bad) {
    assert.throws(
      () => parseAllowList(['127.0.0.0/8', text]),
      (error: Error) => error.message.includes(`"${text}"`),
      text,
    )
  }
})

test('the same address is recognised in another spelling', () => {
  assert.equal(sameAddress('::ffff:1.2.3.4', '1.2.3.4'), true)
  assert.equal(sameAddress('2001:4860:0:0::8888', '2001:4860::8888'), true)
  assert.equal(sameAddress('fe80::1%eth0', 'fe80::1'), true)
  assert.equal(sameAddress('1.2.3.4', '1.2.3.5'), false)
  assert.equal(sameAddress('', ''), false)
})
