import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { dropSchema, POSTGRES_URL } from '../../../test/support/services.ts'
import { stages } from '../../../test/support/stages.ts'
import { settled, until } from '../../../test/support/until.ts'
import { moveCredentialEpoch } from '../../identity/apps/queries.ts'
import { ManualClock, systemClock } from '../common/clock.ts'
import { randomText, systemRandom } from '../common/random.ts'
import { openStore, type StoreLocation } from '../storage/open.ts'
import { openSqlite } from '../storage/sqlite.ts'
import { type Store, StoreUnavailable, type Transaction } from '../storage/store.ts'
import { eventKind, isOfKind, type LoggedEvent } from './event.ts'
import type { FollowingProcess } from './follower.fixture.ts'
import { type Consumer, type FollowOptions, follow, IGNORED, SkippedEvent, SkippedStep } from './follower.ts'
import { consumerLags } from './lag.ts'
import { emit, readEvents, trimEvents } from './log.ts'

const HOUR_MS = 3_600_000
const LEASE_MS = 30_000
const counted = eventKind<{ id: string; number: number }>('test.counted', ({ id }) => id)
const other = eventKind<{ id: string }>('test.other', ({ id }) => id)

const folder = await mkdtemp(join(tmpdir(), 'plaza-events-'))
after(() => rm(folder, { recursive: true, force: true }))
const mark = () => randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
const skipPostgres = stages.find(({ name }) => name.startsWith('PostgreSQL'))?.skip ?? false

interface Kind {
  name: string
  skip: string | false
  location(): StoreLocation
}

const MEMORY: Kind = { name: 'SQLite in memory', skip: false, location: () => ({ kind: 'memory' }) }
const FILE: Kind = {
  name: 'SQLite file',
  skip: false,
  location: () => ({ kind: 'file', path: join(folder, `${mark()}.db`) }),
}
const POSTGRES: Kind = {
  name: 'PostgreSQL',
  skip: skipPostgres,
  location: () => ({ kind: 'postgres', url: POSTGRES_URL, schema: `plaza_test_${mark()}` }),
}

/** Opens a store for the tests of a `describe`; `again` opens another one on the same data. */
function storeOf(kind: Kind) {
  const clock = new ManualClock(HOUR_MS * 1000)
  const location = kind.location()
  const stores: Store[] = []
  const again = async () => {
    const store = await openStore(location, { clock, onError: () => undefined })
    stores.push(store)
    return store
  }
  before(again)
  after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    if (location.kind === 'postgres') await dropSchema(location.schema)
  })
  return { clock, location, again, get: () => stores[0] as Store }
}

const emitNumbers = (store: Store, id: string, numbers: readonly number[]) =>
  store.write(async (tx) => {
    for (const number of numbers) await emit(tx, counted, { id, number })
  })

/** Follows with a consumer that records the events that it receives. */
function noting(name: string, options: Omit<FollowOptions, 'onError' | 'holder'> & Partial<FollowOptions>) {
  const seen: LoggedEvent[] = []
  const gaps: { after: number; to: number }[] = []
  const consumer: Consumer = {
    name,
    take: async (events) => void seen.push(...events),
    missed: (gap) => void gaps.push(gap),
  }
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const follower = follow(consumer, { holder: 'node 0', leaseMs: LEASE_MS, onError, ...options })
  const numbersOf = (id: string) =>
    seen.filter(({ subject }) => subject === id).map(({ data }) => data.number)
  return { seen, gaps, errors, follower, numbersOf, stop: () => follower.stop() }
}

for (const kind of [MEMORY, FILE, POSTGRES]) {
  describe(`the event log: ${kind.name}`, { skip: kind.skip }, () => {
    const at = storeOf(kind)
    let id = ''
    beforeEach(() => {
      id = mark()
    })

    test('consumers that read together see each commit at once', async () => {
      const store = at.get()
      const after = (await readEvents(store, { after: 0, limit: 1_000 })).at(-1)?.position ?? 0
      for (const number of [1, 2, 3]) {
        await emitNumbers(store, id, [number])
        const read = await Promise.all([10, 10, 1].map((limit) => readEvents(store, { after, limit })))
        assert.deepEqual(
          read.map((events) => events.length),
          [number, number, 1],
        )
      }
    })

    test('keeps what was emitted, in its order, with the time of the transaction', async () => {
      const store = at.get()
      const [last] = (await readEvents(store, { after: 0, limit: 1_000 })).slice(-1)
      const after = last?.position ?? 0
      await emitNumbers(store, id, [1, 2])
      await store.write((tx) => emit(tx, other, { id }))
      const events = await readEvents(store, { after, limit: 10 })
      assert.deepEqual(
        events.map(({ kind, subject, at: time, data }) => ({ kind, subject, time, data })),
        [
          { kind: 'test.counted', subject: id, time: at.clock.now(), data: { id, number: 1 } },
          { kind: 'test.counted', subject: id, time: at.clock.now(), data: { id, number: 2 } },
          { kind: 'test.other', subject: id, time: at.clock.now(), data: { id } },
        ],
      )
      assert.deepEqual(
        events.map((event) => isOfKind(event, counted)),
        [true, true, false],
      )
      const positions = events.map(({ position }) => position)
      assert.deepEqual(
        [...positions].sort((one, two) => one - two),
        positions,
      )
    })

    test('a transaction that is rolled back emits nothing', async () => {
      const store = at.get()
      const follower = noting(id, { store, clock: at.clock })
      const failing = store.write(async (tx) => {
        await emit(tx, counted, { id, number: 1 })
        throw new Error('changed my mind')
      })
      await assert.rejects(failing, /changed my mind/)
      await emitNumbers(store, id, [2])
      await until('the event', () => follower.numbersOf(id).length > 0)
      assert.deepEqual(follower.numbersOf(id), [2])
      await follower.stop()
    })

    test('a consumer goes on where it was, in whatever process', async () => {
      const store = at.get()
      await emitNumbers(store, id, [1, 2, 3])
      const first = noting(id, { store, clock: at.clock, batchSize: 2 })
      await until('the events', () => first.numbersOf(id).length === 3)
      await first.stop()
      await emitNumbers(store, id, [4])
      const second = noting(id, { store, clock: at.clock, holder: 'node 1' })
      await until('the event', () => second.numbersOf(id).length > 0)
      assert.deepEqual([first.numbersOf(id), second.numbersOf(id)], [[1, 2, 3], [4]])
      await second.stop()
    })

    test('the writes of a batch are committed with the position, or not at all', async () => {
      const store = at.get()
      const errors: unknown[] = []
      const copyOf = (number: unknown) => ({ id: `copy of ${id}`, number: Number(number) })
      let failures = 1
      const consumer: Consumer = {
        name: id,
        async take(events) {
          const own = events.filter(({ subject }) => subject === id)
          return async (tx) => {
            for (const { data } of own) await emit(tx, counted, copyOf(data.number))
            if (own.length > 0 && failures-- > 0) throw new Error('not now')
          }
        },
        missed: () => undefined,
      }
      const onError = (error: unknown) => errors.push(error)
      const follower = follow(consumer, { store, clock: at.clock, holder: 'node 0', onError, batchSize: 2 })
      const copies = noting(`${id} copies`, { store, clock: at.clock })
      await emitNumbers(store, id, [1, 2, 3])
      await until('the copies', () => {
        at.clock.advance(1_000)
        return copies.numbersOf(`copy of ${id}`).length >= 3
      })
      await follower.stop()
      await settled()
      assert.deepEqual(copies.numbersOf(`copy of ${id}`), [1, 2, 3])
      assert.equal(errors.length, 1)
      await copies.stop()
    })

    test('other work has its turn between two batches', async () => {
      const store = at.get()
      await emitNumbers(store, id, [1, 2, 3, 4, 5, 6])
      const turns: number[] = []
      let turn = 0
      const count = () => {
        turn++
        next = setImmediate(count)
      }
      let next = setImmediate(count)
      const done = Promise.withResolvers<void>()
      const consumer: Consumer = {
        name: id,
        async take(events) {
          turns.push(turn)
          if (events.some(({ subject, data }) => subject === id && data.number === 6)) done.resolve()
        },
        missed: () => undefined,
      }
      const options = { store, clock: at.clock, holder: 'node 0', onError: done.reject, batchSize: 1 }
      const follower = follow(consumer, options)
      await done.promise
      await follower.stop()
      clearImmediate(next)
      assert.equal(new Set(turns).size, turns.length)
    })

    test('a batch that cannot be handled is handled again later, and none behind it before', async () => {
      const store = at.get()
      const seen: unknown[] = []
      const errors: unknown[] = []
      let broken = true
      const consumer: Consumer = {
        name: id,
        async take(events) {
          for (const { subject, data } of events) {
            if (subject !== id) continue
            if (broken && data.number === 2) throw new Error('not now')
            seen.push(data.number)
          }
        },
        missed: () => undefined,
      }
      const onError = (error: unknown, name: string) => errors.push([name, (error as Error).message])
      const options = { store, clock: at.clock, holder: 'node 0', onError, batchSize: 1 }
      const follower = follow(consumer, options)
      await emitNumbers(store, id, [1, 2, 3])
      await until('the failure', () => errors.length > 0)
      await emitNumbers(store, id, [4])
      await settled()
      assert.deepEqual([seen, errors[0]], [[1], [id, 'not now']])
      broken = false
      // The clock stands still: the retry does not depend on it.
      await until('the rest', () => seen.length === 4)
      assert.deepEqual(seen, [1, 2, 3, 4])
      await follower.stop()
    })

    for (const [where, cause, attempts] of [
      ['handled', new TypeError('broken'), 2],
      ['written', new TypeError('broken'), 2],
      ['handled', Object.assign(new Error('invalid text'), { code: '22P02' }), 2],
      ['handled', new Error('broken'), 7],
    ] as const)
      test(`an event that can never be ${where} is skipped after ${attempts} attempts (${cause}), and no other one is`, async () => {
        const store = at.get()
        const copyOf = (number: unknown) => ({ id: `copy of ${id}`, number: Number(number) })
        const errors: unknown[] = []
        const fail = (phase: string, events: readonly LoggedEvent[]) => {
          if (where === phase && events.some(({ data }) => data.number === 3)) throw cause
        }
        const consumer: Consumer = {
          name: id,
          async take(events) {
            const own = events.filter(({ subject }) => subject === id)
            fail('handled', own)
            return async (tx) => {
              for (const { data } of own) await emit(tx, counted, copyOf(data.number))
              fail('written', own)
            }
          },
          missed: () => undefined,
        }
        await emitNumbers(store, id, [1, 2, 3, 4, 5])
        const onError = (error: unknown) => errors.push(error)
        const pauses = { firstMs: 1, longestMs: 1 }
        const follower = follow(consumer, { store, clock: at.clock, holder: 'node 0', onError, pauses })
        const copies = noting(`${id} copies`, { store, clock: at.clock })
        await until('the copies', () => copies.numbersOf(`copy of ${id}`).length >= 4)
        await emitNumbers(store, id, [6])
        await until('the next', () => copies.numbersOf(`copy of ${id}`).length >= 5)
        await follower.stop()
        assert.deepEqual(copies.numbersOf(`copy of ${id}`), [1, 2, 4, 5, 6])
        await copies.stop()
        const skipped = errors.at(-1)
        assert.ok(skipped instanceof SkippedEvent)
        assert.deepEqual([skipped.event.data, skipped.cause], [{ id, number: 3 }, cause])
        // Once in its batch, then alone.
        assert.equal(errors.length, attempts)
      })

    test('no event is skipped because the store or the disk fails, however long', async () => {
      const store = at.get()
      const full = Object.assign(new Error('database or disk is full'), {
        code: 'ERR_SQLITE_ERROR',
        errcode: 13,
      })
      const gone = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      const errors: unknown[] = [new StoreUnavailable('away'), full, gone].flatMap((one) =>
        Array(10).fill(one),
      )
      const left = [...errors]
      const seen: unknown[] = []
      const consumer: Consumer = {
        name: id,
        async take(events) {
          const own = events.filter(({ subject }) => subject === id)
          const error = own.length > 0 ? left.shift() : undefined
          if (error) throw error
          seen.push(...own.map(({ data }) => data.number))
        },
        missed: () => undefined,
      }
      const reported: unknown[] = []
      await emitNumbers(store, id, [1])
      const follower = follow(consumer, {
        ...{ store, clock: at.clock, holder: 'node 0', batchSize: 1 },
        onError: (error) => reported.push(error),
        pauses: { firstMs: 1, longestMs: 1 },
      })
      await until('the event', () => seen.length > 0)
      await follower.stop()
      assert.deepEqual([seen, reported], [[1], errors])
    })

    for (const step of ['prepare', 'missed'] as const)
      test(`a consumer whose ${step} can never be done gets its events in the end, and the log says so`, async () => {
        const store = at.get()
        await emitNumbers(store, id, [1])
        const early = noting(id, { store, clock: at.clock, batchSize: 1 })
        await until('the first event', () => early.numbersOf(id).length === 1)
        await early.stop()
        await emitNumbers(store, id, [2])
        at.clock.advance(HOUR_MS)
        if (step === 'missed') await trimEvents(store, at.clock.now())
        await emitNumbers(store, id, [3])
        const errors: unknown[] = []
        const seen: unknown[] = []
        const broken = async () => {
          throw new TypeError('broken')
        }
        const consumer: Consumer = {
          name: id,
          ...(step === 'prepare' && { prepare: broken }),
          take: async (events) => void seen.push(...events.filter(({ subject }) => subject === id)),
          missed: step === 'missed' ? broken : () => undefined,
        }
        const follower = follow(consumer, {
          ...{ store, clock: at.clock, holder: 'node 0', pauses: { firstMs: 1, longestMs: 1 } },
          onError: (error) => errors.push(error),
        })
        await until('the event', () => seen.length > 0 && errors.length > 0)
        await follower.stop()
        const skipped = errors.at(-1)
        assert.ok(skipped instanceof SkippedStep)
        assert.deepEqual([errors.length, String(skipped.cause)], [7, 'TypeError: broken'])
      })

    test('a gap is handled for as long as the store fails', async () => {
      const store = at.get()
      const early = noting(id, { store, clock: at.clock })
      await emitNumbers(store, id, [1])
      await until('the first event', () => early.numbersOf(id).length === 1)
      await early.stop()
      await emitNumbers(store, id, [2])
      at.clock.advance(HOUR_MS)
      await trimEvents(store, at.clock.now())
      await emitNumbers(store, id, [3])
      const errors: unknown[] = []
      const calls: string[] = []
      const follower = follow(
        {
          name: id,
          take: async (events) => void (events.some((one) => one.subject === id) && calls.push('take')),
          async missed() {
            if (errors.length < 20) throw new StoreUnavailable('away')
            calls.push('missed')
          },
        },
        {
          ...{ store, clock: at.clock, holder: 'node 0', pauses: { firstMs: 1, longestMs: 1 } },
          onError: (error) => errors.push(error),
        },
      )
      await until('the event', () => calls.includes('take'))
      await follower.stop()
      assert.deepEqual([calls, errors.length], [['missed', 'take'], 20])
    })

    describe('a consumer that ignores events', () => {
      /** Longer than any test. */
      const never = { storeAfterMs: 3_600_000 }
      /**
       * Follows with a consumer that ignores everything but the number 0, and counts the
       * transactions of its store.
       */
      async function ignoring(options: Partial<FollowOptions>) {
        const store = at.get()
        let writes = 0
        const counting = new Proxy(store, {
          get(target, name) {
            const member = Reflect.get(target, name, target) as unknown
            if (typeof member !== 'function') return member
            if (name === 'write') writes++
            return member.bind(target)
          },
        })
        const seen: unknown[] = []
        const gaps: unknown[] = []
        const consumer: Consumer = {
          name: id,
          async take(events) {
            const own = events.filter(({ subject }) => subject === id).map(({ data }) => data.number)
            seen.push(...own)
            return own.includes(0) ? undefined : IGNORED
          },
          missed: (gap) => void gaps.push(gap),
        }
        const errors: unknown[] = []
        const onError = (error: unknown) => errors.push(error)
        const follower = follow(consumer, {
          ...{ store: counting, clock: at.clock, holder: 'node 0', onError, ...options },
        })
        const has = (count: number) => until(`${count} events`, () => seen.length >= count)
        /** How far its stored position is behind the log. */
        const behind = async () => {
          const lag = (await consumerLags(store, at.clock)).find(({ consumer: name }) => name === id)
          return lag?.events
        }
        return { store, seen, gaps, errors, follower, has, behind, writes: () => writes }
      }

      test('stores no position for each batch, and one when it stops', async () => {
        const one = await ignoring(never)
        await emitNumbers(one.store, id, [1])
        await one.has(1)
        const before = one.writes()
        for (let number = 2; number <= 100; number++) {
          await emitNumbers(one.store, id, [number])
          await one.has(number)
        }
        // On PostgreSQL, each event gets its position in a transaction, whichever consumer reads it
        // first.
        const stored = one.store.dialect === 'sqlite' ? 0 : 99
        assert.ok(one.writes() - before <= stored, `${one.writes() - before} transactions`)
        assert.ok(((await one.behind()) ?? 0) >= 99)
        await one.follower.stop()
        assert.equal(await one.behind(), 0)
        const again = await ignoring(never)
        await emitNumbers(one.store, id, [101])
        await again.has(1)
        await again.follower.stop()
        assert.deepEqual([again.seen, again.errors], [[101], []])
      })

      test('stores it after 1,000 events, with the next that it handles, and after a time', async () => {
        const one = await ignoring(never)
        // With the events that were in the log before.
        await emitNumbers(one.store, id, [0])
        await until('the position', async () => (await one.behind()) === 0)
        await emitNumbers(one.store, id, Array(999).fill(1))
        await one.has(1_000)
        await settled()
        assert.equal(await one.behind(), 999)
        await emitNumbers(one.store, id, [1])
        await until('the position', async () => (await one.behind()) === 0)
        await emitNumbers(one.store, id, [1])
        await one.has(1_002)
        assert.equal(await one.behind(), 1)
        await emitNumbers(one.store, id, [0])
        await until('the position', async () => (await one.behind()) === 0)
        await one.follower.stop()
        const soon = await ignoring({ storeAfterMs: 1 })
        await emitNumbers(one.store, id, [1])
        await until('the position', async () => soon.seen.length === 1 && (await one.behind()) === 0)
        await soon.follower.stop()
      })

      test('is killed: its successor gets again what it had ignored, and misses nothing', async () => {
        const dead = await ignoring(never)
        await emitNumbers(dead.store, id, [1, 2])
        await dead.has(2)
        // Another process of the same node takes over before the first one has stored anything.
        const next = await ignoring(never)
        await next.has(2)
        await emitNumbers(dead.store, id, [0])
        await next.has(3)
        assert.deepEqual(next.seen, [1, 2, 0])
        await Promise.all([dead.follower.stop(), next.follower.stop()])
      })

      test('does not miss what was trimmed after it was ignored', async () => {
        const one = await ignoring(never)
        await emitNumbers(one.store, id, [1, 2])
        await one.has(2)
        at.clock.advance(HOUR_MS)
        await trimEvents(one.store, at.clock.now())
        await emitNumbers(one.store, id, [3])
        await one.has(3)
        await emitNumbers(one.store, id, [0])
        await until('the position', async () => (await one.behind()) === 0)
        await one.follower.stop()
        assert.deepEqual([one.seen, one.gaps, one.errors], [[1, 2, 3, 0], [], []])
      })
    })

    test('a consumer is told when another process may have handled events before its next ones', async () => {
      const store = at.get()
      const told: string[] = []
      const consumerOf = (node: string): Consumer => ({
        name: id,
        gained: () => told.push(`${node} gained`),
        async take(events) {
          for (const { subject, data } of events) if (subject === id) told.push(`${node} ${data.number}`)
        },
        missed: () => undefined,
      })
      const followAs = (node: string) =>
        follow(consumerOf(node), {
          store,
          clock: at.clock,
          holder: node,
          onError: (error) => told.push(`${error}`),
        })
      const when = (last: string) => until(last, () => told.at(-1) === last)
      await emitNumbers(store, id, [1])
      const first = followAs('one')
      await when('one 1')
      await emitNumbers(store, id, [2])
      await when('one 2')
      await first.stop()
      const second = followAs('two')
      await emitNumbers(store, id, [3])
      await when('two 3')
      // It takes over while the other one runs, because its lease has expired.
      const third = followAs('one')
      await second.stop()
      await emitNumbers(store, id, [4])
      at.clock.advance(LEASE_MS)
      await when('one 4')
      // No other process took over in between.
      await emitNumbers(store, id, [5])
      await when('one 5')
      await third.stop()
      assert.deepEqual(told, [
        ...['one gained', 'one 1', 'one 2'],
        ...['two gained', 'two 3'],
        ...['one gained', 'one 4', 'one 5'],
      ])
    })

    test('of two nodes one handles, and the other takes over when it dies', async () => {
      const store = at.get()
      const [first, second] = [new ManualClock(at.clock.now()), new ManualClock(at.clock.now())]
      const [taken, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const handled: string[] = []
      const stuck: Consumer = {
        name: id,
        async take(events) {
          if (!events.some(({ subject }) => subject === id)) return
          handled.push('first')
          taken.resolve()
          await finish.promise
        },
        missed: () => undefined,
      }
      const onError = (error: unknown) => taken.reject(error)
      const dying = follow(stuck, { store, clock: first, holder: 'node 0', leaseMs: LEASE_MS, onError })
      await emitNumbers(store, id, [1])
      await taken.promise
      const rescue = noting(id, { store, clock: second, holder: 'node 1' })
      await emitNumbers(store, id, [2])
      second.advance(LEASE_MS - 1)
      await settled()
      assert.deepEqual([handled, rescue.numbersOf(id)], [['first'], []])
      second.advance(1)
      await until('the other', () => rescue.numbersOf(id).length >= 2)
      assert.deepEqual(rescue.numbersOf(id), [1, 2])
      // The first one can no longer change anything.
      finish.resolve()
      await dying.stop()
      await emitNumbers(store, id, [3])
      await until('the next', () => rescue.numbersOf(id).length >= 3)
      assert.deepEqual(rescue.numbersOf(id), [1, 2, 3])
      await rescue.stop()
    })

    test('a node that takes long keeps its lease', async () => {
      const store = at.get()
      const clock = new ManualClock(at.clock.now())
      const [taken, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const slow: Consumer = {
        name: id,
        async take(events) {
          if (!events.some(({ subject }) => subject === id)) return
          taken.resolve()
          await finish.promise
        },
        missed: () => undefined,
      }
      const onError = (error: unknown) => taken.reject(error)
      const working = follow(slow, { store, clock, holder: 'node 0', leaseMs: LEASE_MS, onError })
      await emitNumbers(store, id, [1])
      await taken.promise
      for (let half = 0; half < 4; half++) {
        const waits = clock.waits
        clock.advance(LEASE_MS / 2)
        await until('the lease to be renewed', () => clock.waits >= waits)
      }
      const waiting = noting(id, { store, clock, holder: 'node 1' })
      await settled()
      assert.deepEqual(waiting.numbersOf(id), [])
      finish.resolve()
      await working.stop()
      await waiting.stop()
    })
  })

  describe(`trimming: ${kind.name}`, { skip: kind.skip }, () => {
    const at = storeOf(kind)

    test('removes what is older than the age, handled or not, and tells who missed it, once', async () => {
      const store = at.get()
      const early = noting('early', { store, clock: at.clock })
      const late = noting('late', { store, clock: at.clock })
      await emitNumbers(store, 'a', [1])
      await until('both', () => early.seen.length === 1 && late.seen.length === 1)
      await late.stop()
      await emitNumbers(store, 'a', [2, 3])
      await until('the early one', () => early.seen.length === 3)
      await early.stop()
      at.clock.advance(HOUR_MS)
      await emitNumbers(store, 'a', [4])

      assert.equal(await trimEvents(store, at.clock.now() - HOUR_MS), 0, 'of exactly that age')
      assert.equal(await trimEvents(store, at.clock.now() - HOUR_MS + 1), 3)
      const left = await readEvents(store, { after: 0, limit: 10 })
      assert.deepEqual(
        left.map(({ data }) => data.number),
        [4],
      )

      const [one, three] = [early.seen[0]?.position, early.seen[2]?.position]
      const again = noting('late', { store, clock: at.clock })
      const unharmed = noting('early', { store, clock: at.clock })
      const fresh = noting('fresh', { store, clock: at.clock })
      await until('the rest', () => [again, unharmed, fresh].every(({ seen }) => seen.length === 1))
      assert.deepEqual([again.gaps, unharmed.gaps, fresh.gaps], [[{ after: one, to: three }], [], []])
      assert.deepEqual([again.numbersOf('a'), unharmed.numbersOf('a')], [[4], [4]])
      await Promise.all([again.stop(), unharmed.stop(), fresh.stop()])

      const later = noting('late', { store, clock: at.clock })
      await emitNumbers(store, 'a', [5])
      await until('the next', () => later.seen.length === 1)
      assert.deepEqual(later.gaps, [])
      await later.stop()
    })

    test('a consumer that missed the last events prepares again at once, without a new one', async () => {
      const store = at.get()
      await emitNumbers(store, 'p', [1])
      const calls: string[] = []
      const consumer: Consumer = {
        name: 'prepared',
        prepare: async () => void calls.push('prepare'),
        take: async () => void calls.push('take'),
        missed: () => void calls.push('missed'),
      }
      const options = { store, clock: at.clock, holder: 'node 0', leaseMs: LEASE_MS, onError: assert.ifError }
      const first = follow(consumer, options)
      await until('the event', () => calls.includes('take'))
      await first.stop()
      await emitNumbers(store, 'p', [2])
      at.clock.advance(HOUR_MS)
      await trimEvents(store, at.clock.now())
      assert.deepEqual(await readEvents(store, { after: 0, limit: 100 }), [])
      calls.length = 0
      const second = follow(consumer, options)
      await until('both preparations', () => calls.length === 3)
      assert.deepEqual(calls, ['prepare', 'missed', 'prepare'])
      await second.stop()
    })

    test('gives no position twice, also when nothing is left', async () => {
      const store = at.get()
      await emitNumbers(store, 'b', [1])
      const last = (await readEvents(store, { after: 0, limit: 100 })).at(-1)
      at.clock.advance(HOUR_MS)
      await trimEvents(store, at.clock.now())
      assert.deepEqual(await readEvents(store, { after: 0, limit: 100 }), [])
      await emitNumbers(store, 'b', [2])
      const [next] = await readEvents(store, { after: 0, limit: 100 })
      assert.ok((next?.position ?? 0) > (last?.position ?? Infinity))
    })
  })
}

test('an event that is not on disk yet is not handled', async () => {
  const clock = new ManualClock(0)
  const disk = Promise.withResolvers<void>()
  let held: Promise<void> | undefined
  let flushes = 0
  const store = await openSqlite(join(folder, 'held.db'), {
    clock,
    sync: async (file) => {
      flushes++
      await held
      await file.datasync()
      flushes--
    },
  })
  const follower = noting('disk', { store, clock })
  await emitNumbers(store, 'a', [1])
  await until('the first', async () => {
    await settled()
    return follower.seen.length === 1 && flushes === 0 && clock.waits === 1
  })
  held = disk.promise
  const writing = emitNumbers(store, 'a', [2])
  await until('the commit', async () => (await readEvents(store, { after: 0, limit: 10 })).length === 2)
  // It polls the log, and finds the event.
  clock.advance(10_000)
  await settled()
  assert.deepEqual(follower.numbersOf('a'), [1])
  disk.resolve()
  await writing
  await until('the second', () => follower.seen.length === 2)
  await follower.stop()
  await store.close()
})

test('whatever fails, each event is handled at least once and in the order of its subject', async () => {
  const store = await openStore({ kind: 'memory' }, { clock: systemClock, onError: () => undefined })
  const subjects = ['a', 'b', 'c']
  const step = fc.oneof(
    fc.record({ emit: fc.array(fc.constantFrom(...subjects), { maxLength: 5 }) }),
    fc.record({ failAfter: fc.integer({ min: 0, max: 6 }) }),
  )
  const run = async (steps: readonly ({ emit: string[] } | { failAfter: number })[], batchSize: number) => {
    const name = mark()
    const clock = new ManualClock(0)
    const counts = new Map<string, number>()
    const handled: LoggedEvent[] = []
    let left = Number.POSITIVE_INFINITY
    let failures = 0
    const consumer: Consumer = {
      name,
      async take(events) {
        for (const event of events) {
          if (left-- <= 0) throw new Error('no more')
          if (event.subject.startsWith(name)) handled.push(event)
        }
      },
      missed: () => undefined,
    }
    const options = { store, clock, holder: 'node 0', batchSize, onError: () => failures++ }
    const emitAll = (ids: readonly string[]) =>
      store.write(async (tx) => {
        for (const one of ids) {
          const id = `${name} ${one}`
          const number = (counts.get(id) ?? 0) + 1
          counts.set(id, number)
          await emit(tx, counted, { id, number })
        }
      })
    for (const one of steps) {
      if ('emit' in one) await emitAll(one.emit)
      else {
        left = one.failAfter
        const follower = follow(consumer, options)
        await until('a failure or the end', () => failures > 0 || clock.waits > 0)
        await follower.stop()
        failures = 0
      }
    }
    left = Number.POSITIVE_INFINITY
    const follower = follow(consumer, options)
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    await until('everything', () => new Set(handled.map(({ position }) => position)).size === total)
    await follower.stop()
    for (const [id, count] of counts) {
      const numbers = handled.filter(({ subject }) => subject === id).map(({ data }) => Number(data.number))
      assertInOrder(numbers, count)
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), run), {
    numRuns: 40,
  })
  await store.close()
})

/**
 * Every number from 1, in order. A repetition starts again at some number and includes all that
 * follow it.
 */
function assertInOrder(numbers: readonly number[], count: number): void {
  assert.equal(numbers[0], 1)
  for (const [index, number] of numbers.slice(1).entries())
    assert.ok(number <= (numbers[index] as number) + 1, `${number} came behind ${numbers[index]}`)
  assert.equal(numbers.at(-1), count)
}

describe('the event log: transactions of PostgreSQL', { skip: skipPostgres }, () => {
  const at = storeOf(POSTGRES)

  test('an event of a transaction that ends late is skipped by no consumer', async () => {
    const store = at.get()
    const emitted = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = store.write(async (tx) => {
      await emit(tx, counted, { id: 'held', number: 1 })
      emitted.resolve()
      await release.promise
    })
    await Promise.race([emitted.promise, holding])
    await emitNumbers(store, 'free', [1, 2])
    const [one, two] = [
      noting('one', { store, clock: at.clock }),
      noting('two', { store, clock: at.clock, batchSize: 1 }),
    ]
    await until('what was committed first', () => one.seen.length === 2 && two.seen.length === 2)
    assert.deepEqual([one.numbersOf('held'), two.numbersOf('held')], [[], []])
    release.resolve()
    await holding
    await until('what was committed last', () => one.seen.length === 3 && two.seen.length === 3)
    for (const { numbersOf, stop } of [one, two]) {
      assert.deepEqual([numbersOf('free'), numbersOf('held')], [[1, 2], [1]])
      await stop()
    }
  })

  test('events of one subject arrive in the order of its changes, whichever transaction makes them', async () => {
    const stores = [at.get(), await at.again(), await at.again()]
    const change = async (tx: Transaction, number: number) => {
      // Blocks the other transactions until this one ends, as the row of a resource does.
      await tx.run(moveCredentialEpoch, {})
      changes.push(number)
      await emit(tx, counted, { id: 'contended', number })
    }
    const changes: number[] = []
    const follower = noting('order', { store: at.get(), clock: at.clock, batchSize: 3 })
    await Promise.all(
      Array.from({ length: 60 }, (_, number) => stores[number % 3]?.write((tx) => change(tx, number))),
    )
    await until('all', () => follower.numbersOf('contended').length >= 60)
    assert.deepEqual(follower.numbersOf('contended'), changes)
    await follower.stop()
  })
})

const PROGRAM = fileURLToPath(new URL('./follower.fixture.ts', import.meta.url))

/** Runs a process that follows the log until it is killed, and resolves to its output. */
async function followUntilKilled(given: FollowingProcess, enough: (lines: readonly string[]) => boolean) {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const closed = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (enough(lines)) child.kill('SIGKILL')
  }
  await closed
  return lines
}

const KILLED = [
  { kind: FILE, what: 'the process that takes its place', holderOf: () => 'node 0', leaseMs: 60_000 },
  { kind: FILE, what: 'another node', holderOf: (run: number) => `node ${run}`, leaseMs: 400 },
  { kind: POSTGRES, what: 'another node', holderOf: (run: number) => `node ${run}`, leaseMs: 400 },
]
for (const { kind, what, holderOf, leaseMs } of KILLED) {
  describe(`a consumer that is killed: ${kind.name}`, { skip: kind.skip }, () => {
    const at = storeOf(kind)
    test(`loses no event, nor their order, to ${what}`, async () => {
      const store = at.get()
      const [subjects, count] = [['a', 'b', 'c'], 40]
      for (let number = 1; number <= count; number++)
        for (const id of subjects) await emitNumbers(store, id, [number])
      const handled: string[] = []
      // In the middle of a batch, at its end, and in the first of them.
      const kills = [25, 30, 3]
      for (const [run, standStillAfter] of [...kills, 0].entries()) {
        const given = { ...{ consumer: 'killed', batchSize: 10, leaseMs }, holder: holderOf(run) }
        handled.push(
          ...(await followUntilKilled({ location: at.location, ...given, standStillAfter }, (lines) =>
            standStillAfter === 0
              ? new Set([...handled, ...lines]).size === subjects.length * count
              : lines.length === standStillAfter,
          )),
        )
      }
      assert.ok(handled.length > subjects.length * count, 'what was not committed came again')
      for (const id of subjects) {
        const numbers = handled.map((line) => line.split(' ')).filter(([subject]) => subject === id)
        assertInOrder(
          numbers.map(([, number]) => Number(number)),
          count,
        )
      }
    })
  })
}
