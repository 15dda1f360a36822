import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  at,
  DAY_MS,
  inFiles,
  inPostgres,
  Model,
  type OpenedStore,
  operationOf,
  person,
  START_MS,
  update,
} from './members.fixture.ts'
import { SEGMENT_OPERATORS, type Segment } from './segments.ts'
import type { Tally, TallyPosition } from './tally.ts'

const DEFAULTS = { frequency: 1, frequency_comparator: 'NUM_GTE', negate: false } as const
const leaf = (audience: string, more: Partial<Segment> = {}): Segment => ({
  ...DEFAULTS,
  custom_audience_id: audience,
  child_segments: [],
  ...more,
})
const all = (...child_segments: Segment[]): Segment => ({
  ...DEFAULTS,
  boolean_operator: 'AND',
  child_segments,
})
const any = (...child_segments: Segment[]): Segment => ({
  ...DEFAULTS,
  boolean_operator: 'OR',
  child_segments,
})
const not = (segment: Segment): Segment => ({ ...segment, negate: true })

for (const kind of [inFiles, inPostgres])
  describe(`counts of combinations in ${kind.name}, a member at a time`, { skip: kind.skip }, () => {
    let opened: OpenedStore
    let audiences = 0
    const next = () => `audience${audiences++}`
    before(async () => {
      opened = await kind.openStore()
    })
    after(() => opened?.close())

    async function upload(audience: string, operations: readonly object[], now = START_MS): Promise<void> {
      const body = new TextEncoder().encode(JSON.stringify(operations))
      const accepted = await opened.store.take({ account: 'a', audience, target: 'audience', body }, now)
      assert.ok(accepted !== 'full' && accepted.kind === 'fine')
    }

    async function merge(now = START_MS): Promise<void> {
      while ((await opened.store.merge(now, now)).more);
    }

    /** An audience of users, each with the keys in its word. */
    async function filled(words: readonly string[], times: object = {}): Promise<string> {
      const audience = next()
      await upload(audience, [
        update(
          [...words].map((word) => person(...word)),
          times,
        ),
      ])
      await merge()
      return audience
    }

    async function count(segments: Segment, ms = START_MS): Promise<number> {
      let [people, slices, now] = [0, 0, Math.floor(ms / 1000)]
      let from: TallyPosition | undefined
      do {
        const tally: Tally = await opened.store.tally({ segments, from, now })
        people += tally.people
        now = tally.now
        from = tally.next
        slices++
      } while (from)
      assert.ok(slices > 1)
      return people
    }

    test('those in all, in any and in none', async () => {
      const [a, b, c] = [
        await filled(['1', '2', '3']),
        await filled(['2', '3', '4']),
        await filled(['3', '5']),
      ]
      assert.equal(await count(all(leaf(a), leaf(b))), 2)
      assert.equal(await count(any(leaf(a), leaf(b))), 4)
      assert.equal(await count(all(leaf(a), not(leaf(b)))), 1)
      assert.equal(await count(not(any(leaf(a), leaf(b)))), 0)
      assert.equal(await count(all(leaf(c), not(any(leaf(a), leaf(b))))), 1)
      assert.equal(await count(any(all(leaf(a), leaf(b)), leaf(c))), 3)
      assert.equal(await count(not(all(leaf(a), leaf(b), leaf(c)))), 4)
      assert.equal(await count(leaf(a)), 3)
      assert.equal(await count(any(leaf(a), leaf(a))), 3)
    })

    test('who has a key in common is one person, whatever their other keys are', async () => {
      const [a, b] = [await filled(['xy', 'z']), await filled(['yw', 'xv', 'zu', 'q'])]
      assert.equal(await count(all(leaf(a), leaf(b))), 2)
      assert.equal(await count(any(leaf(a), leaf(b))), 3)
      assert.equal(await count(all(leaf(b), not(leaf(a)))), 1)
    })

    test('a look-back is about the beginning of a membership, and a frequency holds for all', async () => {
      const days = (n: number) => ({ effective_at: at(START_MS - n * DAY_MS) })
      const [a, b] = [await filled(['1', '23'], days(10)), await filled(['1'])]
      await upload(a, [update([person('4')], days(3)), update([person('5')], days(-1))])
      await merge()
      const within = (lookback_window: number, more: Partial<Segment> = {}) =>
        leaf(a, { lookback_window, ...more })
      const later = (ms: number) => START_MS + ms
      assert.deepEqual(
        [await count(within(1)), await count(within(7)), await count(within(14)), await count(leaf(a))],
        [0, 1, 3, 3],
      )
      assert.equal(await count(within(7, { frequency: 9, frequency_comparator: 'NUM_GT' })), 1)
      assert.equal(await count(all(leaf(a), not(within(7)))), 2)
      assert.equal(await count(all(within(14), leaf(b, { lookback_window: 1 }))), 1)
      // The window moves, and a member begins to count.
      assert.equal(await count(within(7), later(2 * DAY_MS)), 2)
      assert.equal(await count(within(7), later(4 * DAY_MS)), 1)
    })

    test('members who are uploaded again begin again, and no longer count once they have expired', async () => {
      const ends = { effective_at: at(START_MS - 20 * DAY_MS), expires_at: at(START_MS + DAY_MS) }
      const a = await filled(['1', '23', '4'], ends)
      await upload(a, [update([person('2')]), update([person('4')], ends)])
      await merge()
      assert.equal(await count(leaf(a, { lookback_window: 7 })), 1)
      assert.equal(await count(leaf(a)), 3)
      assert.equal(await count(leaf(a), START_MS + DAY_MS), 1)
    })

    test('a deleted audience has no members, also while its rows are removed', async () => {
      const [a, b] = [await filled(['1', '23', '4']), await filled(['1', '2'])]
      await opened.store.forget(a, START_MS)
      await merge()
      assert.equal(await count(any(leaf(a), leaf(b))), 2)
      assert.equal(await count(all(leaf(a), leaf(b))), 0)
      while ((await opened.store.maintain(START_MS)).more);
      assert.equal(await count(all(leaf(b), not(leaf(a)))), 2)
    })

    test('says whether uploads wait, and counts those that were merged', async () => {
      const [a, b] = [await filled(['1']), next()]
      const asked = { segments: any(leaf(a), leaf(b)), now: START_MS / 1000 }
      assert.equal((await opened.store.tally(asked)).waits, false)
      await upload(b, [update([person('2')])])
      assert.equal((await opened.store.tally(asked)).waits, true)
      assert.equal(await count(asked.segments), 1)
      await merge()
      assert.deepEqual([(await opened.store.tally(asked)).waits, await count(asked.segments)], [false, 2])
    })

    test('counts those who were uploaded while a clock was ahead, like the size of their audience', async () => {
      const [a, b] = [await filled(['1', '2', '3']), next()]
      const later = START_MS + 2 * DAY_MS
      await upload(b, [update([person('1'), person('2')])], later)
      await merge(later)
      assert.equal((await opened.store.states([b], START_MS)).get(b)?.size, 2)
      assert.equal(await count(all(leaf(a), leaf(b))), 2)
      assert.equal(await count(all(leaf(a), leaf(b, { lookback_window: 1 }))), 2)
      assert.equal(await count(any(leaf(b), leaf(a, { lookback_window: 1 }))), 2)
    })

    test('counts what lists of persons count, whatever is uploaded and asked', async () => {
      const key = fc.constantFrom('k0', 'k1', 'k2', 'k3', 'k4')
      const operation = fc.record({
        remove: fc.constantFrom(false, false, false, true),
        users: fc.array(fc.uniqueArray(key, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
        lasts: fc.constantFrom(1, 1_000),
        place: fc.integer({ min: 0, max: 2 }),
        pause: fc.constantFrom(0, 2, 86_400),
      })
      const { tree } = fc.letrec<{ tree: Question }>((tie) => ({
        tree: fc.oneof(
          { maxDepth: 2 },
          fc.record({
            place: fc.integer({ min: 0, max: 2 }),
            days: fc.constantFrom(undefined, 1, 7),
            negate: fc.boolean(),
          }),
          fc.record({
            operator: fc.constantFrom(...SEGMENT_OPERATORS),
            children: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
            negate: fc.boolean(),
          }),
        ),
      }))
      let now = START_MS
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { minLength: 2, maxLength: 8 }),
          tree,
          async (sent, question) => {
            const names = [next(), next(), next()]
            const models = [new Model(), new Model(), new Model()]
            for (const { place, pause, ...one } of sent) {
              await upload(names[place] as string, [operationOf(one, now)], now)
              models[place]?.play(one, now)
              now += pause * 1000
            }
            await merge(now)
            const segments = segmentOf(question, names)
            let [people, from]: [number, TallyPosition | undefined] = [0, undefined]
            do {
              const tally: Tally = await opened.store.tally({ segments, from, now: now / 1000 })
              people += tally.people
              from = tally.next
            } while (from)
            assert.equal(people, expected(question, models, now))
          },
        ),
        { numRuns: kind === inPostgres ? 20 : 100 },
      )
    })
  })

/** A combination of audiences by their places. */
type Question = { negate: boolean } & (
  | { place: number; days: number | undefined }
  | { operator: 'AND' | 'OR'; children: Question[] }
)

const segmentOf = (question: Question, names: readonly string[]): Segment =>
  'place' in question
    ? leaf(names[question.place] as string, {
        negate: question.negate,
        ...(question.days !== undefined && { lookback_window: question.days }),
      })
    : {
        ...DEFAULTS,
        boolean_operator: question.operator,
        negate: question.negate,
        child_segments: question.children.map((child) => segmentOf(child, names)),
      }

/** The places of a question, in order. */
const placesIn = (question: Question): number[] =>
  'place' in question ? [question.place] : question.children.flatMap(placesIn)

type Person = ReturnType<Model['members']>[number]

/** Goes over the members of one audience after the other, and passes over whom it has met. */
function expected(question: Question, models: readonly Model[], now: number): number {
  const places = [...new Set(placesIn(question))]
  const members = new Map(places.map((place) => [place, (models[place] as Model).members(now)]))
  const sameAs = (one: Person, place: number) =>
    (members.get(place) ?? []).filter((other) => [...one.keys].some((key) => other.keys.has(key)))
  const isIn = (asked: Question, one: Person): boolean => {
    if ('place' in asked) {
      const { days } = asked
      const begins = sameAs(one, asked.place).filter(
        ({ began }) => days === undefined || began > now - days * DAY_MS,
      )
      return begins.length > 0 !== asked.negate
    }
    const answers = asked.children.map((child) => isIn(child, one))
    return (asked.operator === 'AND' ? !answers.includes(false) : answers.includes(true)) !== asked.negate
  }
  let people = 0
  for (const [index, place] of places.entries())
    for (const one of members.get(place) ?? []) {
      const isMet = places.slice(0, index).some((earlier) => sameAs(one, earlier).length > 0)
      if (!isMet && isIn(question, one)) people++
    }
  return people
}
