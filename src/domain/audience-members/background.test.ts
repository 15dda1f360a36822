import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settled, until } from '../../../test/support/until.ts'
import { ManualClock } from '../../platform/common/clock.ts'
import { createMembership } from './background.ts'
import type { MemberStore, Step } from './membership.ts'

const DONE: Step = { keys: 0, more: false }

/**
 * A store that only tells what is asked of it. `merge` and `maintenance` say what comes of the n-th
 * time.
 */
function watched(
  work: { merge?(n: number): Promise<Step>; maintain?(n: number): Promise<Step> },
  options: { clock?: ManualClock; lookEveryMs?: number } = {},
) {
  const asked: string[] = []
  const errors: unknown[] = []
  const count = (name: string) => asked.filter((one) => one === name).length
  const store: MemberStore = {
    // Nothing is taken here.
    take: async () => ({ kind: 'fine', understood: [], users: 1, keys: 1 }) as never,
    states: async () => new Map(),
    tally: async ({ now }) => ({ people: 0, waits: false, now }),
    forget: async () => undefined,
    async merge() {
      asked.push('merge')
      return (await work.merge?.(count('merge'))) ?? DONE
    },
    async maintain() {
      asked.push('maintenance')
      return (await work.maintain?.(count('maintenance'))) ?? DONE
    },
    close: async () => undefined,
  }
  const onError = (error: unknown) => errors.push((error as Error).message)
  const membership = createMembership(store, {
    clock: new ManualClock(0),
    delaySeconds: 0,
    onError,
    ...options,
  })
  return { membership, asked, errors, count }
}

test('maintenance continues during uploads, a step after each merge', async () => {
  const { membership, asked } = watched({
    merge: async (n) => (n <= 3 ? { keys: 1, more: true } : DONE),
    maintain: async (n) => ({ keys: 0, more: n < 5 }),
  })
  await membership.drain()
  assert.deepEqual(asked, [
    'merge',
    'maintenance',
    'merge',
    'maintenance',
    'merge',
    'maintenance',
    'merge',
    'maintenance',
    'maintenance',
  ])
  await membership.close()
})

test('a merge that fails is told, and not tried again with each upload; maintenance goes on', async () => {
  const { membership, errors, count } = watched({
    merge: async () => {
      throw new Error('no merge')
    },
  })
  for (let n = 0; n < 20; n++) {
    const body = new Uint8Array(1)
    await membership.accept({ account: 'a', audience: 'a', target: 'audience', body })
    await new Promise((resolve) => setImmediate(resolve))
  }
  const merges = count('merge')
  assert.equal(errors.length, merges)
  assert.ok(count('maintenance') > merges)
  // Who waits for it has it tried at once.
  await membership.drain()
  assert.ok(count('merge') > merges)
  await membership.close()
})

test('a merge that fails is tried again later, although the clock stands still', async () => {
  const { membership, errors, count } = watched({
    merge: async (n) => {
      if (n === 1) throw new Error('no merge')
      return DONE
    },
  })
  void membership.forget('1')
  await until('another merge', () => count('merge') === 2)
  assert.deepEqual(errors, ['no merge'])
  await membership.close()
})

test('maintenance that fails keeps no merge from being done', async () => {
  const { membership, errors, count } = watched({
    merge: async (n) => (n <= 3 ? { keys: 1, more: true } : DONE),
    maintain: async () => {
      throw new Error('no maintenance')
    },
  })
  void membership.forget('1')
  while (count('merge') < 4) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(errors.length > 0)
  await membership.close()
})

test('failed parts of a merge are reported', async () => {
  const { membership, errors } = watched({
    merge: async (n) => (n === 1 ? { keys: 1, more: false, errors: [new Error('one batch')] } : DONE),
  })
  await membership.drain()
  assert.deepEqual(errors, ['one batch'])
  await membership.close()
})

test('an end does not wait for a merge without end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { membership, count } = watched({ merge: () => new Promise(() => undefined) })
  void membership.forget('1')
  while (count('merge') === 0) await new Promise((resolve) => setImmediate(resolve))
  const closing = membership.close()
  t.mock.timers.tick(60_000)
  await closing
})

test('work that becomes due is polled for at an interval', async () => {
  const clock = new ManualClock(0)
  const { membership, count } = watched({}, { clock, lookEveryMs: 5_000 })
  await until('the look at the start', () => count('maintenance') === 1)
  clock.advance(4_999)
  await settled()
  assert.equal(count('maintenance'), 1)
  clock.advance(1)
  await until('another look', () => count('maintenance') === 2)
  await membership.close()
  assert.equal(clock.waits, 0)
})
