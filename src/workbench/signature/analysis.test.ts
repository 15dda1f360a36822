import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { analyseSignature, firstDifference } from './analysis.ts'
import type { SignatureParts } from './variants.ts'

const BASE =
  'POST&https%3A%2F%2Fapi.example.com%3A8443%2F2%2Fposts&a%3D1%2521%26b%3D2%2520c%26oauth_consumer_key%3Dck%26oauth_nonce%3Dn%26oauth_token%3Dt%26oauth_version%3D1.0'
const KEY = 'consumer%2Bsecret&token-secret'

const parts: SignatureParts = {
  method: 'POST',
  uri: 'https://api.example.com:8443/2/posts',
  otherUris: ['https://127.0.0.1:8443/2/posts'],
  query: 'b=2%20c',
  headerPairs: [
    ['oauth_consumer_key', 'ck'],
    ['oauth_nonce', 'n'],
    ['oauth_token', 't'],
    ['oauth_version', '1.0'],
  ],
  queryPairs: [['b', '2 c']],
  formPairs: [['a', '1!']],
  realm: undefined,
  consumerKey: 'ck',
  consumerSecret: 'consumer+secret',
  token: 't',
  tokenSecret: 'token-secret',
  origins: ['https://127.0.0.1:8443', 'https://ads.example.com'],
}

const sign = (text: string, key = KEY) => createHmac('sha1', key).update(text).digest('base64')

/** The same base string with some text replaced. */
function changed(from: string, to: string): string {
  assert.ok(BASE.includes(from))
  return BASE.replace(from, to)
}

test('a right signature matches, for the public address and for the one of the request', async () => {
  for (const signature of [
    sign(BASE),
    sign(changed('https%3A%2F%2Fapi.example.com%3A8443', 'https%3A%2F%2F127.0.0.1%3A8443')),
  ]) {
    const { matches, mistakes, expectedBaseString } = await analyseSignature(parts, signature)
    assert.equal(matches, true)
    assert.deepEqual(mistakes, [])
    assert.equal(expectedBaseString, BASE)
  }
})

const mistakes: readonly [name: string, signature: string, sentence: string][] = [
  [
    'scheme',
    sign(changed('https', 'http')),
    'The client signed the scheme http, and sent the request with https.',
  ],
  ['port', sign(changed('%3A8443', '')), 'The client did not sign the port :8443.'],
  [
    'host',
    sign(changed('api.example.com%3A8443', 'ads.example.com')),
    'The client signed the address https://ads.example.com, and sent the request to https://api.example.com:8443.',
  ],
  ['query', sign(changed('b%3D2%2520c%26', '')), 'The client did not sign the parameters of the query.'],
  ['form', sign(changed('a%3D1%2521%26', '')), 'The client did not sign the fields of the form body.'],
  [
    'query in the URL',
    sign(changed('%2Fposts', '%2Fposts%3Fb%3D2%2520c')),
    'The client left the query in the URL of the base string.',
  ],
  ['slash', sign(changed('%2Fposts', '%2Fposts%2F')), 'The client signed the path with a slash at its end.'],
  ['plus', sign(changed('2%2520c', '2%2Bc')), 'The client encoded spaces as +: the base string needs %20.'],
  [
    'reserved characters',
    sign(changed('1%2521', '1!')),
    "The client left the characters ! * ' ( ) unencoded: the base string needs them as %21 %2A %27 %28 %29.",
  ],
  [
    'version',
    sign(changed('%26oauth_version%3D1.0', '')),
    'The client did not sign the parameter oauth_version.',
  ],
  [
    'order',
    sign(
      'POST&https%3A%2F%2Fapi.example.com%3A8443%2F2%2Fposts&oauth_consumer_key%3Dck%26oauth_nonce%3Dn%26oauth_token%3Dt%26oauth_version%3D1.0%26b%3D2%2520c%26a%3D1%2521',
    ),
    'The client did not sort the parameters.',
  ],
  ['method', sign(changed('POST', 'GET')), 'The client signed the method GET, and sent POST.'],
  ['token secret', sign(BASE, 'consumer%2Bsecret&'), 'The client signed without the token secret.'],
  [
    'swapped',
    sign(BASE, 'token-secret&consumer%2Bsecret'),
    'The client swapped the consumer secret and the token secret.',
  ],
  [
    'line break',
    sign(BASE, `${KEY}%0A`),
    'The token secret of the client has a space or a line break at its end.',
  ],
  [
    'hexadecimal',
    createHmac('sha1', KEY).update(BASE).digest('hex'),
    'The signature is in hexadecimal: it must be in base64.',
  ],
]

for (const [name, signature, sentence] of mistakes)
  test(`names the mistake: ${name}`, async () => {
    const analysis = await analyseSignature(parts, signature)
    assert.deepEqual([analysis.matches, analysis.mistakes], [false, [sentence]])
    assert.equal(analysis.expectedBaseString, BASE)
  })

test('two mistakes at once are found, with the first difference of the base strings', async () => {
  const client = changed('https', 'http')
  const analysis = await analyseSignature(parts, sign(client, 'consumer%2Bsecret&'))
  assert.deepEqual(analysis.mistakes, [
    'The client signed the scheme http, and sent the request with https.',
    'The client signed without the token secret.',
  ])
  assert.equal(analysis.clientBaseString, client)
  assert.equal(analysis.firstDifference, 'POST&http'.length)
})

test('a wrong secret is not explained', async () => {
  const analysis = await analyseSignature(parts, sign(BASE, 'other&secrets'))
  assert.deepEqual([analysis.matches, analysis.mistakes], [false, []])
  assert.equal(analysis.clientBaseString, undefined)
})

test('values of secret parameters are masked in both base strings', async () => {
  const secret = { ...parts, formPairs: [['oauth_verifier', 'top-secret']] as [string, string][] }
  const text =
    'POST&https%3A%2F%2Fapi.example.com%3A8443%2F2%2Fposts&b%3D2%2520c%26oauth_consumer_key%3Dck%26oauth_nonce%3Dn%26oauth_token%3Dt%26oauth_verifier%3Dtop-secret%26oauth_version%3D1.0'
  const { matches, expectedBaseString } = await analyseSignature(secret, sign(text))
  assert.equal(matches, true)
  assert.doesNotMatch(expectedBaseString, /top-secret/)
  const analysis = await analyseSignature(secret, sign(text.replace('POST', 'GET')))
  assert.deepEqual(analysis.mistakes, ['The client signed the method GET, and sent POST.'])
  assert.doesNotMatch(JSON.stringify(analysis), /top-secret/)
})

test('parameters that are too long for a search are still compared', async () => {
  const long: SignatureParts = { ...parts, formPairs: [['a', 'x'.repeat(10_000)]] }
  const text = changed('1%2521', 'x'.repeat(10_000))
  assert.equal((await analyseSignature(long, sign(text))).matches, true)
  assert.deepEqual((await analyseSignature(long, sign(text.replace('POST', 'GET')))).mistakes, [])
})

test('the first difference of two texts', () => {
  assert.equal(firstDifference('abc', 'abc'), undefined)
  assert.equal(firstDifference('abc', 'abd'), 2)
  assert.equal(firstDifference('abc', 'ab'), 2)
  assert.equal(firstDifference('', 'a'), 0)
})
