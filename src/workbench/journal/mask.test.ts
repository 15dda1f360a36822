import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MASK, maskedBody, maskedHeader, maskedUrl } from './mask.ts'

const BEARER = `AAAAAAAAAAAAAAAAAAAAA${'b%2Fc'.repeat(10)}`

test('headers', () => {
  assert.equal(maskedHeader('Authorization', `Bearer ${BEARER}`), `Bearer ${MASK}`)
  assert.equal(maskedHeader('authorization', 'Basic dXNlcjpwYXNz'), `Basic ${MASK}`)
  assert.equal(maskedHeader('authorization', 'secret'), MASK)
  const signed = 'OAuth oauth_consumer_key="k", oauth_verifier="v", oauth_signature="s"'
  assert.equal(
    maskedHeader('authorization', signed),
    `OAuth oauth_consumer_key="k", oauth_verifier="${MASK}", oauth_signature="s"`,
  )
  assert.equal(maskedHeader('cookie', 'session=abc'), MASK)
  assert.equal(maskedHeader('Set-Cookie', 'session=abc; HttpOnly'), `session=${MASK}; HttpOnly`)
  assert.equal(
    maskedHeader('location', 'https://app.example.com/back?state=1&code=abc#x'),
    `https://app.example.com/back?state=1&code=${MASK}#x`,
  )
  assert.equal(maskedHeader('accept', '*/*'), '*/*')
})

test('URLs', () => {
  assert.equal(maskedUrl('/2/posts?ids=1,2&access_token=abc'), `/2/posts?ids=1,2&access_token=${MASK}`)
  assert.equal(maskedUrl('/x?client%5Fsecret=abc'), `/x?client%5Fsecret=${MASK}`)
  assert.equal(maskedUrl('https://ann:pw@hook.example.com/a'), `https://${MASK}@hook.example.com/a`)
  assert.equal(maskedUrl(`/p/${'t'.repeat(80)}/x`), '/p/tttttttt…/x')
  assert.equal(
    maskedUrl(`/2/compliance/uploads/19-${'aB_-'.repeat(10)}abc?x=1`),
    '/2/compliance/uploads/19-…?x=1',
  )
  assert.equal(maskedUrl(`/media/${'a'.repeat(64)}.png`), `/media/${'a'.repeat(64)}.png`)
  assert.equal(maskedUrl(`/x?anything=${BEARER}`), `/x?anything=${MASK}`)
})

test('bodies', () => {
  const form = 'application/x-www-form-urlencoded'
  assert.equal(
    maskedBody('grant_type=authorization_code&code=abc&code_verifier=def', form, 'request'),
    `grant_type=authorization_code&code=${MASK}&code_verifier=${MASK}`,
  )
  assert.equal(
    maskedBody('oauth_token=t&oauth_token_secret=s', 'text/html', 'reply'),
    `oauth_token=t&oauth_token_secret=${MASK}`,
  )
  assert.equal(
    maskedBody('{"token_type":"bearer", "access_token" : "a\\"b","n":1}', 'application/json', 'reply'),
    `{"token_type":"bearer", "access_token" : "${MASK}","n":1}`,
  )
  assert.equal(maskedBody('{"code":"NOT_FOUND"}', 'application/json', 'reply'), '{"code":"NOT_FOUND"}')
  assert.equal(maskedBody('{"code":"abc"}', 'application/json', 'request'), `{"code":"${MASK}"}`)
  assert.equal(
    maskedBody('{"refresh_token":"abc', 'application/json', 'request'),
    `{"refresh_token":"${MASK}"`,
  )
  assert.equal(maskedBody(`{"text":"${BEARER}"}`, 'application/json', 'request'), `{"text":"${MASK}"}`)
  const address = `https://a.example/2/compliance/downloads/19-${'aB_-'.repeat(10)}abc`
  assert.equal(
    maskedBody(`{"download_url":"${address}","n":1}`, 'application/json', 'reply'),
    '{"download_url":"https://a.example/2/compliance/downloads/19-…","n":1}',
  )
  assert.equal(maskedBody('{"text":"pin it"}', 'application/json', 'request'), '{"text":"pin it"}')
})

test('hostile bodies are masked in linear time', () => {
  for (const unit of ['"token":"', '"token" ', '&', 'token=', '\\', '"', 'A', '{', '[']) {
    const before = process.threadCpuUsage()
    for (const type of ['application/json', 'text/plain'])
      maskedBody(unit.repeat(65_536 / unit.length), type, 'request')
    assert.ok(process.threadCpuUsage(before).user < 1e6, unit)
  }
})
