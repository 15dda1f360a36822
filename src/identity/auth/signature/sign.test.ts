import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { unicodeText } from '../../../../test/support/unicode-text.ts'
import { encode } from '../../../platform/common/percent.ts'
import { MAX_PAIRS, type Pair, parsePairs } from '../../../platform/http/input/form.ts'
import { parseAuthorization, parseOAuthHeader } from './header.ts'
import { readProtocol } from './protocol.ts'
import { type RequestToSign, signRequest } from './sign.ts'
import { signatureMatches } from './verify.ts'

const CREDENTIALS = { consumerKey: 'ck', consumerSecret: 'c&s', token: 'tk', tokenSecret: 't/s' }
const ONCE = { nonce: 'n1', timestampSeconds: 1_767_225_600 }

/** What a server sees of a request, and whether it accepts the signature. */
function accepted(request: {
  method: string
  url: URL
  header: string
  body: string
  consumerSecret: string
  tokenSecret: string
}): boolean | Promise<boolean> {
  const authorization = parseAuthorization(request.header)
  const header = parseOAuthHeader(authorization?.rest ?? '')
  const query = parsePairs(request.url.search.slice(1))
  const form = parsePairs(request.body)
  assert.ok(header && query && form)
  const protocol = readProtocol({ header, query, form })
  assert.ok(!('fault' in protocol), JSON.stringify(protocol))
  return signatureMatches({
    method: request.method,
    scheme: request.url.protocol.slice(0, -1),
    host: request.url.host,
    target: request.url.pathname + request.url.search,
    protocol,
    consumerSecret: request.consumerSecret,
    tokenSecret: request.tokenSecret,
  })
}

function formText(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

test('what is signed here verifies here, and one changed value does not, for any Unicode and any repetition', async () => {
  const text = () =>
    fc.oneof(
      unicodeText(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', 'a', 'b', '&', '=', '%', '+', '\ud800', "!*'()~"),
    )
  const name = text().filter((value) => !value.startsWith('oauth_'))
  const pairs = () => fc.array(fc.tuple(name, text()), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        method: fc.constantFrom('GET', 'post', 'Put', 'DELETE'),
        query: pairs(),
        form: pairs(),
        consumerSecret: text(),
        tokenSecret: text(),
        token: fc.option(text(), { nil: undefined }),
        verifier: fc.option(text(), { nil: undefined }),
      }),
      async ({ method, query, form, ...credentials }) => {
        const url = new URL('http://127.0.0.1:8787/2/we%20ird%2Fname')
        url.search = formText(query)
        const { header, steps } = signRequest({
          method,
          url,
          form,
          consumerKey: 'ck é',
          ...ONCE,
          ...credentials,
        })
        const request = { method, url, header, body: formText(form), ...credentials }
        assert.equal(await accepted(request), true)
        assert.equal(steps.signature.length, 28)
        assert.equal(await accepted({ ...request, body: `${request.body}&x=1` }), false)
        assert.equal(await accepted({ ...request, tokenSecret: `${request.tokenSecret}x` }), false)
      },
    ),
    { seed: 10, numRuns: 500 },
  )
})

test('the steps show how the signature came about', () => {
  const { header, steps } = signRequest({
    method: 'get',
    url: 'HTTPS://API.svc.test:443/2/posts?b=2&a=%2F',
    ...CREDENTIALS,
    ...ONCE,
  })
  const signed =
    'a=%2F&b=2&oauth_consumer_key=ck&oauth_nonce=n1&oauth_signature_method=HMAC-SHA1' +
    '&oauth_timestamp=1767225600&oauth_token=tk&oauth_version=1.0'
  assert.deepEqual(steps.parameters.slice(-2), [
    ['b', '2'],
    ['a', '/'],
  ])
  assert.equal(steps.normalized, signed)
  assert.equal(steps.baseUri, 'https://api.svc.test/2/posts')
  assert.equal(steps.baseString, `GET&https%3A%2F%2Fapi.svc.test%2F2%2Fposts&${encode(signed)}`)
  assert.equal(steps.signingKey, 'c%26s&t%2Fs')
  assert.ok(header.includes(`oauth_signature="${encode(steps.signature)}"`))
})

test('a realm is sent first, quoted, and changes nothing in the signature', () => {
  const request: RequestToSign = { method: 'GET', url: 'http://a.test/', ...CREDENTIALS, ...ONCE }
  const plain = signRequest(request)
  const withRealm = signRequest({ ...request, realm: 'a "quoted\\" one, b="c"' })
  assert.ok(
    withRealm.header.startsWith('OAuth realm="a \\"quoted\\\\\\" one, b=\\"c\\"", oauth_consumer_key='),
  )
  assert.deepEqual(withRealm.steps, plain.steps)
  const rest = (header: string) => parseOAuthHeader(header.slice(6))
  assert.deepEqual(rest(withRealm.header), rest(plain.header))
})

test('a realm that could end the header line is rejected', () => {
  for (const realm of ['a\r\nx: y', 'ä', '\0'])
    assert.throws(
      () => signRequest({ method: 'GET', url: 'http://a.test/', ...CREDENTIALS, ...ONCE, realm }),
      TypeError,
    )
})

test('extra parameters travel in the header and are signed', () => {
  const extra: Pair[] = [['oauth_body_hash', 'h/=']]
  const { header, steps } = signRequest({
    method: 'POST',
    url: 'http://a.test/',
    ...CREDENTIALS,
    ...ONCE,
    extra,
  })
  assert.ok(header.includes('oauth_body_hash="h%2F%3D"'))
  assert.ok(steps.normalized.startsWith('oauth_body_hash=h%2F%3D&'))
})

test('a URL that no server could read is rejected before it is signed', () => {
  const tooMany = 'k&'.repeat(MAX_PAIRS + 1)
  for (const url of ['/2/posts', 'http://a.test/?q=%zz', 'http://a.test/?q=%', `http://a.test/?${tooMany}`])
    assert.throws(() => signRequest({ method: 'GET', url, ...CREDENTIALS, ...ONCE }), TypeError)
})
