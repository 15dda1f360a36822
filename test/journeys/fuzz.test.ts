import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from '../../bench/fuzz.ts'

test('whatever is sent is answered below 500, and errors change nothing', async () => {
  const { inputs, failure } = await fuzz(3000, 20_260_301)
  assert.equal(failure, undefined)
  assert.equal(inputs, 3000)
})
