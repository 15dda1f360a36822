import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from './clock.ts'
import {
  boundOf,
  compareIds,
  firstIdAt,
  greatestId,
  idAfter,
  idAt,
  idBefore,
  leastId,
  timeOfId,
  timeOrderedIds,
} from './ids.ts'

const NOW_MS = 1_772_366_400_000
const EPOCH_MS = 1_288_834_974_657

test('an id holds its time, its node and a sequence', () => {
  const id = BigInt(timeOrderedIds(new ManualClock(NOW_MS), 5).next())
  assert.equal(Number(id >> 22n) + EPOCH_MS, NOW_MS)
  assert.equal((id >> 12n) & 1023n, 5n)
  assert.equal(id & 4095n, 0n)
})

test('the time of an id is the one that it was made at', () => {
  assert.equal(timeOfId('2027834537203761152'), 1_772_308_403_670)
  assert.equal(timeOfId(2027834537203761152n), 1_772_308_403_670)
  assert.equal(timeOfId(idAt(NOW_MS, 1023, 4095)), NOW_MS)
  assert.equal(timeOfId('0'), EPOCH_MS)
})

test('ids grow and never repeat, also when a millisecond is full or the clock steps back', () => {
  const clock = new ManualClock(NOW_MS)
  const source = timeOrderedIds(clock, 0)
  let last = 0n
  for (let n = 0; n < 20_000; n++) {
    if (n === 10_000) clock.advance(-60_000)
    const id = BigInt(source.next())
    assert.ok(id > last)
    last = id
  }
})

test('ids are ordered as numbers, whatever their lengths', () => {
  const ordered = ['0', '7', '10', '69999999999999999', '210000000000000000', '2027834537203761152']
  assert.deepEqual(ordered.toReversed().sort(compareIds), ordered)
  assert.equal(compareIds('10', '10'), 0)
  assert.equal(leastId(...ordered), '0')
  assert.equal(greatestId(...ordered), '2027834537203761152')
  assert.deepEqual([leastId(), greatestId()], ['9223372036854775807', '0'])
})

test('bounds are ids of 64 bits, whatever a caller sends', () => {
  assert.equal(boundOf('9999999999999999999'), '9223372036854775807')
  assert.equal(boundOf('9223372036854775808'), '9223372036854775807')
  assert.equal(boundOf('0000000000000000042'), '42')
  assert.equal(firstIdAt(Date.UTC(2099, 0)), '9223372036854775807')
  assert.equal(firstIdAt(Date.UTC(2006, 0)), '0')
  assert.equal(firstIdAt(1_772_308_403_670), '2027834537202941952')
  assert.equal(timeOfId('2027834537202941952'), 1_772_308_403_670)
  assert.deepEqual([idBefore('0'), idBefore('1000000000000000000')], ['0', '999999999999999999'])
  assert.deepEqual(
    [idAfter('999999999999999999'), idAfter('9223372036854775807')],
    ['1000000000000000000', '9223372036854775807'],
  )
})

test('two nodes never make the same id', () => {
  const clock = new ManualClock(NOW_MS)
  const nodes = [timeOrderedIds(clock, 0), timeOrderedIds(clock, 1023)]
  const made = nodes.flatMap((source) => Array.from({ length: 5000 }, () => source.next()))
  assert.equal(new Set(made).size, made.length)
})

test('ids are at most 19 digits, before the epoch and far in the future', () => {
  for (const ms of [0, NOW_MS, EPOCH_MS + 2 ** 41 - 1])
    assert.match(timeOrderedIds(new ManualClock(ms), 1023).next(), /^[0-9]{1,19}$/)
})

test('a node number that does not fit is rejected', () => {
  for (const node of [-1, 1024, 1.5, Number.NaN])
    assert.throws(() => timeOrderedIds(new ManualClock(0), node), /node must be 0..1023/)
})
