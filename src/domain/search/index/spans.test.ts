import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idAt } from '../../../platform/common/ids.ts'
import { fractions, seededRandom } from '../../../platform/common/random.ts'
import { partsOf, spansIn, spansOf } from './spans.ts'

const NOON = Date.UTC(2026, 1, 3, 12)
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const at = (timeMs: number) => idAt(Math.floor(timeMs), 0, 0)
const LENGTHS_MS = [1, MINUTE_MS, 90 * MINUTE_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS, 780 * DAY_MS]

test('an id lies in a span of each length', () => {
  assert.deepEqual(spansOf(at(NOON)), ['0:1835956', '1:114747', '2:7171', '3:448'])
  assert.deepEqual(spansOf(at(NOON + 10 * MINUTE_MS)), ['0:1835958', '1:114747', '2:7171', '3:448'])
})

test('spans cover their window, are few, and reach little beyond it', () => {
  const random = fractions(seededRandom('spans'))
  for (const length of LENGTHS_MS)
    for (let n = 0; n < 50; n++) {
      const start = NOON + random() * 40 * DAY_MS
      const spans = spansIn({ from: at(start), before: at(start + length) })
      const covers = (timeMs: number) => spansOf(at(timeMs)).some((span) => spans?.includes(span))
      assert.ok(spans !== undefined && spans.length <= 64, `${spans?.length} for ${length} ms`)
      for (const share of [0, random(), random(), 1 - 1e-6])
        assert.ok(covers(start + share * length), `${share} of ${length} ms from ${start}`)
      const beyond = Math.max(length / 3, 5 * MINUTE_MS)
      assert.ok(!covers(start - beyond) && !covers(start + length + beyond), `${length} ms from ${start}`)
    }
})

test('a window of up to two years has spans, whatever its length and where it begins', () => {
  const random = fractions(seededRandom('lengths of spans'))
  for (let n = 0; n < 20_000; n++) {
    const length = Math.exp(random() * Math.log(780 * DAY_MS))
    const start = NOON + random() * 40 * DAY_MS
    const spans = spansIn({ from: at(start), before: at(start + length) })
    assert.ok(spans && spans.length <= 64, `${spans?.length} for ${length} ms from ${start}`)
  }
})

test('a window of 63 to 64 spans that begins within one has them', () => {
  // Of the third length, 18.6 hours.
  const span = 2n ** 48n
  const from = 7_171n * span + span / 2n
  assert.equal(spansIn({ from: String(from), before: String(from + 64n * span - span / 4n) })?.length, 20)
})

test('a window of more than two years has no spans', () => {
  assert.equal(spansIn({ from: at(NOON - 900 * DAY_MS), before: at(NOON) }), undefined)
})

test('the parts of a window follow each other to its start, the newest first, each longer', () => {
  const window = { from: at(NOON - 3_000 * DAY_MS), before: at(NOON) }
  const parts = [...partsOf(window)]
  assert.deepEqual([parts[0]?.before, parts.at(-1)?.from], [window.before, window.from])
  for (const [n, { from, before }] of parts.entries()) {
    assert.ok(BigInt(from) < BigInt(before))
    if (n > 0) assert.equal(before, parts[n - 1]?.from)
  }
  assert.equal(parts.length, 6)
  assert.deepEqual([...partsOf({ from: at(NOON), before: at(NOON) })], [])
})
