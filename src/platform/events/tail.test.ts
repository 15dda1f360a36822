import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPlaza } from '../../../test/support/plaza.ts'
import { until } from '../../../test/support/until.ts'
import type { Store } from '../storage/store.ts'
import { eventKind, type LoggedEvent } from './event.ts'
import { emit } from './log.ts'
import { eventPositions } from './queries.ts'
import { Tail } from './tail.ts'

const happened = eventKind<{ n: number }>('tail.happened', ({ n }) => String(n))

/** More than a start takes after its read. */
const MICROTASKS = 12

test('a taker that is added at any moment of a start whose last taker has left receives the events', async (t) => {
  const plaza = await startPlaza({ seed: 'none' })
  t.after(() => plaza.close())
  const { store } = plaza.context
  const errors: unknown[] = []
  for (let wait = 0; wait < MICROTASKS; wait++) {
    const reads: PromiseWithResolvers<void>[] = []
    const held: Store = {
      ...store,
      async first(wanted, args) {
        const found = await store.first(wanted, args)
        if ((wanted as unknown) !== eventPositions) return found
        const read = Promise.withResolvers<void>()
        reads.push(read)
        if (reads.length === 1) await read.promise
        return found
      },
    }
    const tail = new Tail({ store: held, onError: (error) => errors.push(error) })
    const leaving = { take: () => undefined }
    const left = tail.add(leaving)
    await until('the read of the position', () => reads.length === 1)
    tail.remove(leaving)
    reads[0]?.resolve()
    for (let n = 0; n < wait; n++) await Promise.resolve()
    const taken: LoggedEvent[] = []
    const taker = { take: (events: readonly LoggedEvent[]) => void taken.push(...events) }
    await Promise.all([left, tail.add(taker)])
    await store.write((tx) => emit(tx, happened, { n: wait }))
    await until(`the event, with a taker added ${wait} microtasks later`, () =>
      taken.some(({ data }) => data.n === wait),
    )
    await tail.close()
  }
  assert.deepEqual(errors, [])
})
