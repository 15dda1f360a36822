import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classicTime, isoTime, objectTime } from './time.ts'

test('the classic form of a time has the day in front and the year at the end', () => {
  assert.equal(classicTime(Date.UTC(2017, 0, 20, 22, 5, 9, 999)), 'Fri Jan 20 22:05:09 +0000 2017')
  assert.equal(classicTime(Date.UTC(2026, 11, 1)), 'Tue Dec 01 00:00:00 +0000 2026')
})

test('an exact time has its milliseconds, the time of an object whole seconds', () => {
  for (const ms of [
    0,
    1_000,
    86_399_999,
    86_400_000,
    Date.UTC(2026, 1, 3, 4, 5, 6, 7),
    Date.UTC(9999, 11, 31, 23, 59, 59, 90),
  ]) {
    assert.equal(isoTime(ms), new Date(ms).toISOString())
    assert.equal(objectTime(ms), new Date(Math.floor(ms / 1000) * 1000).toISOString())
  }
})
