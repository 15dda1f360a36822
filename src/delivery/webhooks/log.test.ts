import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import { Client, demoKeys } from '../../../test/support/client.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { type Stage, stages } from '../../../test/support/stages.ts'
import { query } from '../../app/tables.ts'
import { monotonicTime } from '../../platform/common/clock.ts'
import type { LoggedAttempt } from './attempt.ts'
import { enqueueDeliveries } from './enqueue.ts'
import { recordOutcomes } from './queries.ts'
import { startReplay, webhookReplay } from './replay.ts'

const stored = query<Record<never, never>, { seq: number; log: string }>('testLogsOfDeliveries', (db) =>
  db.selectFrom('deliveries').select(['seq', 'log']).where('notice', '=', 0).orderBy('seq'),
)

/** A webhook with one delivery that has not been attempted. */
async function begin(t: TestContext, stage: Stage) {
  const opened = await stage.open()
  const { plaza } = opened
  const client = new Client(plaza)
  const keys = demoKeys(plaza)
  const receiver = await startReceiver(keys.consumerSecret)
  t.after(() => Promise.all([opened.close(), client.close(), receiver.close()]))
  const added = await client.signed('POST', '/2/webhooks', keys, { json: { url: receiver.url } })
  const webhookId = (added.json as { data: { id: string } }).data.id
  const { store } = plaza.context
  await store.write((tx) => enqueueDeliveries(tx, [{ webhookId, eventId: 'one', body: '{}' }]))
  const [delivery] = await store.all(stored, {})
  const { seq } = delivery ?? assert.fail('there is no delivery')
  /** Records an attempt that failed. */
  const fail = (attempts: number, more: Partial<LoggedAttempt> = {}) => {
    const attempt = JSON.stringify({ at: attempts, ms: 1, status: 500, ...more })
    const outcome = { seq, attempts, state: 'pending', due_at: 0, ended_at: null, attempt }
    return store.write((tx) => recordOutcomes(tx, [outcome]))
  }
  const log = async () => {
    const [row] = await store.all(stored, {})
    return JSON.parse(row?.log ?? '') as LoggedAttempt[]
  }
  return { plaza, receiver, webhookId, fail, log }
}

for (const stage of stages) {
  describe(`the log of a delivery on ${stage.name}`, { skip: stage.skip }, () => {
    test('an attempt that a replay makes while a retry is recorded is logged beside it', async (t) => {
      const { plaza, receiver, webhookId, fail, log } = await begin(t, stage)
      const { context, clock } = plaza
      await fail(1)
      const window = { webhookId, app: 'an app', from: clock.now(), to: clock.now() + 1_000 }
      const replay = await context.store.write((tx) => startReplay(tx, window, context.ids))
      receiver.answerWith((_, response) => void fail(2).then(() => response.end()))
      const kind = webhookReplay({
        ...{ ...context, monotonic: monotonicTime, log: pino({ enabled: false }) },
      })
      const run = { attempt: 1, signal: new AbortController().signal }
      const finish = await kind.run({ replay: replay.id, app: 'an app' }, run)
      assert.ok(typeof finish === 'function')
      await context.store.write(finish)
      assert.deepEqual(
        (await log()).map(({ status, replay: by }) => [status, by]),
        [
          [500, undefined],
          [500, undefined],
          [200, replay.id],
        ],
      )
    })

    test('a log that is too long keeps its last 20 attempts and the new one', async (t) => {
      const { fail, log } = await begin(t, stage)
      // Each attempt may log the first 1,024 bytes of a response; this one has characters that JSON
      // escapes.
      const answer = '\u0000"\\é💥'.repeat(100)
      let attempts = 0
      let length = 0
      do {
        await fail(++attempts, { answer })
        const before = length
        length = (await log()).length
        if (length < before) break
        assert.equal(length, attempts)
      } while (attempts < 200)
      const last = (await log()).map(({ at }) => at)
      assert.deepEqual(
        last,
        Array.from({ length: 21 }, (_, n) => attempts - 20 + n),
      )
      assert.deepEqual((await log()).at(-1), { at: attempts, ms: 1, status: 500, answer })
    })
  })
}
