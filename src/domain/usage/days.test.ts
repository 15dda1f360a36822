import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, monthStart } from './days.ts'

const day = (text: string) => dayOf(Date.parse(text))

test('a day begins at midnight of UTC', () => {
  assert.equal(day('1970-01-02T00:00:00Z'), 1)
  assert.equal(day('1970-01-02T23:59:59Z'), 1)
})

test('a month begins on its reset day, also across the ends of months and years', () => {
  for (const [at, resetDay, start] of [
    ['2026-03-01', 1, '2026-03-01'],
    ['2026-03-31', 1, '2026-03-01'],
    ['2026-03-14', 15, '2026-02-15'],
    ['2026-03-15', 15, '2026-03-15'],
    ['2026-01-27', 28, '2025-12-28'],
    ['2024-03-01', 28, '2024-02-28'],
  ] as const)
    assert.equal(monthStart(day(at), resetDay), day(start), `${at} with reset day ${resetDay}`)
})
