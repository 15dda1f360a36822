import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { ManualClock } from '../../../kit/clock.ts'
import { randomText, systemRandom } from '../../../kit/random.ts'
import { neutralVocabulary } from '../../../kit/vocabulary.ts'
import { openPostgres } from '../../../store/dialect/postgres.ts'
import type { Membership } from './membership.ts'
import { openMembership } from './open.ts'

const START_MS = Date.UTC(2026, 2, 1, 12)
const DAY_MS = 86_400_000
const POSTGRES_URL = process.env.PLAZA_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/** A membership under test, and its end. */
interface Opened {
  membership: Membership
  clock: ManualClock
  /** The same storage, opened again as after the end of the process. */
  reopen(): Promise<Membership>
  close(): Promise<void>
}

interface Kind {
  name: string
  skip: string | false
  open(settings?: { maxWaitingBytes?: number; delaySeconds?: number }): Promise<Opened>
}

const settingsWith = (clock: ManualClock) => ({
  clock,
  vocabulary: neutralVocabulary,
  delaySeconds: 0,
  maxWaitingBytes: 1e9,
  onError: (error: unknown) => {
    throw error
  },
})

const inFiles: Kind = {
  name: 'files',
  skip: false,
  async open(more = {}) {
    const clock = new ManualClock(START_MS)
    const folder = mkdtempSync(join(tmpdir(), 'plaza-members-'))
    const place = { kind: 'folder', folder } as const
    let membership = openMembership({ ...settingsWith(clock), place, ...more })
    return {
      get membership() {
        return membership
      },
      clock,
      async reopen() {
        await membership.close()
        membership = openMembership({ ...settingsWith(clock), place, ...more })
        return membership
      },
      async close() {
        await membership.close()
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

const passing: Kind = {
  name: 'passing files',
  skip: false,
  async open(more = {}) {
    const clock = new ManualClock(START_MS)
    const membership = openMembership({ ...settingsWith(clock), place: { kind: 'passing' }, ...more })
    return { membership, clock, reopen: async () => membership, close: () => membership.close() }
  },
}

const inPostgres: Kind = {
  name: 'PostgreSQL',
  skip: await whyNot(),
  async open(more = {}) {
    const clock = new ManualClock(START_MS)
    const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`
    const at = { url: POSTGRES_URL, schema }
    const store = await openPostgres({ ...at, onError: () => undefined })
    const place = { kind: 'postgres', ...at, store } as const
    let membership = openMembership({ ...settingsWith(clock), place, ...more })
    return {
      get membership() {
        return membership
      },
      clock,
      async reopen() {
        await membership.close()
        membership = openMembership({ ...settingsWith(clock), place, ...more })
        return membership
      },
      async close() {
        await membership.close()
        await store.close()
        const client = new pg.Client({ connectionString: POSTGRES_URL })
        await client.connect()
        await client.query(`DROP SCHEMA "${schema}" CASCADE`)
        await client.end()
      },
    }
  },
}

async function whyNot(): Promise<string | false> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return false
  } catch {
    return `PostgreSQL does not answer at ${POSTGRES_URL}`
  } finally {
    await client.end().catch(() => undefined)
  }
}

const hashed = (text: string) => createHash('sha256').update(text).digest('hex')

/** A person by the e-mails that are known of them. */
const person = (...emails: string[]) => ({ email: emails.map(hashed) })

interface Operation {
  operation_type: 'Update' | 'Delete'
  params: { users: object[]; effective_at?: string; expires_at?: string }
}

const update = (users: object[], times: object = {}): Operation => ({
  operation_type: 'Update',
  params: { users, ...times },
})
const remove = (users: object[]): Operation => ({ operation_type: 'Delete', params: { users } })
const at = (ms: number) => new Date(ms).toISOString().replace('.000', '')

async function upload(
  membership: Membership,
  audience: string,
  operations: readonly object[],
  account = 'account',
) {
  const body = new TextEncoder().encode(JSON.stringify(operations))
  return membership.accept({ account, audience, target: 'audience', body })
}

async function stateOf(membership: Membership, audience: string) {
  return (await membership.states([audience])).get(audience)
}

for (const kind of [inFiles, passing, inPostgres]) {
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
      await membership.settle()
      const state = await stateOf(membership, audience)
      assert.equal(state?.processing, false)
      return state?.size
    }

    test('an audience that nobody was uploaded to is being processed', async () => {
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

    test('somebody who is uploaded again is one person, and has all keys', async () => {
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
        if (settles) await opened.membership.settle()
        sizes.push((await stateOf(opened.membership, audience))?.size)
      }
      assert.deepEqual(sizes, [0, 2, 2, 2, 0, 0])
    })

    test('who is uploaded again has the new times', async () => {
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

    test('who has expired is nobody: another person may have a key of theirs', async () => {
      const audience = next()
      const now = opened.clock.now()
      await sizeAfter(audience, [update([person('a', 'b')], { expires_at: at(now + DAY_MS) })])
      opened.clock.advance(2 * DAY_MS)
      assert.equal(await sizeAfter(audience, [update([person('a'), person('b')])]), 2)
    })

    test('a forgotten audience has no members, and can begin anew', async () => {
      const audience = next()
      await sizeAfter(audience, [update([person('a', 'b'), person('c')])])
      await opened.membership.forget(audience)
      await opened.membership.settle()
      assert.deepEqual(await stateOf(opened.membership, audience), { processing: true, size: 0 })
      assert.equal(await sizeAfter(audience, [update([person('a')])]), 1)
    })

    test('a person cannot gather keys without end', async () => {
      const audience = next()
      const many = Array.from({ length: 900 }, (_, n) => `first${n}`)
      const others = Array.from({ length: 200 }, (_, n) => `other${n}`)
      await sizeAfter(audience, [update([person(...many)])])
      // They begin anew with the keys of today: the earlier ones are nobody's.
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
                operations.map((one) => {
                  const users = one.users.map((keys) => person(...keys))
                  return one.remove
                    ? remove(users)
                    : update(users, { expires_at: at(now + one.lasts * 1000) })
                }),
              )
              for (const one of operations) model.play(one, now)
            }
            await opened.membership.settle()
            opened.clock.advance(pauses * 1000)
            const state = await stateOf(opened.membership, audience)
            assert.deepEqual(state, { processing: false, size: model.size(opened.clock.now()) })
          }
        }),
        { numRuns: 40 },
      )
    })

    test('what was accepted is merged after the process ended', { skip: kind === passing }, async () => {
      const waits = await kind.open({ delaySeconds: 60 })
      try {
        await upload(waits.membership, 'later', [update([person('a'), person('b')])])
        await waits.membership.settle()
        assert.deepEqual(await stateOf(waits.membership, 'later'), { processing: true, size: 0 })
        const again = await waits.reopen()
        waits.clock.advance(60_000)
        await again.settle()
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
          [await takenFrom('greedy'), await takenFrom('next'), await takenFrom('last'), await takenFrom('greedy')],
          [4, 2, 1, 0],
        )
        clock.advance(60_000)
        await membership.settle()
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
        await full.membership.settle()
        assert.equal((await upload(full.membership, 'full', users)).kind, 'fine')
      } finally {
        await full.close()
      }
    })
  })
}

/** Members as anybody would keep them who had few of them. */
class Model {
  #people: { keys: Set<string>; expires: number }[] = []

  play({ remove, users, lasts }: { remove: boolean; users: string[][]; lasts: number }, now: number): void {
    this.#people = this.#people.filter(({ expires }) => expires > now)
    for (const keys of users) {
      const known = this.#people.filter((one) => keys.some((key) => one.keys.has(key)))
      this.#people = this.#people.filter((one) => !known.includes(one))
      if (remove) continue
      const all = new Set([...keys, ...known.flatMap((one) => [...one.keys])])
      this.#people.push({ keys: all, expires: now + lasts * 1000 })
    }
  }

  size(now: number): number {
    return this.#people.filter(({ expires }) => expires > now).length
  }
}
