import assert from 'node:assert/strict'
import { test } from 'node:test'
import { combinedReach, expose } from './reach.ts'
import { ageSegments, divide, genderSegments, platformSegments } from './segments.ts'

test('the parts of counts sum to them, and single events go to every segment over time', () => {
  const ages = ageSegments()
  const sums = ages.map(() => 0)
  for (let hour = 0; hour < 4_000; hour++) {
    const counts = [1, 7, hour % 13, 12_345]
    const parts = divide(counts, ages, hour * 2_654_435_761)
    for (const [at, count] of counts.entries())
      assert.equal(
        parts.reduce((sum, part) => sum + (part[at] ?? 0), 0),
        count,
      )
    for (const [at, part] of parts.entries()) sums[at] = (sums[at] ?? 0) + (part[0] ?? 0)
  }
  for (const [at, { weight }] of ages.entries())
    assert.ok(Math.abs((sums[at] ?? 0) / 40 - weight) < 3, `${sums}`)
})

test('only what is targeted has parts', () => {
  const values = (segments: readonly { value: string }[]) => segments.map(({ value }) => value)
  assert.deepEqual(values(ageSegments(['AGE_25_TO_49'])), ['AGE_25_TO_34', 'AGE_35_TO_49'])
  assert.deepEqual(values(ageSegments(['AGE_OVER_50'])), ['AGE_OVER_50'])
  assert.deepEqual(values(genderSegments(['2'])), ['2'])
  assert.deepEqual(values(platformSegments(['1'])), ['1'])
  assert.equal(genderSegments(['1', '2']).length, 2)
})

test('reach is at most the audience and the impressions, and a frequency cap holds', () => {
  const shown = (impressions: number, cap?: number) =>
    expose(undefined, {
      about: { audience: 1_000, ...(cap && { cap: [cap, 86_400_000, 0] as const }) },
      timeMs: 0,
      impressions,
    })
  assert.deepEqual(combinedReach([]), { people: 0, frequency: 0 })
  assert.deepEqual(combinedReach([shown(1)]), { people: 1, frequency: 1 })
  assert.equal(combinedReach([shown(1_000, 1)]).frequency, 1)
  assert.ok(combinedReach([shown(1_000)]).frequency > 1)
  assert.equal(combinedReach([shown(1_000_000)]).people, 1_000)
  const both = combinedReach([shown(300), shown(500)])
  const [one, other] = [combinedReach([shown(300)]), combinedReach([shown(500)])]
  assert.ok(both.people <= one.people + other.people && both.people >= other.people)
})
