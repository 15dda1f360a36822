import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashText } from './random.ts'
import { combinedReach, type Exposure } from './reach.ts'
import { isIn, peopleOf, type Share, sizeOf } from './share.ts'
import { touchpointsIn } from './touchpoints.ts'

const SHARES: readonly Share[] = [
  ['t1', 0, 3_333],
  ['t1', 3_333, 6_666],
  ['t1', 6_666, 10_000],
]
const PEOPLE = Array.from({ length: 20_000 }, (_, at) => hashText(`person ${at}`))
const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2030, 0, 7)

describe('the shares of an A/B test', () => {
  test('each person is in one share, always the same, and shares have their sizes', () => {
    const counts = SHARES.map((share) => PEOPLE.filter((person) => isIn(share, person)).length)
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      PEOPLE.length,
    )
    for (const [at, count] of counts.entries())
      assert.ok(Math.abs(count / PEOPLE.length - sizeOf(SHARES[at])) < 0.02, String(count))
    for (const person of PEOPLE.slice(0, 100))
      assert.equal(SHARES.filter((share) => isIn(share, person)).length, 1)
  })

  test('another test divides people in another way', () => {
    const halves = [
      ['t1', 0, 5_000],
      ['t2', 0, 5_000],
    ] as const
    const both = PEOPLE.filter((person) => halves.every((half) => isIn(half, person))).length
    assert.ok(Math.abs(both / PEOPLE.length - 0.25) < 0.02, String(both))
  })

  test('the people of all shares add up, whatever their number', () => {
    for (const people of [0, 1, 2, 3, 99, 100, 1_001, 12_345_678])
      assert.equal(
        SHARES.reduce((sum, share) => sum + peopleOf(share, people), 0),
        people,
      )
    assert.equal(peopleOf(['t', 1_000, 9_900], 1_000), 890)
  })

  test('only people of the share have touchpoints', () => {
    const row = (share?: Share) =>
      touchpointsIn({
        ...{ promotion_id: 'p1', line_item_id: 'l1', campaign_id: 'c1', funding_instrument_id: 'f1' },
        ...{ post_id: null, from_time: START_MS, impressions: 1_000, engagements: 1_000 },
        about: JSON.stringify({ audience: 1_000, ...(share && { share }) }),
        cells: '',
        last_cell: `[0,${HOUR_MS},1000,0,0,1000]`,
      })
    const hasAny = (share?: Share) => {
      const touchpointsOf = row(share)
      return (person: number) => touchpointsOf(person, START_MS + HOUR_MS).viewedAtMs !== null
    }
    const [everybody, third] = [hasAny(), hasAny(SHARES[1])]
    const [, share] = SHARES as [Share, Share]
    for (const person of PEOPLE) assert.equal(third(person), isIn(share, person) && everybody(person))
  })

  test('who is reached in one group is not reached in another', () => {
    const exposure = (share?: Share): Exposure => ({
      ...(share && { share }),
      audience: share ? peopleOf(share, 10_000) : 10_000,
      impressions: 1_000_000,
      capped: new Map(),
      cap: null,
    })
    const people = (...shares: (Share | undefined)[]) => combinedReach(shares.map(exposure)).people
    assert.equal(people(SHARES[0]), 3_333)
    assert.equal(people(SHARES[0], SHARES[0]), 3_333)
    assert.equal(people(SHARES[0], SHARES[2]), 6_667)
    assert.equal(people(...SHARES), 10_000)
    assert.equal(people(SHARES[0], undefined), 10_000)
    // Groups of two tests have people in common.
    assert.equal(people(['t1', 0, 5_000], ['t2', 0, 5_000]), 7_500)
    assert.equal(people(['t1', 0, 5_000], ['t2', 0, 5_000], ['t1', 5_000, 7_500]), 8_750)
  })
})
