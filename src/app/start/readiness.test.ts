import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneAtATime } from './readiness.ts'

test('while a check takes long, callers get an error that says so, and no other check begins', async () => {
  let begun = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const ready = oneAtATime(() => {
    begun++
    return promise
  }, 10)
  const late = /has not ended within 0.01 s/
  await assert.rejects(ready(), late)
  await assert.rejects(ready(), late)
  assert.equal(begun, 1)
  resolve()
  await promise
})

test('callers at the same time share one check, and its error', async () => {
  let begun = 0
  const ready = oneAtATime(async () => {
    begun++
    throw new Error('the database does not respond')
  })
  const results = await Promise.allSettled([ready(), ready(), ready()])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  )
  assert.equal(begun, 1)
})
