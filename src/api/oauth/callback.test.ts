import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pair } from '../../platform/http/input/form.ts'
import { callbackWith, destinationOf, policySource } from './callback.ts'

describe('the way back to an app', () => {
  const added: Pair[] = [
    ['oauth_token', 'a b'],
    ['oauth_verifier', 'v'],
  ]
  const cases: [string, string][] = [
    ['https://app.example.com/cb', 'https://app.example.com/cb?oauth_token=a%20b&oauth_verifier=v'],
    ['https://app.example.com/cb?x=1', 'https://app.example.com/cb?x=1&oauth_token=a%20b&oauth_verifier=v'],
    ['https://app.example.com/cb?', 'https://app.example.com/cb?oauth_token=a%20b&oauth_verifier=v'],
    ['https://app.example.com/cb?x&', 'https://app.example.com/cb?x&oauth_token=a%20b&oauth_verifier=v'],
    ['paperboat://', 'paperboat://?oauth_token=a%20b&oauth_verifier=v'],
    ['https://app.example.com/ü', 'https://app.example.com/%C3%BC?oauth_token=a%20b&oauth_verifier=v'],
    [
      'https://app.example.com/\ud800',
      'https://app.example.com/%EF%BF%BD?oauth_token=a%20b&oauth_verifier=v',
    ],
  ]
  for (const [callback, expected] of cases)
    test(JSON.stringify(callback), () => assert.equal(callbackWith(callback, added), expected))
})

describe('a callback as a source of a policy', () => {
  const cases: [string, string][] = [
    ['https://app.example.com/cb?x=1', 'https://app.example.com'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:3000'],
    ['https://APP.example.com:443/', 'https://app.example.com'],
    ['http://[::1]:3000/', 'http:'],
    ["https://a;script-src'b.example/", 'https:'],
    ['PaperBoat://done', 'paperboat:'],
    ['paperboat://', 'paperboat:'],
  ]
  for (const [callback, expected] of cases)
    test(callback, () => assert.equal(policySource(callback), expected))
})

test('people are told where they go', () => {
  assert.equal(destinationOf('https://app.example.com:444/a/cb?x=1'), 'app.example.com:444/a/cb')
  assert.equal(destinationOf('https://app.example.com'), 'app.example.com')
  assert.equal(
    destinationOf(`https://app.example.com/${'a'.repeat(99)}`),
    `app.example.com/${'a'.repeat(59)}…`,
  )
  assert.equal(destinationOf('paperboat://'), 'paperboat://')
  assert.equal(destinationOf('paperboat://dock/one'), 'paperboat://')
})
