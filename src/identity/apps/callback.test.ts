import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callbackMatches, checkCallback, isCallbackUrl } from './callback.ts'

describe('a callback that is registered', () => {
  const good = [
    'https://app.example.com/callback',
    'https://app.example.com',
    'http://127.0.0.1:3000/callback',
    'http://[::1]:3000/',
    'paperboat://',
    'com.example.app://done/here',
  ]
  for (const url of good) test(`may be ${url}`, () => assert.equal(checkCallback(url), undefined))

  const bad: Record<string, RegExp> = {
    '': /not a URL/,
    callback: /not a URL/,
    '/callback': /not a URL/,
    'app.example.com/callback': /not a URL/,
    'https:app.example.com': /not a URL/,
    'https://': /no host/,
    'http://': /no host/,
    'https:///app.example.com/callback': /no host/,
    'https://app.example.com/callback?x=1': /no query/,
    'https://app.example.com/callback?': /no query/,
    'https://app.example.com/callback#x': /no fragment/,
    'https://me@app.example.com/': /user name/,
    'https://me:secret@app.example.com/': /user name/,
    'https://app.example.com\\@evil.example/': /backslash/,
    'https://app.example.com/a b': /white space/,
    'https://app.example.com/\ncallback': /white space/,
    'https://app.example.com:99999/': /not a URL/,
    'javascript:alert(1)': /javascript is not allowed/,
    'JavaScript://app.example.com/%0aalert(1)': /javascript is not allowed/,
    'data:text/html,x': /data is not allowed/,
    'file:///etc/passwd': /file is not allowed/,
    'mailto:me@example.com': /mailto is not allowed/,
    'vbscript://': /vbscript is not allowed/,
    'tel3270://x y': /white space/,
  }
  for (const [url, reason] of Object.entries(bad))
    test(`may not be ${JSON.stringify(url)}`, () => assert.match(checkCallback(url) ?? '', reason))

  test('is at most 2,048 characters long', () => {
    const url = `https://app.example.com/${'a'.repeat(2048 - 24)}`
    assert.equal(checkCallback(url), undefined)
    assert.match(checkCallback(`${url}a`) ?? '', /longer than 2048/)
  })
})

describe('a callback of a request', () => {
  const registered = [
    'https://app.example.com/callback',
    'http://127.0.0.1:3000/',
    'paperboat://',
    'boat://dock/one',
  ]

  const matching = [
    'https://app.example.com/callback',
    'https://app.example.com/callback?state=a%20b&x',
    'https://app.example.com:443/callback',
    'HTTPS://APP.example.com/callback',
    'http://127.0.0.1:3000/',
    'http://127.0.0.1:3000',
    'http://127.0.0.1:3000?x=/callback',
    'paperboat://',
    'PaperBoat://anything/at/all?x=1',
    'boat://dock/one?x=1',
  ]
  for (const url of matching) test(`${url} matches`, () => assert.ok(callbackMatches(url, registered)))

  const other = [
    'http://app.example.com/callback',
    'https://app.example.com:444/callback',
    'https://app.example.com/callback/',
    'https://app.example.com/Callback',
    'https://app.example.com/%63allback',
    'https://app.example.com/callback/../evil',
    'https://app.example.com/callback;x',
    'https://app.example.com.evil.example/callback',
    'https://evil.example/https://app.example.com/callback',
    'https://app.example.com@evil.example/callback',
    'https://app.example.com/callback#x',
    'https:///app.example.com/callback',
    'https:\\\\app.example.com\\callback',
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'paperboat:',
    'paperboats://',
    'boat://dock/two',
    'boat://dock/one/',
    'boat://',
    'oob',
  ]
  for (const url of other) test(`${url} does not match`, () => assert.ok(!callbackMatches(url, registered)))

  test('of a rejected scheme matches nothing, even when it was registered', () => {
    assert.ok(!callbackMatches('javascript://x', ['javascript://']))
    assert.ok(!isCallbackUrl('javascript:alert(1)'))
  })
})
