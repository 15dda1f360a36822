import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedRun } from './shared-run.ts'

test('calls that come during a run share the next one, which begins after it', async () => {
  const ends: (() => void)[] = []
  let begun = 0
  const shared = new SharedRun(() => {
    begun++
    return new Promise<number>((resolve) => ends.push(() => resolve(begun)))
  })
  const first = shared.run()
  const second = shared.run()
  const third = shared.run()
  assert.equal(begun, 1)
  ends[0]?.()
  assert.equal(await first, 1)
  await new Promise(setImmediate)
  assert.equal(begun, 2)
  ends[1]?.()
  assert.deepEqual(await Promise.all([second, third]), [2, 2])
  const fourth = shared.run()
  assert.equal(begun, 3)
  ends[2]?.()
  assert.equal(await fourth, 3)
})

test('a run that fails ends those that wait for it, and the next one runs', async () => {
  let fails = true
  const shared = new SharedRun(async () => {
    await new Promise(setImmediate)
    if (fails) throw new Error('on purpose')
    return 'done'
  })
  const first = shared.run()
  const second = shared.run()
  await assert.rejects(first, /on purpose/)
  fails = false
  assert.equal(await second, 'done')
})
