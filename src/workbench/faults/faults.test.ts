import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../platform/common/clock.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { checkFault, FaultInvalid } from './check.ts'
import { Faults } from './faults.ts'
import { faultOfHeader } from './request-header.ts'
import type { FaultRule, FaultyEndpoint } from './rule.ts'
import type { FaultSettings } from './settings.ts'

const START_MS = Date.UTC(2026, 2, 1, 12)
const errorOf = (cause: string, status: number) => ({ cause, status, error: () => new ApiError(cause) })
const COMMON = [
  errorOf('could not authenticate', 401),
  errorOf('invalid token', 401),
  errorOf('internal', 500),
  errorOf('over capacity', 503),
]
const endpointOf = (route: string, more: Partial<FaultyEndpoint> = {}): FaultyEndpoint => ({
  id: route,
  route,
  hosts: ['core'],
  isStream: false,
  overLimit: 'rate limited',
  errors: () => COMMON,
  ...more,
})
const createPost = endpointOf('POST /2/posts', {
  errors: () => [
    ...COMMON,
    errorOf('duplicate post', 403),
    errorOf('rate limited', 429),
    errorOf('monthly usage of app capped', 429),
  ],
})
const getUser = endpointOf('GET /2/users/{id}')
const stream = endpointOf('GET /2/posts/search/stream', { isStream: true })
const campaigns = endpointOf('GET /12/accounts/{account_id}/campaigns', { hosts: ['ads', 'sandbox'] })
const endpoints = [createPost, getUser, stream, campaigns]

const ANYONE = { appId: '1', userId: '2', usesBearer: false }
const withRules = (...rules: (Omit<FaultRule, 'id'> & { id?: string })[]) => {
  const clock = new ManualClock(START_MS)
  const faults = new Faults(clock)
  faults.set(rules.map((rule, index) => ({ id: `f${index + 1}`, ...rule })))
  const idsFor = (endpoint: FaultyEndpoint, caller = ANYONE, host = endpoint.hosts[0] ?? '') => {
    const choose = faults.chooser(endpoint, host)
    return () => choose(caller)?.active.rule.id
  }
  return { clock, faults, idsFor }
}

test('a rule is for the endpoints, listeners and callers that it names', () => {
  const { idsFor } = withRules(
    { kind: 'drop', route: '/2/users/*', app_id: '1', user_id: '2' },
    { kind: 'drop', host: 'sandbox' },
    { kind: 'expired_token' },
  )
  assert.equal(idsFor(getUser)(), 'f1')
  assert.equal(idsFor(getUser, { ...ANYONE, appId: '9' })(), undefined)
  assert.equal(idsFor(getUser, { ...ANYONE, userId: '9', usesBearer: true })(), 'f3')
  assert.equal(idsFor(campaigns, ANYONE, 'sandbox')(), 'f2')
  assert.equal(idsFor(campaigns)(), undefined)
})

test('the first rule that applies counts, and its counts say how often', () => {
  const { faults, idsFor } = withRules(
    { kind: 'drop', times: 2 },
    { kind: 'drop', every: 3 },
    { kind: 'drop_after', route: 'GET /2/users/{id}' },
  )
  const next = idsFor(getUser)
  assert.deepEqual(Array.from({ length: 7 }, next), ['f1', 'f1', 'f3', 'f3', 'f2', 'f3', 'f3'])
  assert.deepEqual(
    faults.readings().map(({ position, matches, hits }) => [position, matches, hits]),
    [
      [1, 7, 2],
      [2, 5, 1],
      [3, 4, 4],
    ],
  )
})

test('counts of rules that stay the same go on when others change', () => {
  const { faults, idsFor } = withRules({ kind: 'drop', times: 1 })
  const next = idsFor(getUser)
  assert.equal(next(), 'f1')
  faults.set([
    { id: 'f2', kind: 'drop', route: 'POST /2/posts' },
    { id: 'f1', kind: 'drop', times: 1 },
  ])
  assert.equal(next(), undefined)
  faults.set([{ id: 'f1', kind: 'drop', times: 2 }])
  assert.deepEqual([next(), next(), next()], ['f1', 'f1', undefined])
})

test('probability is the share that fails, and the same seed fails the same requests', () => {
  const run = (seed: string) => {
    const next = withRules({ kind: 'drop', probability: 0.3, seed }).idsFor(getUser)
    return Array.from({ length: 5_000 }, () => next() !== undefined)
  }
  const first = run('a')
  const share = first.filter(Boolean).length / first.length
  assert.ok(share > 0.27 && share < 0.33, String(share))
  assert.deepEqual(run('a'), first)
  assert.notDeepEqual(run('b'), first)
})

test('a schedule follows the clock that users see', () => {
  const { clock, idsFor } = withRules({
    ...checkFault({ kind: 'drop', from: '1h', until: '2h' }, { endpoints, nowMs: START_MS }),
  })
  const next = idsFor(getUser)
  const seen = [next()]
  for (let half = 0; half < 4; half++) {
    clock.advance(30 * 60_000)
    seen.push(next())
  }
  assert.deepEqual(seen, [undefined, undefined, 'f1', 'f1', undefined])
})

test('an error is for the endpoints that document it, and the usual cause of its status by default', () => {
  const { faults } = withRules({ kind: 'error', status: 429 }, { kind: 'error', status: 401 })
  const of = (endpoint: FaultyEndpoint) => faults.chooser(endpoint, 'core')(ANYONE)?.error?.cause
  assert.deepEqual([of(createPost), of(getUser)], ['rate limited', 'could not authenticate'])
})

test('deliveries meet the rules of their webhook, by id or URL', () => {
  const { faults } = withRules(
    { kind: 'drop' },
    { kind: 'webhook_timeout', webhook: '7' },
    { kind: 'webhook_tls', webhook: 'https://a.example/hook' },
    { kind: 'webhook_status', status: 500, app_id: '1' },
  )
  const of = (webhook: string, url: string, appId: string) =>
    faults.ofDelivery({ webhook, url, appId })?.rule.kind
  assert.equal(of('7', 'https://b.example/', '9'), 'webhook_timeout')
  assert.equal(of('8', 'https://a.example/hook', '9'), 'webhook_tls')
  assert.equal(of('8', 'https://b.example/', '1'), 'webhook_status')
  assert.equal(of('8', 'https://b.example/', '9'), undefined)
})

test('wrong rules are rejected with what is wrong and what is possible', () => {
  const documentedErrors =
    'Documented are: 401 (could not authenticate, invalid token), 403 (duplicate post), 429 (rate limited, monthly usage of app capped), 500 (internal), 503 (over capacity)'
  const route = 'POST /2/posts'
  for (const [settings, member, message] of [
    [{ kind: 'error' }, 'status', 'the kind `error` needs `status` or `cause`'],
    [
      { kind: 'error', route, status: 418 },
      'status',
      `\`status\` 418 is not documented. ${documentedErrors}`,
    ],
    [
      { kind: 'error', route, cause: 'bored' },
      'cause',
      `\`cause\` bored is not documented. ${documentedErrors}`,
    ],
    [
      { kind: 'error', route, status: 429, cause: 'duplicate post' },
      'cause',
      `\`cause\` is not documented for 429. ${documentedErrors}`,
    ],
    [{ kind: 'drop', route: '/3/*' }, 'route', '`route` matches no endpoint: write it as in the reference'],
    [
      { kind: 'drop', route, host: 'ads' },
      'route',
      '`route` matches no endpoint on the host ads: write it as in the reference',
    ],
    [{ kind: 'stall', route }, 'route', 'the kind `stall` is for streams, and `route` matches none'],
    [{ kind: 'drop', bytes: 7 }, 'bytes', '`bytes` does not apply to the kind `drop`'],
    [{ kind: 'webhook_tls', route }, 'route', '`route` does not apply to the kind `webhook_tls`'],
    [{ kind: 'latency' }, 'latency', 'the kind `latency` needs `latency`'],
    [{ kind: 'webhook_status', status: 200 + 99 }, 'status', '`status` must be from 300 to 599'],
    [{ kind: 'stall', after: '6m' }, 'after', '`after` must be a duration of at most 5 minutes, such as 10s'],
    [
      { kind: 'drop', from: 'soon' },
      'from',
      '`from` must be a time such as 2026-03-01T12:00:00Z, or a duration from now such as 2h',
    ],
    [{ kind: 'throttle', bytes_per_second: 0 }, 'bytes_per_second', '`bytes_per_second` must be at least 1'],
    [{ kind: 'drop', from: '2h', until: '1h' }, 'until', '`until` must be after `from`'],
    [
      { kind: 'exhausted_limit', route: 'GET /2/users/{id}' },
      'cause',
      'an error of the kind `exhausted_limit` is not documented. Documented are: 401 (could not authenticate, invalid token), 500 (internal), 503 (over capacity)',
    ],
  ] satisfies [FaultSettings, string, string][]) {
    assert.throws(
      () => checkFault(settings, { endpoints, nowMs: START_MS }),
      (error) => {
        assert.ok(error instanceof FaultInvalid)
        assert.deepEqual([error.member, error.message], [member, message])
        return true
      },
    )
  }
})

test('a header names a fault', () => {
  assert.deepEqual(faultOfHeader('429'), { kind: 'error', status: 429 })
  assert.deepEqual(faultOfHeader('cause=duplicate post; latency=2s'), {
    kind: 'error',
    cause: 'duplicate post',
    latency: '2s',
  })
  assert.deepEqual(faultOfHeader('latency=uniform 1s 2s'), { kind: 'latency', latency: 'uniform 1s 2s' })
  assert.deepEqual(faultOfHeader('truncate;bytes=10'), { kind: 'truncate', bytes: 10 })
  for (const wrong of [
    'often',
    'constructor=1',
    'status=700000000000',
    'bytes=x',
    'webhook_tls',
    'route=/2/posts',
    '429; =',
    'x'.repeat(501),
  ])
    assert.throws(() => faultOfHeader(wrong), FaultInvalid, wrong)
})
