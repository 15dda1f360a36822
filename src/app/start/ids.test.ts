import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OpenedStore, storeStages } from '../../../test/support/stores.ts'
import { ManualClock } from '../../platform/common/clock.ts'
import { compareIds, firstIdAt, timeOfId } from '../../platform/common/ids.ts'
import { eventKind } from '../../platform/events/event.ts'
import { emit } from '../../platform/events/log.ts'
import { AdjustableClock } from '../../workbench/clock/adjustable-clock.ts'
import { StoredIds } from './ids.ts'

const NOW_MS = Date.UTC(2026, 2, 1, 12)
const happened = eventKind<{ id: string }>('test.happened', ({ id }) => id)

for (const stage of storeStages) {
  describe(`ids after a restart on ${stage.name}`, { skip: stage.skip }, () => {
    let opened: OpenedStore
    before(async () => {
      opened = await stage.open()
    })
    after(() => opened?.close())

    const machine = new ManualClock(NOW_MS)
    const clock = new AdjustableClock(machine)
    let node = 0
    /** Starts a node. Without `close`, it is killed. */
    const start = async (number = node, time: AdjustableClock | ManualClock = clock) => {
      const ids = await StoredIds.open({ store: opened.store, clock: time, node: number })
      await ids.reserve()
      return ids
    }
    const made = (ids: StoredIds, count = 3) => Array.from({ length: count }, () => ids.next())
    const assertInOrder = (ids: readonly string[]) =>
      assert.deepEqual(
        ids.findIndex((id, at) => at > 0 && compareIds(ids[at - 1] ?? '', id) >= 0),
        -1,
      )

    test('are greater, however often a node is killed or stopped while its clock is frozen', async () => {
      node = 1
      const running = await start()
      const all = made(running)
      // It is frozen while the node runs.
      clock.adjust({ offsetMs: 0, frozenAtMs: NOW_MS })
      all.push(...made(running))
      for (const ends of ['killed', 'stopped', 'stopped', 'killed', 'killed', 'stopped', 'killed']) {
        const ids = await start()
        all.push(...made(ids))
        if (ends === 'stopped') await ids.close()
      }
      assertInOrder(all)
      // Four of them were killed, and a node that stops leaves nothing unused.
      const last = all.at(-1) ?? ''
      assert.ok(timeOfId(last) <= NOW_MS + 500, `${timeOfId(last) - NOW_MS} ms ahead`)
    })

    test('are greater after more ids than were reserved at first', async () => {
      node = 2
      clock.adjust({ offsetMs: 0, frozenAtMs: NOW_MS + 10_000 })
      const killed = await start()
      let last = ''
      for (let turn = 0; turn < 6; turn++) {
        for (let one = 0; one < 100_000; one++) last = killed.next()
        // Time for what it stores.
        await opened.store.write(async () => undefined)
      }
      assertInOrder([last, ...made(await start())])
    })

    test('of two nodes are greater than those of both, when one is killed', async () => {
      clock.adjust({ offsetMs: 0, frozenAtMs: NOW_MS + 20_000 })
      const [first, second] = [await start(3), await start(4)]
      const ofFirst = made(first)
      const ofSecond = made(second, 5_000)
      await second.close()
      assertInOrder([...ofFirst, ...made(await start(3))])
      const again = made(await start(4))
      assertInOrder([...ofSecond, ...again])
    })

    test('are greater after the machine’s clock was set back', async () => {
      const own = new ManualClock(NOW_MS + 60_000)
      const stopped = await start(5, own)
      const all = made(stopped)
      await stopped.close()
      own.moveTo(NOW_MS + 40_000)
      const killed = await start(5, own)
      all.push(...made(killed))
      assertInOrder(all)
      // The log of events says how late it was when the node was killed.
      opened.clock.moveTo(NOW_MS + 90_000)
      own.moveTo(NOW_MS + 90_000)
      all.push(...made(killed))
      await opened.store.write((tx) => emit(tx, happened, { id: '1' }))
      own.moveTo(NOW_MS + 50_000)
      all.push(...made(await start(5, own)))
      assertInOrder(all)
    })

    test('have the time of a clock that runs', async () => {
      const own = new ManualClock(NOW_MS + 120_000)
      const killed = await start(6, own)
      made(killed)
      own.advance(1)
      const [id = ''] = made(await start(6, own))
      assert.equal(id, String(BigInt(firstIdAt(own.now())) + (6n << 12n)))
    })
  })
}
