import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gate, SharedGate } from './gate.ts'

test('lets so many in, keeps so many waiting, and rejects the next', async () => {
  const gate = new Gate(2, 1)
  let inside = 0
  let most = 0
  const leave: (() => void)[] = []
  const enter = () =>
    gate.through(async () => {
      most = Math.max(most, ++inside)
      await new Promise<void>((resolve) => leave.push(resolve))
      inside--
      return 'done'
    })
  const all = [enter(), enter(), enter()]
  await assert.rejects(enter(), /too many wait/)
  while (leave.length > 0) {
    leave.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(await Promise.all(all), ['done', 'done', 'done'])
  assert.equal(most, 2)
})

test('a failure inside opens the gate for the next', async () => {
  const gate = new Gate(1, 1)
  await assert.rejects(
    gate.through(async () => {
      throw new Error('inside')
    }),
    /inside/,
  )
  assert.equal(await gate.through(async () => 'next'), 'next')
})

test('an owner who waits at a shared gate keeps no other owner out', async () => {
  const gate = new SharedGate(3, { maxWaiting: 10, maxWaitingOfOne: 10, widthOfOne: 2 })
  const leave: (() => void)[] = []
  const enter = (owner: string) =>
    gate.through(owner, () => new Promise<string>((resolve) => leave.push(() => resolve(owner))))
  const busy = [enter('a'), enter('a'), enter('a'), enter('a')]
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(leave.length, 2)
  const other = enter('b')
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(leave.length, 3)
  leave.pop()?.()
  assert.equal(await other, 'b')
  while (leave.length > 0) {
    leave.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual(await Promise.all(busy), ['a', 'a', 'a', 'a'])
})

test('a caller that stops waiting lets those behind it in, and takes no place', async () => {
  const gate = new SharedGate(1, { maxWaiting: 1, maxWaitingOfOne: 1 })
  const leave = Promise.withResolvers<string>()
  const inside = gate.through('a', () => leave.promise)
  for (const owner of ['a', 'b']) {
    const waiting = new AbortController()
    const given = gate.through(owner, async () => assert.fail('it stopped waiting'), waiting.signal)
    await new Promise((resolve) => setImmediate(resolve))
    waiting.abort(new Error('too late'))
    await assert.rejects(given, /too late/)
  }
  const next = gate.through('b', async () => 'next')
  leave.resolve('first')
  assert.deepEqual([await inside, await next], ['first', 'next'])
  await assert.rejects(
    gate.through('a', async () => 'never', AbortSignal.abort(new Error('before'))),
    /before/,
  )
})
