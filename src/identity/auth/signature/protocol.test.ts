import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../../test/support/unicode-text.ts'
import type { Pair } from '../../../platform/http/input/form.ts'
import { type Fault, hasProtocolParameters, type Protocol, readProtocol } from './protocol.ts'

const COMPLETE: Readonly<Record<string, string>> = {
  oauth_consumer_key: 'ck',
  oauth_nonce: 'n1',
  oauth_signature: 's=',
  oauth_signature_method: 'HMAC-SHA1',
  oauth_timestamp: '1767225600',
  oauth_token: 'tk',
  oauth_version: '1.0',
}

function header(change: Record<string, string | undefined> = {}): Pair[] {
  return Object.entries({ ...COMPLETE, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] satisfies Pair],
  )
}

function read(change: Record<string, string | undefined> = {}, query: Pair[] = [], form: Pair[] = []) {
  return readProtocol({ header: header(change), query, form })
}

function good(result: Protocol | { fault: Fault }): Protocol {
  assert.ok(!('fault' in result), JSON.stringify(result))
  return result
}

function fault(result: Protocol | { fault: Fault }): Fault | undefined {
  return 'fault' in result ? result.fault : undefined
}

test('a complete header is read and everything but the signature is to be signed', () => {
  const protocol = good(read({}, [['q', '1']], [['f', '2']]))
  assert.deepEqual(protocol, {
    consumerKey: 'ck',
    token: 'tk',
    signature: 's=',
    nonce: 'n1',
    timestampSeconds: 1_767_225_600,
    parameters: [...header({ oauth_signature: undefined }), ['q', '1'], ['f', '2']],
  })
})

test('protocol parameters may come from the query or the form alone, or be spread over all three', () => {
  const query = good(readProtocol({ query: header(), form: [] }))
  const form = good(readProtocol({ header: [], query: [], form: header() }))
  assert.deepEqual(query, form)
  const [first, second, ...others] = header() as [Pair, Pair, ...Pair[]]
  const spread = good(readProtocol({ header: [first], query: [second], form: others }))
  assert.deepEqual(spread, query)
})

test('an absent and an empty token both mean no token, and an empty one is still signed', () => {
  assert.equal(good(read({ oauth_token: undefined })).token, undefined)
  const empty = good(read({ oauth_token: '' }))
  assert.equal(empty.token, undefined)
  assert.ok(empty.parameters.some(([name, value]) => name === 'oauth_token' && value === ''))
})

test('callback and verifier are handed on when sent, and only then', () => {
  const none = good(read())
  assert.ok(!('callback' in none) && !('verifier' in none))
  const both = good(read({ oauth_callback: 'oob' }, [], [['oauth_verifier', '827']]))
  assert.equal(both.callback, 'oob')
  assert.equal(both.verifier, '827')
  assert.equal(good(read({ oauth_callback: '' })).callback, '')
})

test('each required parameter that is missing or empty is a fault', () => {
  for (const name of ['oauth_consumer_key', 'oauth_nonce', 'oauth_signature']) {
    assert.equal(fault(read({ [name]: undefined })), 'protocol parameter missing', name)
    assert.equal(fault(read({ [name]: '' })), 'protocol parameter missing', name)
  }
  assert.equal(fault(read({ oauth_signature_method: undefined })), 'protocol parameter missing')
  assert.equal(fault(read({ oauth_timestamp: undefined })), 'protocol parameter missing')
  assert.equal(fault(readProtocol({ query: [], form: [] })), 'protocol parameter missing')
})

const STEP_PARAMETERS = ['oauth_token', 'oauth_callback', 'oauth_verifier']

test('an oauth_ name with two values is a fault, within a source or over two, known or not, empty or not', () => {
  for (const name of [...Object.keys(COMPLETE), 'oauth_callback', 'oauth_verifier', 'oauth_body_hash']) {
    for (const value of ['', 'x']) {
      const change = { [name]: value }
      assert.equal(fault(read(change, [[name, 'y']])), 'protocol parameter repeated', name)
      assert.equal(
        fault(readProtocol({ query: [...header(change), [name, 'z']], form: [] })),
        'protocol parameter repeated',
        name,
      )
    }
  }
})

test('an oauth_ name with the same value twice is a fault, unless a step of the flow names it', () => {
  for (const name of [...Object.keys(COMPLETE), 'oauth_body_hash']) {
    if (STEP_PARAMETERS.includes(name)) continue
    assert.equal(fault(read({ [name]: 'x' }, [], [[name, 'x']])), 'protocol parameter repeated', name)
  }
  for (const name of STEP_PARAMETERS) {
    const protocol = good(read({ [name]: 'x' }, [], [[name, 'x']]))
    assert.equal(protocol.parameters.filter(([parameter]) => parameter === name).length, 1, name)
  }
})

test('other names may repeat and unknown oauth_ names are signed like any parameter', () => {
  const protocol = good(
    read({ oauth_body_hash: 'h' }, [
      ['k', '1'],
      ['k', '2'],
    ]),
  )
  assert.deepEqual(protocol.parameters.slice(-3), [
    ['oauth_body_hash', 'h'],
    ['k', '1'],
    ['k', '2'],
  ])
})

test('no signature method but HMAC-SHA1 is supported', () => {
  for (const method of ['PLAINTEXT', 'RSA-SHA1', 'HMAC-SHA256', 'hmac-sha1', ' HMAC-SHA1', ''])
    assert.equal(fault(read({ oauth_signature_method: method })), 'signature method not supported', method)
})

test('the version is absent or 1.0', () => {
  good(read({ oauth_version: undefined }))
  for (const version of ['2.0', '1', '1.0a', '1.00', ''])
    assert.equal(fault(read({ oauth_version: version })), 'version not supported', version)
})

test('the timestamp is a positive decimal number within the safe range', () => {
  const accepted: [string, number][] = [
    ['1', 1],
    ['0001', 1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ]
  for (const [text, seconds] of accepted)
    assert.equal(good(read({ oauth_timestamp: text })).timestampSeconds, seconds)
  for (const text of [
    '',
    '0',
    '-1',
    '+1',
    '1.5',
    '1e9',
    ' 1',
    '1 ',
    '0x1',
    'now',
    '١',
    '9007199254740992',
    '9'.repeat(17),
    '9'.repeat(9999),
  ])
    assert.equal(fault(read({ oauth_timestamp: text })), 'timestamp malformed', text)
})

test('the nonce is printable ASCII of at most 512 characters', () => {
  for (const nonce of ['~', 'a b', '!"%&', 'n'.repeat(512)])
    assert.equal(good(read({ oauth_nonce: nonce })).nonce, nonce)
  for (const nonce of ['nöpe', 'a\n', '\0', '\x7f', '🦉', '\ud800'])
    assert.equal(fault(read({ oauth_nonce: nonce })), 'nonce not ASCII')
  assert.equal(fault(read({ oauth_nonce: 'n'.repeat(513) })), 'nonce too long')
})

test('only what a signed request alone carries marks a request as signed', () => {
  assert.equal(hasProtocolParameters([]), false)
  for (const name of [
    'oauth_token',
    'oauth_verifier',
    'oauth_callback',
    'oauth_consumer_key',
    'oauth_x',
    'Oauth_nonce',
  ])
    assert.equal(hasProtocolParameters([[name, 'x']]), false, name)
  for (const name of ['oauth_signature', 'oauth_signature_method', 'oauth_timestamp', 'oauth_nonce']) {
    const pairs: Pair[] = [
      ['a', '1'],
      [name, ''],
    ]
    assert.equal(hasProtocolParameters(pairs), true, name)
  }
})

test('arbitrary pairs never throw and yield either a fault or a complete reading', () => {
  const name = fc.oneof(fc.constantFrom(...Object.keys(COMPLETE)), unicodeText())
  const pairs = fc.array(fc.tuple(name, unicodeText()))
  fc.assert(
    fc.property(pairs, pairs, pairs, (fromHeader: Pair[], query: Pair[], form: Pair[]) => {
      const result = readProtocol({ header: fromHeader, query, form })
      if ('fault' in result) return
      assert.ok(result.consumerKey !== '' && result.nonce !== '' && result.timestampSeconds > 0)
    }),
    { seed: 9, numRuns: 2000 },
  )
})
