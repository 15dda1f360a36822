import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../platform/common/clock.ts'
import { Progress } from './progress.ts'

const CLEAR = '\r\u001b[K'

function shownOn({ isTTY }: { isTTY?: boolean } = { isTTY: true }) {
  const written: string[] = []
  const clock = new ManualClock(1_000)
  const output = { ...(isTTY !== undefined && { isTTY }), write: (text: string) => written.push(text) }
  return { written, clock, progress: new Progress({ clock, of: 'posts', output }) }
}

test('the line names what is done, its share and how many there are', () => {
  const { written, clock, progress } = shownOn()
  progress.show({ pass: 'importing', share: 0, count: 0 })
  clock.advance(100)
  progress.show({ pass: 'importing', share: 0.505, count: 12_345 })
  clock.advance(100)
  progress.show({ pass: 'counting', share: 1, count: 1_000_000 })
  assert.deepEqual(written, [
    `${CLEAR}importing [..............................] 0 %  0 posts`,
    `${CLEAR}importing [###############...............] 50 %  12,345 posts`,
    `${CLEAR}counting  [##############################] 100 %  1,000,000 posts`,
  ])
})

test('a share beyond the bounds fills the bar, and no more', () => {
  const { written, clock, progress } = shownOn()
  progress.show({ pass: 'making', share: 1.5, count: 3 })
  clock.advance(100)
  progress.show({ pass: 'making', share: -1, count: 0 })
  assert.deepEqual(written, [
    `${CLEAR}making    [##############################] 100 %  3 posts`,
    `${CLEAR}making    [..............................] 0 %  0 posts`,
  ])
})

test('it is written ten times a second at most', () => {
  const { written, clock, progress } = shownOn()
  for (let n = 0; n < 10; n++) {
    progress.show({ pass: 'making', share: 0, count: n })
    clock.advance(50)
  }
  assert.equal(written.length, 5)
})

test('it makes room for a message, and comes back', () => {
  const { written, clock, progress } = shownOn()
  progress.clear()
  assert.deepEqual(written, [])
  progress.show({ pass: 'making', share: 0, count: 1 })
  progress.clear()
  progress.clear()
  clock.advance(100)
  progress.show({ pass: 'making', share: 0, count: 2 })
  assert.deepEqual(written.slice(1), [
    CLEAR,
    `${CLEAR}making    [..............................] 0 %  2 posts`,
  ])
})

test('nothing is written when no one reads it', () => {
  for (const isTTY of [false, undefined]) {
    const { written, progress } = shownOn(isTTY === undefined ? {} : { isTTY })
    progress.show({ pass: 'making', share: 0, count: 1 })
    progress.clear()
    assert.deepEqual(written, [])
  }
})
