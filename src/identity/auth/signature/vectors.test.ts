import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Pair, parsePairs } from '../../../platform/http/input/form.ts'
import { baseString, baseUri, normalizeParameters, signingKey } from './base-string.ts'
import { parseAuthorization, parseOAuthHeader } from './header.ts'
import { hmacSha1 } from './hmac-sha1.ts'
import { readProtocol } from './protocol.ts'
import { signRequest } from './sign.ts'
import { signatureMatches } from './verify.ts'

interface Vector {
  name: string
  request: {
    method: string
    scheme: string
    host: string
    target: string
    headers: Record<string, string>
    body: string | null
  }
  secrets: { consumer_secret: string; token_secret: string }
  server: {
    base_uri: string
    normalized_parameters: string
    base_string: string
    signing_key: string
    signature: string
  }
  sent_signature: string
  signature_matches: boolean
  expect: { accept: true } | { accept: false; status: number; code: number; cause: string }
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../test/data/oauth1-vectors.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

function sourcesOf({ target, headers, body }: Vector['request']) {
  const question = target.indexOf('?')
  const query = parsePairs(question === -1 ? '' : target.slice(question + 1))
  const isForm = headers['content-type']?.split(';')[0] === 'application/x-www-form-urlencoded'
  const form = parsePairs(isForm ? (body ?? '') : '')
  assert.ok(query && form)
  if (headers.authorization === undefined) return { query, form }
  const authorization = parseAuthorization(headers.authorization)
  assert.equal(authorization?.scheme, 'oauth')
  const header = parseOAuthHeader(authorization?.rest ?? '')
  assert.ok(header)
  return { header, query, form }
}

test('the vectors are all there', () => {
  assert.equal(vectors.length, 54)
  assert.equal(vectors.filter(({ expect }) => expect.accept).length, 35)
})

for (const vector of vectors) {
  const { request, secrets, server, expect } = vector

  test(`vector ${vector.name}: every step gives the documented value`, () => {
    const { header, query, form } = sourcesOf(request)
    const uri = baseUri(request.scheme, request.host, request.target)
    const normalized = normalizeParameters([...query, ...(header ?? []), ...form])
    const text = baseString(request.method, uri, normalized)
    const key = signingKey(secrets.consumer_secret, secrets.token_secret)
    assert.equal(uri, server.base_uri)
    assert.equal(normalized, server.normalized_parameters)
    assert.equal(text, server.base_string)
    assert.equal(key, server.signing_key)
    assert.equal(hmacSha1(key, text), server.signature)
  })

  test(`vector ${vector.name}: the request is decided as documented`, () => {
    const protocol = readProtocol(sourcesOf(request))
    if (!expect.accept && expect.status === 400 && expect.code === 215) {
      assert.deepEqual(protocol, { fault: expect.cause })
      return
    }
    assert.ok(!('fault' in protocol), JSON.stringify(protocol))
    assert.equal(protocol.signature, vector.sent_signature)
    const matches = signatureMatches({
      method: request.method,
      scheme: request.scheme,
      host: request.host,
      target: request.target,
      protocol,
      consumerSecret: secrets.consumer_secret,
      tokenSecret: secrets.token_secret,
    })
    assert.equal(matches, vector.signature_matches)
    if (expect.accept) assert.equal(matches, true)
    else assert.equal(matches, expect.cause !== 'signature mismatch')
  })

  if (!expect.accept) continue

  test(`vector ${vector.name}: a client signing the same request arrives at the same signature`, () => {
    const { header = [], query, form } = sourcesOf(request)
    const sent = new Map<string, string>([...header, ...query, ...form])
    // The client always sends the version and always uses the header, where the location makes no
    // difference.
    if (!sent.has('oauth_version')) return
    const own = ([name]: Pair) => !name.startsWith('oauth_')
    const url = new URL(`${request.scheme}://${request.host}${request.target.split('?')[0]}`)
    const search = request.target.split('?')[1] ?? ''
    url.search = search
      .split('&')
      .filter((segment) => !segment.startsWith('oauth_'))
      .join('&')
    const { steps } = signRequest({
      method: request.method,
      url,
      form: form.filter(own),
      callback: sent.get('oauth_callback'),
      verifier: sent.get('oauth_verifier'),
      consumerKey: sent.get('oauth_consumer_key') ?? '',
      consumerSecret: secrets.consumer_secret,
      token: sent.get('oauth_token'),
      tokenSecret: secrets.token_secret,
      nonce: sent.get('oauth_nonce') ?? '',
      timestampSeconds: Number(sent.get('oauth_timestamp')),
    })
    assert.equal(steps.normalized, server.normalized_parameters)
    assert.equal(steps.baseString, server.base_string)
    assert.equal(steps.signature, server.signature)
  })
}
