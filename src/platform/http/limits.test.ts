import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LimitRules, limitsOf, parseLimit } from './limits.ts'

test('limits are calls, a slash and a window', () => {
  assert.deepEqual(parseLimit('450/15m'), { calls: 450, windowSeconds: 900 })
  assert.deepEqual(parseLimit('1/1s'), { calls: 1, windowSeconds: 1 })
  assert.deepEqual(parseLimit('300/24h'), { calls: 300, windowSeconds: 86_400 })
  for (const text of ['', '450', '0/15m', '450/0m', '450/15d', '-1/1m', '1.5/1m', ' 1/1m', '1/1m '])
    assert.throws(() => parseLimit(text), /is not a rate limit: write calls\/window/)
})

test('the operator has the last word', () => {
  const limits = { app: '450/15m', user: '450/15m' } as const
  const limit = (rules: LimitRules, pool = 'app') =>
    limitsOf({ id: 'listWebhooks', limits, limitGroup: undefined }, rules)[pool]?.calls
  assert.equal(limit('documented'), 450)
  assert.equal(limit('off'), undefined)
  assert.equal(limit({ listWebhooks: { app: '10/1m' } }), 10)
  assert.equal(limit({ listWebhooks: { app: 'off' } }), undefined)
  assert.equal(limit({ listWebhooks: { app: '10/1m' } }, 'user'), 450)
  assert.equal(limit({ other: { app: '10/1m' } }), 450)
  assert.equal(limitsOf({ id: 'x', limits: {}, limitGroup: undefined }, 'documented').app, undefined)
})
