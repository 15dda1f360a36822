import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAllowList } from './address.ts'
import { checkTarget } from './target.ts'

const hardened = { allow: parseAllowList([]) }
const local = { allow: parseAllowList(['127.0.0.0/8', '::1/128', '10.7.0.0/16']) }

function reasonOf(url: string, rules = hardened): string {
  const check = checkTarget(url, rules)
  return check.ok ? `accepted as ${check.url.href}` : check.reason
}

test('public https URLs are accepted', () => {
  for (const url of [
    'https://example.com',
    'https://example.com/hook?a=1&b=%20',
    'HTTPS://EXAMPLE.com/hook',
    'https://sub_domain.example.com/a@b:c',
    'https://b\u00fccher.example/\u00e9',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://localhost.example.com/',
  ]) {
    assert.equal(checkTarget(url, hardened).ok, true, `${url}: ${reasonOf(url)}`)
  }
})

test('each error says what is wrong', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /empty/],
    [`https://example.com/${'a'.repeat(181)}`, /longer than 200 characters/],
    ['/hook', /absolute/],
    ['https:example.com', /absolute/],
    ['https:///example.com', /no host/],
    ['https://?q', /no host/],
    ['https://:443/', /no host/],
    ['http://example.com/', /must use https, not http/],
    ['ftp://example.com/', /must use https, not ftp/],
    ['https://example.com:443/', /port/],
    ['https://example.com:8443/', /port/],
    ['https://example.com:/', /port/],
    ['https://example.com:99999/', /port is malformed|malformed/],
    ['https://example.com:https/', /port is malformed/],
    ['https://user@example.com/', /user name or password/],
    ['https://@example.com/', /user name or password/],
    ['https://example.com/#part', /fragment/],
    ['https://example.com/#', /fragment/],
    ['https://exam%70le.com/', /percent-encoded/],
    ['https://exa mple.com/', /space/],
    [' https://example.com/', /space/],
    ['https://example.com/\t', /control/],
    ['https://exam\nple.com/', /control/],
    ['https://example.com\\@127.0.0.1/', /backslash/],
    ['https://loc\u00adalhost/', /control/],
    ['https://example.com./', /end with a dot/],
    ['https://example..com/', /empty label/],
    ['https://.example.com/', /empty label/],
    ['https://exa$mple.com/', /character/],
    [`https://${'a'.repeat(64)}.com/`, /too long/],
    ['https://256.1.1.1/', /malformed/],
    ['https://[::1/', /malformed/],
    ['https://127.0.0.1/', /127\.0\.0\.1 is a loopback address/],
    ['https://0.0.0.0/', /an unspecified address/],
    ['https://0x7f.1/', /127\.0\.0\.1 is a loopback address/],
    ['https://[::1]/', /::1 is a loopback address/],
    ['https://localhost/', /localhost is not/],
    ['https://a.localhost/', /localhost is not/],
  ]
  for (const [url, reason] of cases) {
    assert.equal(checkTarget(url, hardened).ok, false, url)
    assert.match(reasonOf(url), reason, url)
  }
})

test('the length is counted in characters, and 200 are accepted', () => {
  const base = 'https://example.com/'
  assert.equal(checkTarget(base + 'a'.repeat(180), hardened).ok, true)
  assert.equal(checkTarget(base + '\u{1f600}'.repeat(180), hardened).ok, true)
  assert.equal(checkTarget(base + '\u{1f600}'.repeat(181), hardened).ok, false)
})

test('http and a port are accepted for allowed literals and localhost only', () => {
  for (const url of [
    'http://127.0.0.1:3000/hook',
    'https://127.0.0.1:3000/hook',
    'http://[::1]:3000/hook',
    'http://localhost:3000/hook',
    'http://app.localhost/hook',
    'https://localhost:3000/hook',
    'http://10.7.1.2:80/',
  ]) {
    assert.equal(checkTarget(url, local).ok, true, `${url}: ${reasonOf(url, local)}`)
  }
  for (const url of [
    'http://example.com/',
    'https://example.com:3000/',
    'http://10.8.1.2/',
    'http://8.8.8.8/',
    'https://8.8.8.8:3000/',
    'http://localhost.:3000/',
    'http://localhost:/',
    'http://127.0.0.1:0/',
    'http://notlocalhost:3000/',
  ]) {
    assert.equal(checkTarget(url, local).ok, false, url)
  }
})

test('localhost is rejected while the allow list names only other networks', () => {
  assert.match(reasonOf('http://localhost:3000/', { allow: parseAllowList(['10.0.0.0/8']) }), /https/)
  assert.match(reasonOf('https://localhost/', { allow: parseAllowList(['10.0.0.0/8']) }), /localhost is not/)
})
