import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { stages } from '../../../test/support/stages.ts'
import { settled, until } from '../../../test/support/until.ts'
import { ManualClock } from '../../platform/common/clock.ts'
import { POLL_MS } from '../../platform/common/loop.ts'
import type { Store } from '../../platform/storage/store.ts'
import { everyShare, leasedShares, shareOf } from './shares.ts'

/** The duration of a lease in `delivery_shares`. A node relies on it for 2 seconds less. */
const LEASE_MS = 15_000
const RELIED_ON_MS = 13_000

test('webhooks are divided into 32 shares, about equally', () => {
  const counts = new Map<number, number>()
  for (let n = 0; n < 32_000; n++) {
    const share = shareOf(String(1_900_000_000_000_000_000n + BigInt(n) * 4_096n))
    counts.set(share, (counts.get(share) ?? 0) + 1)
  }
  assert.deepEqual(
    [...counts.keys()].sort((a, b) => a - b),
    everyShare,
  )
  assert.ok(Math.min(...counts.values()) > 500 && Math.max(...counts.values()) < 1_500)
})

for (const stage of stages) {
  describe(`shares of nodes on ${stage.name}`, { skip: stage.skip }, () => {
    /** Nodes on one store, and the number of nodes that each of them believes to be running. */
    async function begin(t: TestContext) {
      const opened = await stage.open({ seed: 'none' })
      t.after(() => opened.close())
      const clock = new ManualClock(1_000_000)
      const running = { nodes: 1 }
      const { store } = opened.plaza.context
      const node = (holder: string) => leasedShares({ store, clock, holder, nodes: () => running.nodes })
      return { clock, running, node, store }
    }

    test('one node has all; a second one gets what the first gives up', async (t) => {
      const { running, node } = await begin(t)
      const [first, second] = [node('node 0'), node('node 1')]
      assert.deepEqual(
        [...(await first.renew())].sort((a, b) => a - b),
        everyShare,
      )
      assert.deepEqual(first.surplus(), [])
      running.nodes = 2
      assert.deepEqual(await second.renew(), [])
      const surplus = first.surplus()
      assert.equal(surplus.length, 16)
      await first.release(surplus)
      assert.ok(surplus.every((share) => first.lease(share) === undefined))
      assert.deepEqual([...(await second.renew())].sort(), [...surplus].sort())
      assert.deepEqual(await second.renew(), [])
      assert.deepEqual(
        [...first.held(), ...second.held()].sort((a, b) => a - b),
        everyShare,
      )
    })

    test('the shares of a node that has died go to another one when the lease is over, and not before', async (t) => {
      const { clock, running, node } = await begin(t)
      const [dead, other] = [node('node 0'), node('node 1')]
      await dead.renew()
      running.nodes = 2
      await dead.release(dead.surplus())
      await other.renew()
      running.nodes = 1
      for (let waited = POLL_MS.housekeeping; waited < LEASE_MS; waited += POLL_MS.housekeeping) {
        clock.advance(POLL_MS.housekeeping)
        assert.deepEqual(await other.renew(), [])
        assert.equal(other.held().length, 16)
      }
      clock.advance(POLL_MS.housekeeping)
      assert.equal((await other.renew()).length, 16)
      assert.deepEqual(
        [...other.held()].sort((a, b) => a - b),
        everyShare,
      )
    })

    test('a node that could not renew sends nothing in the last seconds of its lease, so that no two send', async (t) => {
      const { clock, node } = await begin(t)
      const [slow, other] = [node('node 0'), node('node 1')]
      await slow.renew()
      clock.advance(RELIED_ON_MS - 1)
      assert.ok(everyShare.every((share) => slow.lease(share) !== undefined))
      clock.advance(1)
      assert.ok(everyShare.every((share) => slow.lease(share) === undefined))
      assert.deepEqual(await other.renew(), [])
      clock.advance(LEASE_MS - RELIED_ON_MS)
      assert.deepEqual(
        [...(await other.renew())].sort((a, b) => a - b),
        everyShare,
      )
      // Too late: another node holds them now.
      assert.deepEqual(await slow.renew(), [])
      assert.deepEqual(slow.held(), [])
    })

    test('a reply to a renewal that arrives late does not take back a share that was released meanwhile', async (t) => {
      const { clock, running, store, node } = await begin(t)
      const reply = Promise.withResolvers<void>()
      let isHeld = false
      const slow: Store = {
        ...store,
        async write(work) {
          const result = await store.write(work)
          if (isHeld) {
            isHeld = false
            await reply.promise
          }
          return result
        },
      }
      const first = leasedShares({ store: slow, clock, holder: 'node 0', nodes: () => running.nodes })
      const second = node('node 1')
      await first.renew()
      running.nodes = 2
      isHeld = true
      const renewed = first.renew()
      await until('the renewal is committed', () => !isHeld)
      const released = first.release(first.surplus())
      await settled()
      await second.renew()
      reply.resolve()
      await Promise.all([renewed, released])
      const ofBoth = () => everyShare.filter((share) => [first, second].every((one) => one.lease(share)))
      assert.deepEqual(ofBoth(), [])
      assert.deepEqual([first.held().length, (await second.renew()).length], [16, 16])
      assert.deepEqual(ofBoth(), [])
    })

    test('a share that is released stays leased until what is in progress has ended', async (t) => {
      const { clock, running, node } = await begin(t)
      const [first, second] = [node('node 0'), node('node 1')]
      await first.renew()
      running.nodes = 2
      const drained = Promise.withResolvers<void>()
      const released = first.release(first.surplus(), drained.promise)
      assert.equal(first.held().length, 16)
      for (let waited = 0; waited <= LEASE_MS; waited += POLL_MS.housekeeping) {
        clock.advance(POLL_MS.housekeeping)
        assert.deepEqual([await first.renew(), await second.renew()], [[], []])
      }
      drained.resolve()
      await released
      assert.deepEqual([first.held().length, (await second.renew()).length], [16, 16])
    })

    test('a share that was lost and comes back has another lease, and one that is renewed keeps its own', async (t) => {
      const { clock, node } = await begin(t)
      const only = node('node 0')
      await only.renew()
      const before = everyShare.map((share) => only.lease(share))
      clock.advance(RELIED_ON_MS - 1)
      assert.deepEqual(await only.renew(), [])
      assert.deepEqual(
        everyShare.map((share) => only.lease(share)),
        before,
      )
      clock.advance(RELIED_ON_MS)
      assert.equal((await only.renew()).length, 32)
      assert.ok(everyShare.every((share) => !before.includes(only.lease(share))))
    })

    test('a node that starts again takes over at once what it had', async (t) => {
      const { node } = await begin(t)
      await node('node 0').renew()
      assert.deepEqual(await node('node 1').renew(), [])
      assert.deepEqual(
        [...(await node('node 0').renew())].sort((a, b) => a - b),
        everyShare,
      )
    })
  })
}
