import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from './connection.ts'

test('as many leave as in one second at once, and then evenly', () => {
  const pace = new Pace(10, 0)
  assert.equal(pace.take(4, 0), 4)
  assert.equal(pace.take(10, 0), 6)
  assert.equal(pace.take(1, 99), 0)
  assert.equal(pace.take(1, 100), 1)
  assert.equal(pace.take(9, 650), 5)
  assert.equal(pace.take(99, 60_000), 10, 'what was not used is not kept')
})

test('a clock that goes back gives and takes nothing', () => {
  const pace = new Pace(10, 1_000)
  assert.equal(pace.take(10, 1_000), 10)
  assert.equal(pace.take(1, 500), 0)
  assert.equal(pace.take(1, 600), 1)
})
