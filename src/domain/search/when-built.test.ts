import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATE_MS, whenBuilt } from './when-built.ts'

test('the state is read again in time when the clock of the machine is set back', async (t) => {
  let realMs = 5_000
  t.mock.method(performance, 'now', () => realMs)
  const date = t.mock.method(Date, 'now', () => 1_900_000_000_000)
  let reads = 0
  const built = whenBuilt(async () => {
    reads++
    return 'built'
  }, 'being built')
  await built()
  await built()
  assert.equal(reads, 1)
  date.mock.mockImplementation(() => 1_900_000_000_000 - 3_600_000)
  realMs += STATE_MS
  await built()
  assert.equal(reads, 2)
})
