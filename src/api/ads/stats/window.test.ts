import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeZone } from '../../../domain/ad-delivery/time-zone.ts'
import { lengthOf, notAtMidnight, notOnTheHour, periodOf, windowOf, wrongSpan } from './window.ts'

const HOUR_MS = 3_600_000
const at = (text: string) => Date.parse(text)
const of = (from: string, until: string) => ({ fromMs: at(from), untilMs: at(until) })
const parameters = (errors: readonly { parameter?: string }[]) => errors.map(({ parameter }) => parameter)

const losAngeles = timeZone('America/Los_Angeles')
const kolkata = timeZone('Asia/Kolkata')

test('a date is midnight with the offset that is in force now, not with that of the day', () => {
  const dates = { start_time: '2030-01-05', end_time: '2030-01-06T03:00:00+02:00' }
  assert.deepEqual(
    windowOf(dates, losAngeles, at('2030-07-01T00:00:00Z')),
    of('2030-01-05T07:00:00Z', '2030-01-06T01:00:00Z'),
  )
  assert.equal(windowOf(dates, losAngeles, at('2030-01-07T00:00:00Z')).fromMs, at('2030-01-05T08:00:00Z'))
})

test('midnights of that day and those by the offset of today begin days', () => {
  const july = at('2030-07-01T00:00:00Z')
  assert.deepEqual(notAtMidnight(of('2030-01-05T08:00:00Z', '2030-01-06T07:00:00Z'), losAngeles, july), [])
  const others = notAtMidnight(of('2030-01-05T06:00:00Z', '2030-01-06T09:00:00Z'), losAngeles, july)
  assert.deepEqual(parameters(others), ['start_time', 'end_time'])
})

test('an account whose clocks have other minutes has hours of its own and those of UTC', () => {
  const day = of('2030-01-05T18:30:00Z', '2030-01-06T18:30:00Z')
  assert.deepEqual(notOnTheHour(day, kolkata), [])
  assert.deepEqual(notAtMidnight(day, kolkata, day.fromMs), [])
  assert.deepEqual(notOnTheHour(of('2030-01-05T18:00:00Z', '2030-01-05T19:00:00Z'), kolkata), [])
  const quarter = of('2030-01-05T18:15:00Z', '2030-01-05T19:00:00Z')
  assert.deepEqual(parameters(notOnTheHour(quarter, kolkata)), ['start_time'])
})

test('days of 23 and 25 hours are days, and the last period takes the hour that is left over', () => {
  const spring = of('2030-03-10T08:00:00Z', '2030-03-12T07:00:00Z')
  const autumn = of('2030-11-03T07:00:00Z', '2030-11-05T08:00:00Z')
  for (const window of [spring, autumn]) assert.equal(lengthOf(window, 'DAY'), 2)
  assert.equal(periodOf(autumn.untilMs - HOUR_MS, autumn, 'DAY', 2), 1)
  assert.equal(lengthOf(autumn, 'HOUR'), 49)
  assert.equal(lengthOf(autumn, 'TOTAL'), 1)
})

test('a window has at most so many days and an hour', () => {
  const from = at('2030-01-01T00:00:00Z')
  const span = (hours: number) => ({ fromMs: from, untilMs: from + hours * HOUR_MS })
  assert.deepEqual(wrongSpan(span(7 * 24 + 1), 7), [])
  for (const hours of [0, -1, 7 * 24 + 2])
    assert.deepEqual(
      wrongSpan(span(hours), 7).map(({ code }) => code),
      ['INVALID_TIME_WINDOW'],
    )
})
