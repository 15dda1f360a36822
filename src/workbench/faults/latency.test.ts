import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fractions, seededRandom } from '../../platform/common/random.ts'
import { latencyOf, MAX_LATENCY_MS } from './latency.ts'

const DRAWS = 20_000

function drawn(text: string): number[] {
  const latency = latencyOf(text)
  assert.ok(latency, text)
  const random = fractions(seededRandom(text))
  return Array.from({ length: DRAWS }, () => latency(random)).sort((a, b) => a - b)
}
const at = (values: readonly number[], share: number) => values[Math.floor(values.length * share)] ?? 0
const near = (value: number, expected: number, most: number) =>
  assert.ok(Math.abs(value - expected) <= most, `${value} is not near ${expected}`)

test('a fixed latency is the same each time', () => {
  for (const text of ['2s', 'fixed 2s', ' fixed  2s '])
    assert.deepEqual(new Set(drawn(text)), new Set([2_000]))
})

test('a uniform latency is between its bounds, evenly', () => {
  const values = drawn('uniform 100ms 300ms')
  assert.ok(at(values, 0) >= 100 && (values.at(-1) ?? 0) <= 300)
  for (const share of [0.25, 0.5, 0.75]) near(at(values, share), 100 + 200 * share, 5)
})

test('a normal latency has its mean and deviation, and is never negative', () => {
  const values = drawn('normal 1s 100ms')
  near(at(values, 0.5), 1_000, 5)
  near(at(values, 0.8413), 1_100, 8)
  assert.equal(at(drawn('normal 10ms 1s'), 0), 0)
})

test('a log-normal latency has its median and tail', () => {
  const values = drawn('lognormal 200ms 0.5')
  near(at(values, 0.5), 200, 5)
  near(at(values, 0.8413), 200 * Math.exp(0.5), 10)
})

test('percentiles are those that were given', () => {
  const values = drawn('percentiles 50=100ms 90=500ms 99=2s')
  near(at(values, 0.5), 100, 5)
  near(at(values, 0.9), 500, 30)
  near(at(values, 0.99), 2_000, 60)
  assert.equal(values.at(-1), 2_000)
})

test('nothing takes longer than five minutes', () => {
  assert.equal(at(drawn('lognormal 5m 10'), 0.99), MAX_LATENCY_MS)
  for (const wrong of [
    ...['', 'soon', '-1s', '301s', '2h', '1s 2s', 'fixed', 'uniform 1s', 'uniform 2s 1s', 'normal 1s x'],
    ...[
      'lognormal 1s',
      'lognormal 1s 11',
      'lognormal 1s 0.5 1',
      'percentiles',
      'percentiles 50',
      'percentiles 101=1s',
    ],
    ...['percentiles 50=2s 99=1s', 'percentiles 50=1s 50=2s', 'toString 1s', 'constructor'],
  ])
    assert.equal(latencyOf(wrong), undefined, wrong)
})
