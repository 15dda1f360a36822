import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pair } from '../../../platform/http/input/form.ts'
import { hmacSha1 } from './hmac-sha1.ts'
import { type SignedRequest, signatureMatches } from './verify.ts'

const PARAMETERS: Pair[] = [
  ['oauth_consumer_key', 'ck'],
  ['q', 'a b'],
]

function signatureFor(uri: string): string {
  return hmacSha1('cs&ts', `GET&${encodeURIComponent(uri)}&oauth_consumer_key%3Dck%26q%3Da%2520b`)
}

function request(signature: string, change: Partial<SignedRequest> = {}): SignedRequest {
  return {
    method: 'GET',
    scheme: 'http',
    host: '10.0.0.7:8787',
    target: '/2/x?q=a+b',
    protocol: { signature, parameters: PARAMETERS },
    consumerSecret: 'cs',
    tokenSecret: 'ts',
    ...change,
  }
}

test('a signature over the address the request arrived at matches', () => {
  assert.equal(signatureMatches(request(signatureFor('http://10.0.0.7:8787/2/x'))), true)
})

test('behind a proxy a signature over the configured public origin matches too, and no other does', () => {
  const publicOrigin = 'https://API.example.com:443'
  const outside = signatureFor('https://api.example.com/2/x')
  assert.equal(signatureMatches(request(outside)), false)
  assert.equal(signatureMatches(request(outside, { publicOrigin })), true)
  assert.equal(signatureMatches(request(outside, { publicOrigin: 'https://api.example.com/' })), true)
  assert.equal(signatureMatches(request(signatureFor('http://10.0.0.7:8787/2/x'), { publicOrigin })), true)
  for (const uri of [
    'http://api.example.com/2/x',
    'https://10.0.0.7:8787/2/x',
    'https://api.example.com:8787/2/x',
  ])
    assert.equal(signatureMatches(request(signatureFor(uri), { publicOrigin })), false, uri)
})

test('a public origin that is not an origin, or the direct one, adds nothing', () => {
  const outside = signatureFor('https://api.example.com/2/x')
  for (const publicOrigin of ['', 'api.example.com', 'http://10.0.0.7:8787'])
    assert.equal(signatureMatches(request(outside, { publicOrigin })), false)
})

test('a signature of another length never matches', () => {
  const right = signatureFor('http://10.0.0.7:8787/2/x')
  for (const signature of [
    '',
    right.slice(0, -1),
    `${right}=`,
    `${right} `,
    right.repeat(2),
    'x'.repeat(100_000),
  ])
    assert.equal(signatureMatches(request(signature)), false)
})

test('another spelling of the same digest does not match', () => {
  const right = signatureFor('http://10.0.0.7:8787/2/x')
  const digest = Buffer.from(right, 'base64')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  // The last letter before the padding has two bits that a decoder ignores.
  const last = alphabet.indexOf(right.charAt(26))
  const sameDigest = `${right.slice(0, 26)}${alphabet.charAt(last ^ 1)}=`
  assert.deepEqual(Buffer.from(sameDigest, 'base64'), digest)
  assert.equal(signatureMatches(request(sameDigest)), false)
  assert.equal(signatureMatches(request(digest.toString('base64url'))), false)
  assert.equal(signatureMatches(request(right.toLowerCase())), false)
})

test('a character whose low byte is the right letter does not stand for it', () => {
  const right = signatureFor('http://10.0.0.7:8787/2/x')
  const folded = String.fromCharCode(right.charCodeAt(0) + 0x100) + right.slice(1)
  assert.equal(signatureMatches(request(folded)), false)
  assert.equal(signatureMatches(request(`\ud800${right.slice(3)}`)), false)
})

test('method, secrets and parameters are all covered', () => {
  const right = signatureFor('http://10.0.0.7:8787/2/x')
  assert.equal(signatureMatches(request(right, { method: 'get' })), true)
  assert.equal(signatureMatches(request(right, { target: '/2/x?q=other' })), true)
  for (const change of [
    { method: 'POST' },
    { consumerSecret: 'cS' },
    { tokenSecret: '' },
    { target: '/2/X' },
    { protocol: { signature: right, parameters: PARAMETERS.slice(1) } },
  ])
    assert.equal(signatureMatches(request(right, change)), false, JSON.stringify(change))
})
