import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../platform/common/clock.ts'
import { createMembership } from './background.ts'
import type { Accepted, MemberStore, Upload } from './membership.ts'
import { SharedRoom } from './share.ts'

const BODY_BYTES = 5_000_000
const FINE: Accepted = { kind: 'fine', users: 1, keys: 1, understood: [] }

/** A membership of which no upload comes to its end before all are let go. */
function slowMembership() {
  const letGo: (() => void)[] = []
  const store: MemberStore = {
    take: () => new Promise((resolve) => letGo.push(() => resolve(FINE))),
    states: async () => new Map(),
    tally: async ({ now }) => ({ people: 0, waits: false, now }),
    forget: async () => undefined,
    merge: async () => ({ keys: 0, more: false }),
    maintain: async () => ({ keys: 0, more: false }),
    close: async () => undefined,
  }
  const membership = createMembership(store, {
    clock: new ManualClock(0),
    delaySeconds: 0,
    onError: assert.fail,
  })
  return { membership, letGo: () => letGo.splice(0).forEach((one) => void one()) }
}

test('an account that sends all it can at once leaves room for others, and has it again when it is done', async () => {
  const { membership, letGo } = slowMembership()
  const body = new Uint8Array(BODY_BYTES)
  const send = (account: string): Promise<Accepted> =>
    membership.accept({ account, audience: 'a', target: 'audience', body } satisfies Upload)
  const underWay = Array.from({ length: 7 }, () => send('greedy'))
  await assert.rejects(send('greedy'), { reason: 'over capacity' })
  const others = ['next', 'next', 'last'].map((account) => send(account))
  letGo()
  await Promise.all([...underWay, ...others])
  const again = Array.from({ length: 7 }, () => send('greedy'))
  letGo()
  await Promise.all(again)
  await membership.close()
})

test('a room has a share for each who comes, and nothing is left behind in it', () => {
  const room = new SharedRoom(100)
  assert.equal(room.hold('alone', 101), false)
  assert.equal(room.hold('one', 50), true)
  assert.equal(room.hold('one', 1), false)
  assert.equal(room.hold('other', 25), true)
  assert.equal(room.hold('other', 1), false)
  assert.equal(room.hold('third', 25), true)
  assert.equal(room.hold('fourth', 1), false)
  for (const [account, bytes] of [
    ['one', 50],
    ['other', 25],
    ['third', 25],
  ] as const)
    room.giveBack(account, bytes)
  assert.equal(room.hold('alone', 100), true)
})
