import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  at,
  DAY,
  DAY_MS,
  hashed,
  inFiles,
  inPostgres,
  Model,
  type Opened,
  type OpenedStore,
  operationOf,
  person,
  remove,
  START_MS,
  temporary,
  update,
  upload,
} from './members.fixture.ts'
import type { MemberStore, Membership } from './membership.ts'

async function stateOf(membership: Membership, audience: string) {
  return (await membership.states([audience])).get(audience)
}

/** One storage at a time that continues as a test says. */
class Stepper {
  readonly #store: MemberStore
  now = START_MS

  constructor(store: MemberStore) {
    this.#store = store
  }

  async upload(audience: string, operations: readonly object[]): Promise<void> {
    const body = new TextEncoder().encode(JSON.stringify(operations))
    const accepted = await this.#store.take({ account: 'a', audience, target: 'audience', body }, this.now)
    assert.ok(accepted !== 'full' && accepted.kind === 'fine')
  }

  async merge(delay = 0): Promise<void> {
    while ((await this.#store.merge(this.now - delay, this.now)).more);
  }

  /** One step. False when there is no more to do. */
  async maintain(): Promise<boolean> {
    return (await this.#store.maintain(this.now)).more
  }

  async forget(audience: string): Promise<void> {
    await this.#store.forget(audience, this.now)
    await this.merge()
    while (await this.maintain());
  }

  async state(audience: string) {
    return (await this.#store.states([audience], this.now)).get(audience)
  }

  async sizeAfter(audience: string, operations: readonly object[]): Promise<number | undefined> {
    await this.upload(audience, operations)
    await this.merge()
    return (await this.state(audience))?.size
  }
}

for (const kind of [inFiles, temporary, inPostgres]) {
  describe(`maintenance of members in ${kind.name}, step by step`, { skip: kind.skip }, () => {
    let opened: OpenedStore
    let steps: Stepper
    let audiences = 0
    const next = () => `audience${audiences++}`
    before(async () => {
      opened = await kind.openStore()
      steps = new Stepper(opened.store)
    })
    after(() => opened?.close())

    test('a new member keeps a key of someone who has expired, however much of them is dropped', async () => {
      for (const [one, other] of [
        ['k1', 'k2'],
        ['k2', 'k1'],
      ] as const) {
        for (let taken = 0, more = true; more; taken++) {
          const audience = next()
          const ends = { expires_at: at(steps.now + DAY_MS) }
          await steps.sizeAfter(audience, [update([person(one, other)], ends)])
          steps.now += 3 * DAY_MS
          for (let n = 0; n < taken; n++) more = await steps.maintain()
          assert.equal(await steps.sizeAfter(audience, [update([person(one)])]), 1)
          assert.equal(await steps.sizeAfter(audience, [update([person(other)])]), 2)
          assert.equal(await steps.sizeAfter(audience, [remove([person(one), person(other)])]), 0)
          await steps.forget(audience)
        }
      }
    })

    test('a batch knows who had not expired when it was accepted, however late it is merged', async () => {
      const audience = next()
      const ends = { expires_at: at(steps.now + 2 * DAY_MS) }
      await steps.sizeAfter(audience, [update([person('a', 'b'), person('z')], ends)])
      steps.now += 2 * DAY_MS - 1000
      await steps.upload(audience, [update([person('a')])])
      steps.now += 5 * DAY_MS
      while (await steps.maintain());
      await steps.merge()
      assert.equal((await steps.state(audience))?.size, 1)
      assert.equal(await steps.sizeAfter(audience, [remove([person('b')])]), 0)
    })

    test('a clock that is set back keeps no upload waiting longer', async () => {
      const audience = next()
      const delay = 60_000
      steps.now += 30 * DAY_MS
      await steps.upload(audience, [update([person('a')])])
      await steps.merge(delay)
      assert.equal((await steps.state(audience))?.processing, true)
      steps.now -= 30 * DAY_MS
      await steps.merge(delay)
      assert.deepEqual(await steps.state(audience), { processing: false, size: 1 })
    })

    test('members are what a list of persons says, whatever steps come between uploads and merges', async () => {
      const key = fc.constantFrom('k0', 'k1')
      const operation = fc.record({
        remove: fc.constantFrom(false, false, false, true),
        users: fc.uniqueArray(key, { minLength: 1, maxLength: 2 }).map((keys) => [keys]),
        lasts: fc.constantFrom(1, 90 * DAY),
      })
      const round = fc.record({
        operations: fc.array(operation, { minLength: 0, maxLength: 1 }),
        merges: fc.constantFrom(true, true, false),
        waits: fc.constantFrom(0, 3 * DAY),
        maintenance: fc.constantFrom(0, 0, 0, 0, 2, 3, 4, 5, 6, 7),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(round, { minLength: 4, maxLength: 12 }), async (rounds) => {
          const audience = next()
          const model = new Model()
          for (const { operations, merges, waits, maintenance } of rounds) {
            for (const sent of operations) {
              await steps.upload(audience, [operationOf(sent, steps.now)])
              model.play(sent, steps.now)
            }
            if (merges) await steps.merge()
            steps.now += waits * 1000
            for (let n = 0; n < maintenance; n++) await steps.maintain()
            const state = await steps.state(audience)
            if (state?.processing === false) assert.equal(state.size, model.size(steps.now))
          }
          // Who is known by which keys shows when they are removed by one key after the other.
          for (const one of ['k0', 'k1']) {
            const removal = { remove: true, users: [[one]], lasts: 0 }
            model.play(removal, steps.now)
            assert.equal(
              await steps.sizeAfter(audience, [operationOf(removal, steps.now)]),
              model.size(steps.now),
            )
          }
          await steps.forget(audience)
        }),
        { numRuns: kind === inPostgres ? 20 : 200 },
      )
    })

    test('a size is told while very much that came due is still to be counted', async () => {
      const audience = next()
      const times = (n: number) => ({ expires_at: at(steps.now + (n + 1) * 1000) })
      await steps.upload(audience, [update(Array.from({ length: 50 }, (_, n) => person(`stays${n}`)))])
      for (let from = 0; from < 10_000; from += 2_500)
        await steps.upload(
          audience,
          Array.from({ length: 2_500 }, (_, n) => update([person(`m${from + n}`)], times(from + n))),
        )
      await steps.merge()
      steps.now += DAY_MS
      assert.deepEqual(await steps.state(audience), { processing: true, size: 50 })
    })
  })

  describe(`members in ${kind.name}`, { skip: kind.skip }, () => {
    let opened: Opened
    let audiences = 0
    const next = () => `audience${audiences++}`
    before(async () => {
      opened = await kind.open()
    })
    after(() => opened?.close())

    /** Uploads each list of operations as a batch of its own, and waits until all are merged. */
    async function sizeAfter(audience: string, ...batches: object[][]): Promise<number | undefined> {
      const { membership } = opened
      for (const operations of batches)
        assert.equal((await upload(membership, audience, operations)).kind, 'fine')
      await membership.drain()
      const state = await stateOf(membership, audience)
      assert.equal(state?.processing, false)
      return state?.size
    }

    test('an audience without uploads is PROCESSING', async () => {
      assert.deepEqual(await stateOf(opened.membership, next()), { processing: true, size: 0 })
    })

    test('counts persons, not keys', async () => {
      const users = [person('a', 'b'), person('c'), { ...person('d'), handle: [hashed('d')] }]
      assert.equal(await sizeAfter(next(), [update(users)]), 3)
    })

    test('a key in capital letters is the same key', async () => {
      const [email] = person('a').email
      assert.equal(
        await sizeAfter(next(), [update([person('a')]), update([{ email: [email?.toUpperCase()] }])]),
        1,
      )
    })

    test('one hash as two kinds of key is two persons', async () => {
      const key = hashed('a')
      assert.equal(await sizeAfter(next(), [update([{ email: [key] }, { handle: [key] }])]), 2)
    })

    test("a partner's own id is any text", async () => {
      const users = [
        { partner_user_id: ['p1'] },
        { partner_user_id: ['p2', 'p3'] },
        { partner_user_id: ['p3'] },
      ]
      assert.equal(await sizeAfter(next(), [update(users)]), 2)
    })

    test('a user who is uploaded again stays one member, with all keys', async () => {
      const audience = next()
      assert.equal(await sizeAfter(audience, [update([person('a')])], [update([person('a', 'b')])]), 1)
      assert.equal(await sizeAfter(audience, [update([person('b', 'c')])]), 1)
      assert.equal(await sizeAfter(audience, [remove([person('c')])]), 0)
      assert.equal(await sizeAfter(audience, [update([person('a'), person('b')])]), 2)
    })

    test('two persons who turn out to be one are one', async () => {
      const audience = next()
      assert.equal(await sizeAfter(audience, [update([person('a', 'b'), person('c', 'd')])]), 2)
      assert.equal(await sizeAfter(audience, [update([person('b', 'c')])]), 1)
      assert.equal(await sizeAfter(audience, [remove([person('d')])]), 0)
    })

    test('removes whoever has any of the keys, and passes over who is not there', async () => {
      const audience = next()
      await sizeAfter(audience, [update([person('a', 'b'), person('c'), person('d')])])
      assert.equal(await sizeAfter(audience, [remove([person('b', 'c'), person('nobody')])]), 1)
    })

    test('keeps the order of operations, inside a batch and between batches', async () => {
      assert.equal(await sizeAfter(next(), [update([person('a')]), remove([person('a')])]), 0)
      assert.equal(await sizeAfter(next(), [remove([person('a')]), update([person('a')])]), 1)
      assert.equal(
        await sizeAfter(
          next(),
          [update([person('a')])],
          [remove([person('a')])],
          [update([person('a', 'b')])],
        ),
        1,
      )
    })

    test('members of one audience are not those of another', async () => {
      const [one, other] = [next(), next()]
      await sizeAfter(one, [update([person('a')])])
      await sizeAfter(other, [update([person('a'), person('b')])])
      assert.equal(await sizeAfter(one, [remove([person('a')])]), 0)
      assert.equal((await stateOf(opened.membership, other))?.size, 2)
    })

    test('nothing of a batch with a wrong operation is applied', async () => {
      const audience = next()
      await sizeAfter(audience, [update([person('a')])])
      const result = await upload(opened.membership, audience, [
        update([person('b')]),
        update([{ email: ['no hash'] }]),
        remove([person('a')]),
      ])
      assert.deepEqual(
        result.kind === 'wrong' &&
          result.operations.map((errors) => errors.map(({ parameter }) => parameter)),
        [[], ['users'], []],
      )
      assert.equal(await sizeAfter(audience, [update([person('c')])]), 2)
    })

    test('a member counts from its time until its end', async () => {
      const audience = next()
      const now = opened.clock.now()
      const times = { effective_at: at(now + DAY_MS), expires_at: at(now + 3 * DAY_MS) }
      assert.equal(await sizeAfter(audience, [update([person('a'), person('b')], times)]), 0)
      const sizes: (number | undefined)[] = []
      for (const [days, settles] of [
        [0.5, true],
        [1, false],
        [2, true],
        [2.99, false],
        [3, false],
        [4, true],
      ] as const) {
        opened.clock.moveTo(now + days * DAY_MS)
        if (settles) await opened.membership.drain()
        sizes.push((await stateOf(opened.membership, audience))?.size)
      }
      assert.deepEqual(sizes, [0, 2, 2, 2, 0, 0])
    })

    test('a member who is uploaded again has the new times', async () => {
      const audience = next()
      const now = opened.clock.now()
      await sizeAfter(audience, [update([person('a'), person('b', 'c')], { expires_at: at(now + DAY_MS) })])
      await sizeAfter(audience, [update([person('a'), person('c')], { expires_at: at(now + 3 * DAY_MS) })])
      opened.clock.advance(2 * DAY_MS)
      assert.equal((await stateOf(opened.membership, audience))?.size, 2)
      opened.clock.advance(2 * DAY_MS)
      assert.equal((await stateOf(opened.membership, audience))?.size, 0)
    })

    test('members expire 13 months after the request unless said otherwise', async () => {
      const audience = next()
      const now = new Date(opened.clock.now())
      assert.equal(await sizeAfter(audience, [update([person('a')])]), 1)
      const end = Date.UTC(
        now.getUTCFullYear() + 1,
        now.getUTCMonth() + 1,
        now.getUTCDate(),
        now.getUTCHours(),
        now.getUTCMinutes(),
        now.getUTCSeconds(),
      )
      opened.clock.moveTo(end - 1000)
      assert.equal((await stateOf(opened.membership, audience))?.size, 1)
      opened.clock.moveTo(end)
      assert.equal((await stateOf(opened.membership, audience))?.size, 0)
    })

    test('an expired member no longer exists: another member may have their key', async () => {
      const audience = next()
      const now = opened.clock.now()
      await sizeAfter(audience, [update([person('a', 'b')], { expires_at: at(now + DAY_MS) })])
      opened.clock.advance(2 * DAY_MS)
      assert.equal(await sizeAfter(audience, [update([person('a'), person('b')])]), 2)
    })

    test('a deleted audience has no members, and can start again', async () => {
      const audience = next()
      await sizeAfter(audience, [update([person('a', 'b'), person('c')])])
      await opened.membership.forget(audience)
      await opened.membership.drain()
      assert.deepEqual(await stateOf(opened.membership, audience), { processing: true, size: 0 })
      assert.equal(await sizeAfter(audience, [update([person('a')])]), 1)
    })

    test('a person cannot gather keys without end', async () => {
      const audience = next()
      const many = Array.from({ length: 900 }, (_, n) => `first${n}`)
      const others = Array.from({ length: 200 }, (_, n) => `other${n}`)
      await sizeAfter(audience, [update([person(...many)])])
      // They begin again with the keys of today: the earlier ones are no one's.
      assert.equal(await sizeAfter(audience, [update([person('first0', ...others)])]), 1)
      assert.equal(await sizeAfter(audience, [remove([person('first1')])]), 1)
      assert.equal(await sizeAfter(audience, [remove([person('first0')])]), 0)
    })

    test('many members in any order are counted, changed and removed like few', async () => {
      const audience = next()
      const users = Array.from({ length: 6_000 }, (_, n) => person(`m${n}`))
      assert.equal(
        await sizeAfter(audience, [update(users.slice(0, 4_000))], [update(users.slice(2_000))]),
        6_000,
      )
      const some = users.filter((_, n) => n % 3 === 0)
      assert.equal(await sizeAfter(audience, [remove(some)]), 4_000)
      assert.equal(await sizeAfter(audience, [update(users)], [remove(users.slice(1))]), 1)
      assert.equal(await sizeAfter(audience, [remove(users)]), 0)
      assert.equal(await sizeAfter(audience, [update(users)]), 6_000)
    })

    test('counts what a list of persons with their keys counts, whatever is uploaded', async () => {
      const key = fc.integer({ min: 0, max: 11 }).map((n) => `k${n}`)
      const user = fc.uniqueArray(key, { minLength: 1, maxLength: 4 })
      const operation = fc.record({
        remove: fc.boolean(),
        users: fc.array(user, { minLength: 1, maxLength: 4 }),
        /** Seconds until the end of those who are updated. */
        lasts: fc.constantFrom(1, 3, 1_000),
      })
      const round = fc.record({
        batches: fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), {
          minLength: 1,
          maxLength: 4,
        }),
        pauses: fc.integer({ min: 0, max: 4 }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
          const audience = next()
          const model = new Model()
          for (const { batches, pauses } of rounds) {
            const now = opened.clock.now()
            for (const operations of batches) {
              await upload(
                opened.membership,
                audience,
                operations.map((one) => operationOf(one, now)),
              )
              for (const one of operations) model.play(one, now)
            }
            await opened.membership.drain()
            opened.clock.advance(pauses * 1000)
            const state = await stateOf(opened.membership, audience)
            assert.deepEqual(state, { processing: false, size: model.size(opened.clock.now()) })
          }
        }),
        { numRuns: 40 },
      )
    })

    test('accepted uploads are merged after a restart', { skip: kind === temporary }, async () => {
      const waits = await kind.open({ delaySeconds: 60 })
      try {
        await upload(waits.membership, 'later', [update([person('a'), person('b')])])
        await waits.membership.drain()
        assert.deepEqual(await stateOf(waits.membership, 'later'), { processing: true, size: 0 })
        const again = await waits.reopen()
        waits.clock.advance(60_000)
        await again.drain()
        assert.deepEqual(await stateOf(again, 'later'), { processing: false, size: 2 })
        assert.deepEqual(await stateOf(await waits.reopen(), 'later'), { processing: false, size: 2 })
      } finally {
        await waits.close()
      }
    })

    test('an account that uploads all it can leaves room for others', async () => {
      const { membership, clock, close } = await kind.open({ delaySeconds: 60, maxWaitingBytes: 1000 })
      try {
        // Each of 133 bytes.
        const users = [update([person('a'), person('b'), person('c')])]
        const takenFrom = async (account: string) => {
          for (let taken = 0; ; taken++)
            try {
              await upload(membership, `${account}${taken}`, users, account)
            } catch (error) {
              assert.equal((error as { reason?: string }).reason, 'over capacity')
              return taken
            }
        }
        assert.deepEqual(
          [
            await takenFrom('greedy'),
            await takenFrom('next'),
            await takenFrom('last'),
            await takenFrom('greedy'),
          ],
          [4, 2, 1, 0],
        )
        clock.advance(60_000)
        await membership.drain()
        assert.equal(await takenFrom('greedy'), 4)
      } finally {
        await close()
      }
    })

    test('an upload is turned down while too much waits, and taken when it was merged', async () => {
      const full = await kind.open({ delaySeconds: 60, maxWaitingBytes: 200 })
      try {
        const users = [update([person('a'), person('b'), person('c')])]
        await upload(full.membership, 'full', users)
        await assert.rejects(upload(full.membership, 'full', users), { reason: 'over capacity' })
        full.clock.advance(60_000)
        await full.membership.drain()
        assert.equal((await upload(full.membership, 'full', users)).kind, 'fine')
      } finally {
        await full.close()
      }
    })
  })
}
