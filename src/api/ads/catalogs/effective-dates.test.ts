import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPeriod } from './effective-dates.ts'

test('a period is read to the minute with an offset, and to the second in UTC', () => {
  assert.deepEqual(readPeriod('2022-10-04T17:20+01:00/2022-10-10T04:00-08:00'), {
    start: Date.UTC(2022, 9, 4, 16, 20),
    end: Date.UTC(2022, 9, 10, 12),
  })
  assert.deepEqual(readPeriod('2022-10-04T17:20:31.000Z/2022-10-10T04:00:00.000Z'), {
    start: Date.UTC(2022, 9, 4, 17, 20, 31),
    end: Date.UTC(2022, 9, 10, 4),
  })
  assert.equal(typeof readPeriod('2022-10-04T17:20+0100/2022-10-10T04:00Z'), 'object')
})

test('an invalid period is reported', () => {
  for (const text of [
    '',
    '/',
    '2022-10-04T17:20+01:00',
    '2022-10-04T17:20+01:00/',
    '/2022-10-04T17:20+01:00',
    '2022-10-04/2022-10-10',
    '2022-10-04T17:20/2022-10-10T04:00',
    '2022-10-04T17:20+01:00 / 2022-10-10T04:00+01:00',
    '2022-02-30T17:20Z/2022-10-10T04:00Z',
    '2022-10-04T25:00Z/2022-10-10T04:00Z',
    '2022-10-04T17:20Z/2022-10-10T04:00Z/2022-10-11T04:00Z',
    'today/tomorrow',
  ])
    assert.match(String(readPeriod(text)), /^must be two times/, text)
})

test('a period that ends before it starts is told, in whatever zones', () => {
  assert.equal(readPeriod('2022-10-10T04:00Z/2022-10-04T17:20Z'), 'must end later than it starts')
  assert.equal(readPeriod('2022-10-10T04:00Z/2022-10-10T05:00+01:00'), 'must end later than it starts')
  assert.equal(typeof readPeriod('2022-10-10T04:00Z/2022-10-10T05:01+01:00'), 'object')
})
