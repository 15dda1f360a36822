import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classicTime } from './time.ts'

test('the classic form of a time has the day in front and the year at the end', () => {
  assert.equal(classicTime(Date.UTC(2017, 0, 20, 22, 5, 9, 999)), 'Fri Jan 20 22:05:09 +0000 2017')
  assert.equal(classicTime(Date.UTC(2026, 11, 1)), 'Tue Dec 01 00:00:00 +0000 2026')
})
