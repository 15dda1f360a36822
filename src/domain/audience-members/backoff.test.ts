import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Backoff } from './backoff.ts'

test('the backoff grows with each failure, up to a maximum', () => {
  let now = 0
  const backoff = new Backoff({ now: () => now })
  const pauses: number[] = []
  for (let n = 0; n < 12; n++) {
    backoff.add('one')
    const began = now
    while (backoff.names().length > 0) now += 1_000
    pauses.push((now - began) / 1000)
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
})

test('a success resets the backoff and delays no one else', () => {
  const backoff = new Backoff({ now: () => 0 })
  backoff.add('one')
  backoff.add('other')
  backoff.done('one')
  assert.deepEqual(backoff.names(), ['other'])
})

test('when very many fail, it is not about them', () => {
  const backoff = new Backoff({ now: () => 0 })
  for (let n = 0; n < 1_000; n++) assert.equal(backoff.add(`name${n}`), true)
  assert.equal(backoff.add('one more'), false)
  assert.equal(backoff.add('name0'), true)
})
