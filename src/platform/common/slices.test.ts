import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slices } from './slices.ts'

test('other work runs between two slices', async () => {
  const slices = new Slices(1)
  let others = 0
  const other = () => {
    others++
    if (others < 1_000) setImmediate(other)
  }
  setImmediate(other)
  let pauses = 0
  while (pauses < 10)
    if (slices.isOver) {
      pauses++
      await slices.next()
    }
  assert.ok(others >= pauses, `${others} turns for others in ${pauses} pauses`)
})

test('a slice is not over before its time', () => {
  assert.equal(new Slices(60_000).isOver, false)
})

test('a turn has one slice, however many pieces of work wait for theirs', async () => {
  let turn = 0
  const count = () => {
    turn++
    if (turn < 1_000) setImmediate(count)
  }
  setImmediate(count)
  const begun = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const turns: number[] = []
      for (const slices = new Slices(0); turns.length < 3; turns.push(turn)) await slices.next()
      return turns
    }),
  )
  assert.equal(new Set(begun.flat()).size, 30)
})
