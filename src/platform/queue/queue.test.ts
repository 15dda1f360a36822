import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import pino from 'pino'
import { type Opened, stages } from '../../../test/support/stages.ts'
import { settled, until } from '../../../test/support/until.ts'
import type { ManualClock } from '../common/clock.ts'
import type { RandomSource } from '../common/random.ts'
import { addSetting, settingByName } from '../storage/settings.ts'
import { type Store, StoreUnavailable } from '../storage/store.ts'
import { enqueue, UnknownTaskKind } from './enqueue.ts'
import { LeaseLost, Leases } from './leases.ts'
import { addTasks, countTasks, pageOfDeadLetters } from './queries.ts'
import { clearTasks, eventsOf, heldRuns } from './queue.fixture.ts'
import { again, DONE, dead, exponential, later, retry, schedule, type TaskKind, taskType } from './task.ts'
import { startWorker, type Worker } from './worker.ts'

interface Named {
  name: string
}
const plain = taskType<Named>('test: plain', { owner: null })
const single = taskType<Named>('test: single', { owner: null, subject: ({ name }) => name })
const keyed = taskType<Named & { key: string }>('test: keyed', {
  owner: null,
  concurrencyKey: ({ key }) => key,
})
const owned = taskType<Named & { owner: string }>('test: owned', {
  owner: ({ owner }) => owner,
  concurrencyKey: ({ name }) => name,
})
const endless = taskType<Named>('test: endless kind', { owner: ({ name }) => name })
const regular = taskType<Record<never, never>>('test: regular')

const LEASE_MS = 10_000
const usual = { leaseMs: LEASE_MS, maxAttempts: 3, backoff: exponential(1_000, 60_000), concurrency: 4 }

/** Always returns the same bytes. */
const constant = (byte: number): RandomSource => ({ bytes: (length) => Buffer.alloc(length, byte) })

for (const stage of stages) {
  describe(`the task queue: ${stage.name}`, { skip: stage.skip }, () => {
    let opened: Opened
    let store: Store
    let clock: ManualClock
    let other: Store
    const workers: Worker[] = []
    before(async () => {
      opened = await stage.open({ seed: 'none' })
      store = opened.plaza.context.store
      clock = opened.plaza.clock
      other = stage.shared ? (await opened.second()).context.store : store
    })
    const stopAll = () => Promise.all(workers.splice(0).map((worker) => worker.stop(1_000)))
    after(async () => {
      await stopAll()
      await opened.close()
    })
    beforeEach(async () => {
      await stopAll()
      await store.write((tx) => tx.run(clearTasks, {}))
    })

    async function start(
      kinds: readonly TaskKind<never>[],
      { on = store, background = false, random = constant(0), log = pino({ enabled: false }) } = {},
    ): Promise<Worker> {
      const parts = { store: on, clock, random, log, holder: on === store ? 'node 0' : 'node 1' }
      const worker = await startWorker(kinds, parts, { background })
      workers.push(worker)
      return worker
    }
    const add = (...tasks: Parameters<typeof enqueue>[1][]) => store.write((tx) => enqueue(tx, ...tasks))
    const counts = async () =>
      (await store.all(countTasks, { now: clock.now() })).map(({ kind, state, count }) => [
        kind,
        state,
        Number(count),
      ])
    const deadLetters = async () =>
      (await store.all(pageOfDeadLetters, { after: 0, limit: 100 })).map(({ kind, reason, attempts }) => ({
        kind,
        reason,
        attempts,
      }))

    /** A kind that records what it runs. */
    function noting(done: string[]): TaskKind<Named> {
      return {
        ...usual,
        type: plain,
        async run({ name }) {
          done.push(name)
          return DONE
        },
      }
    }

    test('a task runs once when its transaction is committed, and never when it is not', async () => {
      const done: string[] = []
      const worker = await start([noting(done)])
      await add(plain.task({ name: 'kept' }))
      await assert.rejects(
        store.write(async (tx) => {
          await enqueue(tx, plain.task({ name: 'undone' }))
          throw new Error('changed my mind')
        }),
        /changed my mind/,
      )
      assert.equal(await worker.runDue(), 1)
      assert.equal(await worker.runDue(), 0)
      assert.deepEqual(done, ['kept'])
      assert.deepEqual(await counts(), [])
    })

    test('a task is run as soon as its transaction is committed, without any time passing', async () => {
      const done: string[] = []
      await start([noting(done)], { background: true })
      await add(plain.task({ name: 'at once' }))
      await until('the task', () => done.length === 1)
    })

    test('a task that is due later runs when its time comes, and not before', async () => {
      const done: string[] = []
      await start([noting(done)], { background: true })
      await add(plain.task({ name: 'later' }, clock.now() + 5_000))
      await until('a wait for its time', () => clock.awaited.includes(clock.now() + 5_000))
      clock.advance(4_999)
      await settled()
      assert.deepEqual(done, [])
      clock.advance(1)
      await until('the task', () => done.length === 1)
    })

    test('a look for tasks that fails is repeated, although the clock stands still', async () => {
      const done: string[] = []
      const { log, events } = eventsOf()
      let failures = 0
      const failing: Store = {
        ...store,
        async first(query, args) {
          if (failures++ < 1) throw new StoreUnavailable('not now')
          return store.first(query, args)
        },
      }
      await add(plain.task({ name: 'late' }))
      await start([noting(done)], { on: failing, background: true, log })
      await until('the task', () => done.length === 1)
      assert.deepEqual(
        events.map(({ msg }) => msg),
        ['due tasks could not be read'],
      )
    })

    test('an outcome that cannot be recorded is recorded later, and the task does not run again', async () => {
      let runs = 0
      let broken = false
      const failing: Store = {
        ...store,
        async write(work) {
          if (!broken) return store.write(work)
          broken = false
          throw new StoreUnavailable('not now')
        },
      }
      const kind: TaskKind<Named> = {
        ...{ ...usual, type: plain },
        async run() {
          runs++
          broken = true
          return DONE
        },
      }
      await add(plain.task({ name: 'once' }))
      await start([kind], { on: failing, background: true })
      await until('the record', async () => (await counts()).length === 0)
      assert.deepEqual([runs, broken], [1, false])
    })

    test('a wake-up that is lost costs 10 seconds at most', async () => {
      const done: string[] = []
      await start([noting(done)], { background: true })
      await settled()
      const tasks = JSON.stringify([
        {
          kind: 'test: plain',
          subject: null,
          owner: '',
          concurrency_key: null,
          payload: '{"name":"quiet"}',
          due_at: 0,
        },
      ])
      await store.write((tx) => tx.run(addTasks, { tasks, now: clock.now() }))
      await until('the task', () => {
        if (done.length === 0) clock.advance(10_000)
        return done.length === 1
      })
    })

    test('a kind that no one declared is rejected, and nothing is written', async () => {
      const wrong = {
        kind: 'test: unheard of',
        payload: '{}',
        subject: null,
        owner: '',
        concurrencyKey: null,
      }
      await assert.rejects(
        store.write(async (tx) => {
          await enqueue(tx, plain.task({ name: 'beside it' }))
          await enqueue(tx, wrong)
        }),
        UnknownTaskKind,
      )
      assert.deepEqual(await counts(), [])
    })

    test('a task of a kind that this version does not know stays, and is reported', async () => {
      const tasks = JSON.stringify([
        { kind: 'of tomorrow', subject: null, owner: '', concurrency_key: null, payload: '{}', due_at: 0 },
      ])
      await store.write((tx) => tx.run(addTasks, { tasks, now: clock.now() }))
      const { log, events } = eventsOf()
      const worker = await start([noting([])], { log })
      assert.equal(await worker.runDue(), 0)
      assert.deepEqual(await counts(), [['of tomorrow', 'waiting', 1]])
      assert.deepEqual(
        events.map(({ kinds, msg }) => ({ kinds, msg })),
        [{ kinds: ['of tomorrow'], msg: 'the queue has tasks of unknown kinds, which are not run' }],
      )
    })

    test('a task that fails is tried again after the backoff, at half of it at the earliest', async () => {
      const at: number[] = []
      const failing: TaskKind<Named> = {
        ...usual,
        maxAttempts: 4,
        type: plain,
        async run() {
          at.push(clock.now() - started)
          throw new Error('bad day')
        },
      }
      const started = clock.now()
      const worker = await start([failing])
      await add(plain.task({ name: 'x' }))
      await worker.runDue()
      for (const ms of [499, 1, 999, 1, 1_999, 1]) {
        clock.advance(ms)
        await worker.runDue()
      }
      assert.deepEqual(at, [0, 500, 1_500, 3_500])
      assert.deepEqual(await deadLetters(), [{ kind: 'test: plain', reason: 'bad day', attempts: 4 }])
    })

    test('tasks that failed together are not retried together', async () => {
      const times: number[] = []
      const failing: TaskKind<Named> = { ...usual, type: plain, run: async () => retry('not yet') }
      let byte = 0
      const random: RandomSource = {
        bytes(length) {
          byte += 50
          return Buffer.alloc(length, byte)
        },
      }
      const worker = await start([failing], { random })
      await add(plain.task({ name: 'a' }), plain.task({ name: 'b' }))
      await worker.runDue()
      const from = clock.now()
      for (let ms = 0; ms < 1_000; ms += 50) {
        clock.advance(50)
        for (let ran = await worker.runDue(); ran > 0; ran--) times.push(clock.now() - from)
      }
      assert.deepEqual(times, [600, 700])
    })

    test('a dead letter has its reason, and what its kind does about it is done with it', async () => {
      const hopeless: TaskKind<Named> = {
        ...usual,
        type: plain,
        run: async () => dead('there is no such thing'),
        onDeadLetter: async ({ name }, tx) =>
          void (await tx.run(addSetting, { name: `dead ${name}`, value: '1' })),
      }
      const { log, events } = eventsOf()
      const worker = await start([hopeless], { log })
      const name = `letter ${stage.name}`
      await add(plain.task({ name }))
      await worker.runDue()
      assert.deepEqual(await deadLetters(), [
        { kind: 'test: plain', reason: 'there is no such thing', attempts: 1 },
      ])
      assert.equal((await store.first(settingByName, { name: `dead ${name}` }))?.value, '1')
      assert.deepEqual(
        events.map(({ msg, reason }) => [msg, reason]),
        [['a task became a dead letter', 'there is no such thing']],
      )
      clock.advance(86_400_000)
      assert.equal(await worker.runDue(), 0)
    })

    test('the last step of a run is committed with its outcome, or not at all', async () => {
      const name = (of: string) => `finish ${stage.name} ${of}`
      const kind: TaskKind<Named> = {
        ...usual,
        type: plain,
        async run(payload, { attempt }) {
          return async (tx) => {
            await tx.run(addSetting, { name: name(`${payload.name} ${attempt}`), value: '1' })
            if (attempt === 1) throw new Error('fell over')
            return DONE
          }
        },
      }
      const worker = await start([kind])
      await add(plain.task({ name: 'x' }))
      await worker.runDue()
      assert.equal(await store.first(settingByName, { name: name('x 1') }), undefined)
      assert.deepEqual(await counts(), [['test: plain', 'waiting', 1]])
      clock.advance(60_000)
      await worker.runDue()
      assert.equal((await store.first(settingByName, { name: name('x 2') }))?.value, '1')
      assert.deepEqual(await counts(), [])
    })

    test('of one subject one task waits, which runs at the earliest time that was asked for', async () => {
      const done: string[] = []
      const worker = await start([{ ...noting(done), type: single }])
      const now = clock.now()
      await add(single.task({ name: 'a' }, now + 500), single.task({ name: 'a' }, now + 100))
      await add(single.task({ name: 'a' }, now + 900), single.task({ name: 'b' }, now + 100))
      clock.advance(100)
      assert.equal(await worker.runDue(), 2)
      clock.advance(1_000)
      assert.equal(await worker.runDue(), 0)
      assert.deepEqual(done.sort(), ['a', 'b'])
    })

    test('a subject that is enqueued while its task runs is run once more', async () => {
      let runs = 0
      const kind: TaskKind<Named> = {
        ...usual,
        type: single,
        async run() {
          if (++runs === 1) await add(single.task({ name: 'a' }), single.task({ name: 'a' }))
          return DONE
        },
      }
      const worker = await start([kind])
      await add(single.task({ name: 'a' }))
      assert.equal(await worker.runDue(), 2)
      assert.deepEqual(await counts(), [])
    })

    test('a subject that is enqueued while its task fails is run again at once, with all of its attempts', async () => {
      const attempts: number[] = []
      const kind: TaskKind<Named> = {
        ...usual,
        type: single,
        async run(_, { attempt }) {
          attempts.push(attempt)
          if (attempts.length === 2) await add(single.task({ name: 'a' }))
          throw new Error('bad day')
        },
      }
      const worker = await start([kind])
      await add(single.task({ name: 'a' }))
      assert.equal(await worker.runDue(), 1)
      clock.advance(1_000)
      assert.equal(await worker.runDue(), 2)
      assert.deepEqual(attempts, [1, 2, 1])
    })

    test('a subject that is enqueued while its task finds that it cannot begin is run again at once', async () => {
      let runs = 0
      const kind: TaskKind<Named> = {
        ...usual,
        type: single,
        async run() {
          if (++runs > 1) return DONE
          await add(single.task({ name: 'a' }))
          return later(clock.now() + 60_000)
        },
      }
      const worker = await start([kind])
      await add(single.task({ name: 'a' }))
      assert.equal(await worker.runDue(), 2)
      assert.deepEqual(await counts(), [])
    })

    test('a task that continues at once is not leased again, and one that continues later waits for its time', async () => {
      const attempts: number[] = []
      const kind: TaskKind<Named> = {
        ...usual,
        type: plain,
        async run(_, { attempt }) {
          attempts.push(attempt)
          if (attempts.length < 5) return again(clock.now())
          return attempts.length === 5 ? again(clock.now() + 1_000) : DONE
        },
      }
      const worker = await start([kind])
      await add(plain.task({ name: 'x' }))
      assert.equal(await worker.runDue(), 1)
      assert.equal(attempts.length, 5)
      clock.advance(999)
      assert.equal(await worker.runDue(), 0)
      clock.advance(1)
      assert.equal(await worker.runDue(), 1)
      // However often it continued: a successful run does not count as an attempt.
      assert.deepEqual(attempts, [1, 1, 1, 1, 1, 1])
    })

    test('a task that continues at once lets the task of another owner go first', async () => {
      const runs: string[] = []
      const kind: TaskKind<Named> = {
        ...{ ...usual, type: endless, concurrency: 1 },
        async run({ name }) {
          runs.push(name)
          // It continues until the other one has run, and not for ever if that never happens.
          return runs.includes('b') || runs.length === 20 ? DONE : again(clock.now())
        },
      }
      const worker = await start([kind])
      await add(endless.task({ name: 'a' }))
      await add(endless.task({ name: 'b' }))
      await worker.runDue()
      assert.deepEqual(runs, ['a', 'b', 'a'])
    })

    test('each owner has a task in turn, whoever has many, however late the others come', async () => {
      const runs: string[] = []
      const kind: TaskKind<Named & { owner: string }> = {
        ...{ ...usual, type: owned, concurrency: 1 },
        async run({ name }) {
          runs.push(name)
          if (name === 'a 2') await add(owned.task({ owner: 'c', name: 'c 0' }))
          return DONE
        },
      }
      const worker = await start([kind])
      // More than are given their turns in one transaction.
      const many = Array.from({ length: 1_200 }, (_, n) => owned.task({ owner: 'a', name: `a ${n}` }))
      await add(...many)
      await add(...[0, 1, 2].map((n) => owned.task({ owner: 'b', name: `b ${n}` }, clock.now() - 1)))
      const ran = worker.runDue()
      await until('the first runs', () => runs.length >= 12)
      await worker.stop(60_000)
      await ran
      assert.deepEqual(runs.slice(0, 9), ['b 0', 'a 0', 'b 1', 'a 1', 'b 2', 'a 2', 'a 3', 'c 0', 'a 4'])
    })

    test('two workers run each of many tasks once', async () => {
      const done: string[] = []
      const [one, two] = [await start([noting(done)]), await start([noting(done)], { on: other })]
      const names = Array.from({ length: 100 }, (_, n) => `task ${n}`)
      await add(...names.map((name) => plain.task({ name })))
      const ran = await Promise.all([one.runDue(), two.runDue()])
      assert.equal(ran[0] + ran[1], 100)
      assert.deepEqual(done.sort(), [...names].sort())
    })

    test('a worker runs so many tasks of a kind at a time, and no more', async () => {
      const held = heldRuns<Named>()
      const worker = await start([{ ...usual, type: plain, concurrency: 3, run: held.run }])
      await add(...Array.from({ length: 7 }, (_, n) => plain.task({ name: `${n}` })))
      const running = worker.runDue()
      await until('three to run', () => held.running.length === 3)
      await settled()
      assert.equal(held.running.length, 3)
      held.releaseAll()
      await running
      assert.deepEqual([held.most, held.ended], [3, 7])
    })

    test('a node runs 64 tasks at a time; a kind that waited for capacity goes on when others end', async () => {
      const [first, second] = [heldRuns<Named>(), heldRuns<Named>()]
      const kinds = [
        { ...usual, type: plain, concurrency: 60, run: first.run },
        { ...usual, type: single, concurrency: 60, run: second.run },
      ]
      await add(...Array.from({ length: 60 }, (_, n) => plain.task({ name: `${n}` })))
      await start(kinds, { background: true })
      await until('the first kind', () => first.running.length === 60)
      await add(...Array.from({ length: 10 }, (_, n) => single.task({ name: `${n}` })))
      await until('four of the second kind', () => second.running.length === 4)
      await settled()
      assert.equal(second.running.length, 4)
      first.releaseAll()
      await until('the rest of the second kind', () => second.running.length === 10)
      second.releaseAll()
      await until('their end', async () => (await counts()).length === 0)
    })

    test('tasks of one concurrency key run one after the other, on all workers together', async () => {
      const most = new Map<string, number>()
      const running = new Map<string, number>()
      const order: string[] = []
      const kind: TaskKind<Named & { key: string }> = {
        ...usual,
        type: keyed,
        async run({ key, name }) {
          const now = (running.get(key) ?? 0) + 1
          running.set(key, now)
          most.set(key, Math.max(most.get(key) ?? 0, now))
          if (key === 'a') order.push(name)
          await settled()
          running.set(key, now - 1)
          return DONE
        },
      }
      const [one, two] = [await start([kind]), await start([kind], { on: other })]
      for (const key of ['a', 'b', 'c'])
        await add(...Array.from({ length: 8 }, (_, n) => keyed.task({ key, name: `${n}` })))
      await until('all of them', async () => {
        await Promise.all([one.runDue(), two.runDue()])
        return (await counts()).length === 0
      })
      assert.deepEqual([...most].sort(), [
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ])
      assert.deepEqual(order, ['0', '1', '2', '3', '4', '5', '6', '7'])
    })

    test('a task whose concurrency key is taken does not keep others from running', async () => {
      const held = heldRuns<Named & { key: string }>()
      const worker = await start([{ ...usual, type: keyed, run: held.run }])
      await add(
        keyed.task({ key: 'a', name: 'first' }),
        keyed.task({ key: 'a', name: 'second' }),
        keyed.task({ key: 'b', name: 'third' }),
      )
      const running = worker.runDue()
      await until('two to run', () => held.running.length === 2)
      await settled()
      assert.deepEqual(held.running.map(({ name }) => name).sort(), ['first', 'third'])
      held.releaseAll()
      await running
      assert.equal(held.ended, 3)
    })

    test('a worker whose lease ran out cannot record its outcome, and is told', async () => {
      const name = (of: string) => `fence ${stage.name} ${of}`
      const held = heldRuns<Named>()
      const signals: AbortSignal[] = []
      const kindOf = (who: string): TaskKind<Named> => ({
        ...usual,
        type: plain,
        async run(payload, run) {
          if (who === 'slow') {
            signals.push(run.signal)
            await held.run(payload)
          }
          return async (tx) => {
            await tx.run(addSetting, { name: name(who), value: `${run.attempt}` })
            return DONE
          }
        },
      })
      const { log, events } = eventsOf()
      const slow = await start([kindOf('slow')], { log })
      const quick = await start([kindOf('quick')], { on: other })
      await add(plain.task({ name: 'x' }))
      const running = slow.runDue()
      await until('the slow one', () => held.running.length === 1)
      clock.advance(LEASE_MS - 1)
      assert.equal(await quick.runDue(), 0)
      assert.equal(signals[0]?.aborted, false)
      clock.advance(1)
      assert.equal(await quick.runDue(), 1)
      assert.equal(signals[0]?.reason instanceof LeaseLost, true)
      held.releaseAll()
      await running
      assert.equal((await store.first(settingByName, { name: name('quick') }))?.value, '2')
      assert.equal(await store.first(settingByName, { name: name('slow') }), undefined)
      assert.deepEqual(await counts(), [])
      assert.deepEqual(
        events.map(({ msg }) => msg),
        ['the lease of a task expired before the task ended'],
      )
    })

    test('a worker whose lease ran out does not end the task that another worker runs', async () => {
      const [slow, quick] = [heldRuns<Named>(), heldRuns<Named>()]
      const kindOf = ({ run }: typeof slow): TaskKind<Named> => ({ ...usual, type: plain, run })
      const one = await start([kindOf(slow)])
      const two = await start([kindOf(quick)], { on: other })
      await add(plain.task({ name: 'x' }))
      const first = one.runDue()
      await until('the slow one', () => slow.running.length === 1)
      clock.advance(LEASE_MS)
      const second = two.runDue()
      await until('the quick one', () => quick.running.length === 1)
      slow.releaseAll()
      await first
      assert.deepEqual(await counts(), [['test: plain', 'running', 1]])
      quick.releaseAll()
      await second
      assert.deepEqual(await counts(), [])
    })

    test('a task whose workers die on every attempt becomes a dead letter', async () => {
      const held = heldRuns<Named>()
      const kind = { ...usual, type: plain, run: held.run }
      await add(plain.task({ name: 'poison' }))
      const deaths: Promise<number>[] = []
      for (const attempt of [1, 2, 3]) {
        deaths.push((await start([kind])).runDue())
        await until('the attempt', () => held.running.length === attempt)
        clock.advance(LEASE_MS)
      }
      await (await start([kind])).runDue()
      assert.deepEqual(await deadLetters(), [
        { kind: 'test: plain', reason: 'its worker ended during the last attempt', attempts: 4 },
      ])
      held.releaseAll()
      await Promise.all(deaths)
      assert.equal((await deadLetters()).length, 1)
    })

    test('a regular task runs once in each interval, whatever the number of workers', async () => {
      const at: number[] = []
      const from = clock.now()
      const kind = schedule(
        regular,
        { everyMs: 60_000, leaseMs: LEASE_MS, run: async () => at.push(clock.now() - from) },
        clock,
      )
      const all = [await start([kind]), await start([kind], { on: other })]
      for (const ms of [59_999, 1, 59_999, 1, 600_000]) {
        clock.advance(ms)
        await Promise.all(all.map((worker) => worker.runDue()))
      }
      assert.deepEqual(at, [60_000, 120_000, 720_000])
      // A restart does not begin the interval again.
      clock.advance(59_999)
      const later = await start([kind])
      clock.advance(1)
      assert.equal(await later.runDue(), 1)
    })

    test('a regular task that fails is tried again, and never given up', async () => {
      let runs = 0
      const options = {
        everyMs: 60_000,
        leaseMs: LEASE_MS,
        async run() {
          if (++runs < 10) throw new Error('bad day')
        },
      }
      const worker = await start([schedule(regular, options, clock)])
      for (let n = 0; n < 10; n++) {
        clock.advance(60_000)
        await worker.runDue()
      }
      assert.equal(runs, 10)
      assert.deepEqual(await deadLetters(), [])
    })

    test('a stop aborts what runs and gives it back: another worker runs it at once', async () => {
      const begun: string[] = []
      const patient: TaskKind<Named> = {
        ...usual,
        type: plain,
        async run({ name }, { signal }) {
          begun.push(name)
          await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
          return DONE
        },
      }
      const worker = await start([patient])
      await add(plain.task({ name: 'x' }))
      const running = worker.runDue()
      await until('it to run', () => begun.length === 1)
      await worker.stop(60_000)
      await running
      const done: string[] = []
      const attempts: number[] = []
      const next = await start(
        [
          {
            ...noting(done),
            async run({ name }, { attempt }) {
              done.push(name)
              attempts.push(attempt)
              return DONE
            },
          },
        ],
        { on: other },
      )
      assert.equal(await next.runDue(), 1)
      assert.deepEqual([done, attempts], [['x'], [1]])
    })

    test('a stop waits for a run that continues, up to its timeout', async () => {
      const held = heldRuns<Named>()
      const worker = await start([{ ...usual, type: plain, run: held.run }])
      await add(plain.task({ name: 'deaf' }))
      const running = worker.runDue()
      await until('it to run', () => held.running.length === 1)
      await worker.stop(1)
      assert.deepEqual(await counts(), [['test: plain', 'running', 1]])
      held.releaseAll()
      await running
      assert.deepEqual(await counts(), [])
    })

    test('the task of a subject is leased to be done at once, by one caller', async () => {
      const done: string[] = []
      const kind = { ...noting(done), type: single }
      const worker = await start([kind])
      const [one, two] = [store, other].map(
        (on) => new Leases({ store: on, clock, random: constant(0), holder: 'node 0' }),
      )
      await add(single.task({ name: 'a' }, clock.now() + 60_000))
      assert.equal(await one?.lease(kind, 'b'), undefined)
      const leased = await one?.lease(kind, 'a')
      assert.equal(await two?.lease(kind, 'a'), undefined)
      assert.equal(await worker.runDue(), 0)
      await leased?.end(again(clock.now() + 1_000))
      clock.advance(1_000)
      assert.equal(await worker.runDue(), 1)
      assert.deepEqual(done, ['a'])
    })

    test('a kind that this node runs none of waits for a node that does', async () => {
      const done: string[] = []
      const off = await start([{ ...noting(done), concurrency: 0 }])
      await add(plain.task({ name: 'x' }))
      assert.equal(await off.runDue(), 0)
      const on = await start([noting(done)], { on: other })
      assert.equal(await on.runDue(), 1)
    })
  })
}
