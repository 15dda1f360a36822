import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Resting } from './resting.ts'

test('what failed rests the longer, the more often, and not for ever', () => {
  let now = 0
  const resting = new Resting({ now: () => now })
  const pauses: number[] = []
  for (let n = 0; n < 12; n++) {
    resting.add('one')
    const began = now
    while (resting.names().length > 0) now += 1_000
    pauses.push((now - began) / 1000)
  }
  assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
})

test('what went well begins anew, and keeps nobody else', () => {
  const resting = new Resting({ now: () => 0 })
  resting.add('one')
  resting.add('other')
  resting.done('one')
  assert.deepEqual(resting.names(), ['other'])
})

test('when very many fail, it is not about them', () => {
  const resting = new Resting({ now: () => 0 })
  for (let n = 0; n < 1_000; n++) assert.equal(resting.add(`name${n}`), true)
  assert.equal(resting.add('one more'), false)
  assert.equal(resting.add('name0'), true)
})
