import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stages } from '../../../test/support/stages.ts'
import { until } from '../../../test/support/until.ts'
import { eventKind } from './event.ts'
import { follow } from './follower.ts'
import { consumerLags } from './lag.ts'
import { emit } from './log.ts'

const happened = eventKind<{ id: string }>('test.happened', ({ id }) => id)

for (const stage of stages)
  describe(`the lag of consumers on ${stage.name}`, { skip: stage.skip }, () => {
    test('is how many events wait, and for how long the oldest of them does', async () => {
      const opened = await stage.open()
      try {
        const { store, clock } = opened.plaza.context
        const gate = Promise.withResolvers<void>()
        let taken = 0
        const consumer = {
          name: 'slow',
          async take(events: readonly unknown[]) {
            taken += events.length
            if (taken > 1) await gate.promise
          },
          missed: () => undefined,
        }
        const options = { store, clock, holder: 'test', onError: () => undefined, batchSize: 1 }
        const follower = follow(consumer, options)
        const lag = async () =>
          (await consumerLags(store, clock)).find(({ consumer: name }) => name === 'slow')
        await until('it handled one event', () => taken > 0)
        for (const id of ['1', '2', '3']) await store.write((tx) => emit(tx, happened, { id }))
        opened.plaza.clock.advance(5_000)
        const waiting = await until('it waits', async () => {
          const now = await lag()
          return now && now.events >= 3 && now.seconds >= 5 ? now : undefined
        })
        assert.equal(waiting.consumer, 'slow')
        gate.resolve()
        await until('it has handled all', async () => (await lag())?.events === 0)
        assert.equal((await lag())?.seconds, 0)
        await follower.stop()
      } finally {
        await opened.close()
      }
    })
  })
