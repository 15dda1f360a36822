import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterError } from './after-error.ts'

test('a pause is between half of its time and all of it, twice as long after each error, up to the longest', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pauses = { firstMs: 100, longestMs: 300 }
  for (const [failures, longMs] of [100, 200, 300, 300].entries()) {
    let came: boolean | undefined
    const waiting = afterError(failures, undefined, pauses).then((value) => {
      came = value
    })
    t.mock.timers.tick(longMs / 2 - 1)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(came, undefined, `${longMs} ms, before the half of it`)
    t.mock.timers.tick(longMs / 2 + 1)
    await waiting
    assert.equal(came, true)
  }
})

test('without other times it begins with a second and ends with a minute, however many errors there were', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [first, last] = [afterError(0), afterError(1_000_000)]
  t.mock.timers.tick(1_000)
  assert.equal(await first, true)
  t.mock.timers.tick(59_000)
  assert.equal(await last, true)
})

test('an aborted signal ends the pause, also when it was aborted before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const stop = new AbortController()
  const waiting = afterError(0, stop.signal)
  stop.abort()
  assert.equal(await waiting, false)
  assert.equal(await afterError(0, stop.signal), false)
})
