import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, test } from 'node:test'
import { dropSchema, POSTGRES_URL, withPostgres } from '../../../../test/support/services.ts'
import { stages } from '../../../../test/support/stages.ts'
import { ManualClock } from '../../../platform/common/clock.ts'
import { idAt } from '../../../platform/common/ids.ts'
import { randomText, systemRandom } from '../../../platform/common/random.ts'
import { openPostgres } from '../../../platform/storage/postgres.ts'
import { bind } from '../../../platform/storage/query.ts'
import { type Store, StoreUnavailable } from '../../../platform/storage/store.ts'
import { branchesOf } from './branches.ts'
import { postgresSearchIndex } from './postgres-index.ts'
import {
  type SearchDocument,
  type SearchExpression,
  type SearchIndex,
  SearchTooComplex,
  type SearchWindow,
} from './search-index.ts'
import { SearchDatabase } from './sqlite-database.ts'
import { sqliteSearchIndex } from './sqlite-index.ts'

const folder = await mkdtemp(join(tmpdir(), 'plaza-search-'))
after(() => rm(folder, { recursive: true, force: true }))
const mark = () => randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')
const skipPostgres = stages.find(({ name }) => name.startsWith('PostgreSQL'))?.skip ?? false

const NOON = Date.UTC(2026, 1, 3, 12)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (hours: number, sequence = 0) => idAt(NOON + hours * HOUR_MS, 0, sequence)
const EVER = { from: '0', before: at(1) }

const document = (id: string, text: string, rest: Partial<SearchDocument> = {}): SearchDocument => ({
  id,
  words: text.split(' ').filter((word) => word !== ''),
  links: [],
  terms: [],
  numbers: { likes: 0, replies: 0, reposts: 0 },
  ...rest,
})
const put = (document: SearchDocument) => ({ kind: 'put', document: document }) as const
const words = (text: string): SearchExpression => ({ kind: 'words', of: 'text', words: text.split(' ') })
const linkWords = (text: string): SearchExpression => ({ kind: 'words', of: 'links', words: text.split(' ') })
const term = (name: string): SearchExpression => ({ kind: 'term', term: name })
const not = (expression: SearchExpression): SearchExpression => ({ kind: 'not', not: expression })
const all = (...of: SearchExpression[]): SearchExpression => ({ kind: 'all', of })
const any = (...of: SearchExpression[]): SearchExpression => ({ kind: 'any', of })
const likes = (value: number): SearchExpression => ({ kind: 'at least', number: 'likes', value })
const box = (west: number, south: number, east: number, north: number) => ({ west, south, east, north })

const FEW = { found: 10, counted: 25 }

interface IndexKind {
  name: string
  skip: string | false
  open(): Promise<{ index: SearchIndex; bounded: SearchIndex; close(): Promise<void> }>
}

const embedded = (name: string, file: () => string | undefined): IndexKind => ({
  name,
  skip: false,
  async open() {
    const index = sqliteSearchIndex(file())
    const bounded = sqliteSearchIndex(file(), FEW)
    return {
      index,
      bounded,
      async close() {
        await index.close()
        await bounded.close()
      },
    }
  },
})
const kinds: IndexKind[] = [
  embedded('SQLite in memory', () => undefined),
  embedded('SQLite file', () => join(folder, `${mark()}.db`)),
  {
    name: 'PostgreSQL',
    skip: skipPostgres,
    async open() {
      const schema = `plaza_test_${mark()}`
      const clock = new ManualClock(NOON)
      const store = await openPostgres({ url: POSTGRES_URL, schema, clock, onError: () => undefined })
      return {
        index: postgresSearchIndex(store),
        bounded: postgresSearchIndex(store, FEW),
        async close() {
          await store.close()
          await dropSchema(schema)
        },
      }
    },
  },
]

for (const kind of kinds) {
  describe(`the search index: ${kind.name}`, { skip: kind.skip }, () => {
    let index: SearchIndex
    /** With a small limit of candidates. */
    let bounded: SearchIndex
    let close = async () => {}
    before(async () => {
      const opened = await kind.open()
      index = opened.index
      bounded = opened.bounded
      close = opened.close
    })
    after(() => close())
    beforeEach(() => index.clear())

    const found = async (expression: SearchExpression, window = EVER, limit = 100) =>
      (await index.find(expression, window, limit)).found.map(({ id }) => id)

    test('finds words, phrases, links and terms, newest first', async () => {
      const [one, two, three] = [at(-3), at(-2), at(-1)]
      await index.apply([
        put(document(one, 'the old cat sat', { terms: ['from:1', 'lang:en'] })),
        put(
          document(two, 'cat the sat old', {
            terms: ['from:2', 'lang:en'],
            links: [['example', 'com'], ['news']],
          }),
        ),
        put(document(three, 'дом 猫 ไม้ 👩‍🚀', { terms: ['from:1', 'place:new york, ny'] })),
      ])
      assert.deepEqual(await found(words('cat')), [two, one])
      assert.deepEqual(await found(words('old cat')), [one])
      assert.deepEqual(await found(all(words('cat'), term('from:2'))), [two])
      assert.deepEqual(await found(term('from:1')), [three, one])
      assert.deepEqual(await found(term('place:new york, ny')), [three])
      assert.deepEqual(await found(linkWords('example com')), [two])
      assert.deepEqual(
        await found(linkWords('com news')),
        [],
        'a phrase does not continue from one link to the next',
      )
      for (const word of ['дом', '猫', 'ไม้', '👩‍🚀'])
        assert.deepEqual(await found(words(word)), [three], word)
      assert.deepEqual(await found(words('from')), [], 'terms are no words')
      assert.deepEqual(await found(term('cat')), [], 'words are no terms')
    })

    test('alternatives, opposites, nothing and everything', async () => {
      const [one, two, three] = [at(-3), at(-2), at(-1)]
      await index.apply([
        put(document(one, 'cat')),
        put(document(two, 'dog', { terms: ['is:reply'] })),
        put(document(three, 'cat dog')),
      ])
      assert.deepEqual(await found(any(words('cat'), words('dog'))), [three, two, one])
      assert.deepEqual(await found(all(words('dog'), not(term('is:reply')))), [three])
      assert.deepEqual(await found(not(words('cat'))), [two])
      assert.deepEqual(await found(all(not(words('cat')), not(term('is:reply')))), [])
      assert.deepEqual(await found(any(all(words('dog'), words('cat')), term('is:reply'))), [three, two])
      assert.deepEqual(await found(all()), [three, two, one])
      assert.deepEqual(await found(any()), [])
    })

    test('numbers are compared, alone, with words, in alternatives and negated', async () => {
      const [one, two, three] = [at(-3), at(-2), at(-1)]
      const numbers = (count: number) => ({ numbers: { likes: count, replies: 0, reposts: 0 } })
      await index.apply([
        put(document(one, 'cat', numbers(10))),
        put(document(two, 'dog', numbers(5))),
        put(document(three, 'cat')),
      ])
      assert.deepEqual(await found(likes(5)), [two, one])
      assert.deepEqual(await found(all(words('cat'), likes(10))), [one])
      assert.deepEqual(await found(all(words('cat'), not(likes(10)))), [three])
      assert.deepEqual(await found(any(likes(10), all(words('dog'), likes(5)))), [two, one])
      assert.deepEqual(await found(all(any(words('cat'), likes(5)), any(words('dog'), likes(10)))), [
        two,
        one,
      ])
      await index.apply([{ kind: 'count', id: three, numbers: { likes: 12, replies: 1, reposts: 2 } }])
      assert.deepEqual(await index.find(likes(11), EVER, 10), {
        found: [{ id: three, numbers: { likes: 12, replies: 1, reposts: 2 } }],
      })
    })

    test('a query of too many alternatives with numbers is rejected', async () => {
      const pair = any(likes(1), words('cat'))
      await assert.rejects(found(all(pair, pair, pair, pair, pair, pair, pair)), SearchTooComplex)
    })

    test('a query of 30 levels of groups and negations is answered, and a deeper one rejected', async () => {
      const dog = words('dog')
      const nested = (
        levels: number,
        deeper: (expression: SearchExpression) => SearchExpression,
      ): SearchExpression => (levels === 0 ? words('cat') : deeper(nested(levels - 1, deeper)))
      await found(nested(30, (inner) => all(dog, inner)))
      await found(nested(15, (inner) => all(dog, any(dog, inner))))
      await found(nested(15, (inner) => all(dog, not(inner))))
      await found(nested(10, (inner) => any(dog, all(dog, not(inner)))))
      await assert.rejects(found(nested(31, (inner) => all(dog, inner))), SearchTooComplex)
    })

    test('points and boxes lie in boxes and circles', async () => {
      const [point, town, far] = [at(-3), at(-2), at(-1)]
      await index.apply([
        put(document(point, '', { area: box(2.35, 48.86, 2.35, 48.86) })),
        put(document(town, '', { area: box(2.2, 48.8, 2.5, 48.9) })),
        put(document(far, '', { area: box(-105.2, 40, -105.2, 40) })),
        put(document(at(-4), 'without a place')),
      ])
      const inside = (area: ReturnType<typeof box>): SearchExpression => ({ kind: 'inside', area })
      const near = (km: number): SearchExpression => ({
        kind: 'near',
        longitude: 2.3522,
        latitude: 48.8566,
        km,
      })
      assert.deepEqual(await found(inside(box(2.1, 48.7, 2.6, 49))), [town, point])
      assert.deepEqual(await found(inside(box(2.3, 48.7, 2.6, 49))), [point])
      assert.deepEqual(await found(near(1)), [point])
      assert.deepEqual(await found(near(16)), [town, point])
      assert.deepEqual(await found(not(near(16))), [far, at(-4)])
    })

    test('a window has its first id and not its last, and a page its limit', async () => {
      const ids = [-60, -40, -20, -10, -3, -2, -1].map((days) => idAt(NOON + days * DAY_MS, 0, 0))
      await index.apply(ids.map((id) => put(document(id, 'cat'))))
      const newest = [...ids].reverse()
      assert.deepEqual(await found(words('cat'), EVER, 3), newest.slice(0, 3))
      const [from, , , , before] = ids as [string, string, string, string, string]
      assert.deepEqual(await found(words('cat'), { from, before }), newest.slice(3))
    })

    test('a document that is put again replaces the old one, and a removed one is not found', async () => {
      const id = at(-1)
      await index.apply([put(document(id, 'cat', { terms: ['from:1'] }))])
      await index.apply([put(document(id, 'dog'))])
      await index.apply([put(document(id, 'dog'))])
      assert.deepEqual([await found(words('cat')), await found(term('from:1'))], [[], []])
      assert.deepEqual(await found(words('dog')), [id])
      await index.apply([{ kind: 'remove', id }])
      await index.apply([{ kind: 'remove', id }])
      assert.deepEqual(await found(words('dog')), [])
      assert.deepEqual(await found(all()), [])
    })

    test('counts by spans of UTC, each document once', async () => {
      await index.apply([
        put(document(at(-30), 'cat dog')),
        put(document(at(-2), 'cat')),
        put(document(at(-2, 1), 'cat dog', { numbers: { likes: 3, replies: 0, reposts: 0 } })),
        put(document(at(-1), 'dog')),
      ])
      assert.deepEqual(await index.count(words('cat'), EVER, HOUR_MS), [
        { start: NOON - 30 * HOUR_MS, count: 1 },
        { start: NOON - 2 * HOUR_MS, count: 2 },
      ])
      assert.deepEqual(await index.count(any(likes(3), words('dog')), EVER, DAY_MS), [
        { start: Date.UTC(2026, 1, 2), count: 1 },
        { start: Date.UTC(2026, 1, 3), count: 2 },
      ])
      assert.deepEqual(await index.count(words('bird'), EVER, DAY_MS), [])
      const origin = NOON - 30 * HOUR_MS - 60_000
      const spans = [
        { start: origin, count: 1 },
        { start: origin + DAY_MS, count: 2 },
      ]
      assert.deepEqual(await index.count(words('cat'), EVER, DAY_MS, origin), spans)
      const filtered = all(words('cat'), not(likes(9)))
      assert.deepEqual(await index.count(filtered, EVER, DAY_MS, origin), spans)
    })

    test('a search that compares many documents ends early, and continues with the rest', async () => {
      await bounded.clear()
      const ids = Array.from({ length: 30 }, (_, n) => at(-40 + n))
      const [oldest = ''] = ids
      await bounded.apply(
        ids.map((id, n) =>
          put(
            document(id, n % 2 === 0 ? 'cat' : 'cat dog', {
              terms: ['lang:en'],
              numbers: { likes: n === 0 ? 99 : 1, replies: 0, reposts: 0 },
            }),
          ),
        ),
      )
      const pagesOf = async (expression: SearchExpression) => {
        const pages: string[][] = []
        for (let rest: SearchWindow | undefined = EVER; rest; ) {
          const page = await bounded.find(expression, rest, 5)
          pages.push(page.found.map(({ id }) => id))
          rest = page.rest
        }
        return pages
      }
      const near: SearchExpression = { kind: 'near', longitude: 2, latitude: 48, km: 1 }
      assert.deepEqual((await pagesOf(near)).flat(), [])
      for (const [expression, expected, least] of [
        [likes(99), [oldest], 3],
        [all(words('cat'), likes(99)), [oldest], 3],
        [all(words('dog'), likes(99)), [], 1],
        [all(not(words('dog')), likes(99)), [oldest], 3],
        [any(all(words('cat'), likes(99)), all(term('lang:en'), likes(98))), [oldest], 3],
        [any(near, likes(99)), [oldest], 3],
      ] as const) {
        const pages = await pagesOf(expression)
        const told = JSON.stringify([expression, pages])
        assert.deepEqual(pages.flat(), expected, told)
        assert.ok(pages.length >= least && pages.length <= 2 * least + 1, told)
      }
      // A full page is as long as ever, and words alone are found in all of the window.
      assert.deepEqual(await pagesOf(likes(1)), [ids.slice(-5).reverse()])
      assert.deepEqual(await pagesOf(all(words('cat'), likes(1))), [ids.slice(-5).reverse()])
      const { found, rest } = await bounded.find(all(words('dog'), term('lang:en')), EVER, 30)
      assert.deepEqual([found.length, rest], [15, undefined])
    })

    test('counts among too many documents are rejected', async () => {
      await bounded.clear()
      const ids = Array.from({ length: 30 }, (_, n) => at(-40 + n))
      await bounded.apply(ids.map((id, n) => put(document(id, n < 20 ? 'cat rare' : 'cat'))))
      const counted = (expression: SearchExpression, from = 0) =>
        bounded.count(expression, { from: ids[from] as string, before: at(1) }, DAY_MS)
      const total = (counts: readonly { count: number }[]) =>
        counts.reduce((sum, { count }) => sum + count, 0)
      assert.equal(total(await counted(words('rare'))), 20)
      assert.equal(total(await counted(words('cat'), 10)), 20)
      assert.deepEqual(await counted(likes(1), 10), [])
      for (const expression of [words('cat'), likes(1), all(words('cat'), likes(1))])
        await assert.rejects(
          counted(expression),
          new SearchTooComplex(
            'The query counts among more than 25 posts. Choose a shorter time window, or add words or operators that fewer posts match.',
          ),
        )
    })

    test('all changes of a batch or none', async () => {
      const wrong = { ...document(at(-1), 'cat'), id: 'not a number' }
      await assert.rejects(index.apply([put(document(at(-2), 'cat')), put(wrong)]))
      assert.deepEqual(await found(words('cat')), [])
    })

    test('is new until it is finished, and new again when it is reopened or cleared', async () => {
      assert.equal(await index.state(), 'new')
      await index.finish()
      await index.finish()
      assert.equal(await index.state(), 'built')
      const id = at(-1)
      await index.apply([put(document(id, 'cat'))])
      await index.reopen()
      assert.equal(await index.state(), 'new')
      assert.deepEqual(await found(words('cat')), [id])
      await index.finish()
      assert.equal(await index.state(), 'built')
      await index.clear()
      assert.equal(await index.state(), 'new')
    })

    test('quotes and backslashes in words and terms are characters like others', async () => {
      const id = at(-1)
      await index.apply([put(document(id, `it's`, { terms: [`source:a"b\\c'd`] }))])
      assert.deepEqual(await found(term(`source:a"b\\c'd`)), [id])
      assert.deepEqual(await found(term(`source:a`)), [])
      for (const hostile of [`" OR text : "cat`, `' | 'a`, `*`, `NOT`, `cat*`, `^cat`, `{text}`])
        assert.deepEqual(await found(all(term(hostile))), [], hostile)
    })
  })
}

describe('the file of the search index', () => {
  test('keeps what was applied', async () => {
    const file = join(folder, `${mark()}.db`)
    const first = sqliteSearchIndex(file)
    await first.apply([put(document(at(-1), 'cat'))])
    await first.finish()
    await first.close()
    const second = sqliteSearchIndex(file)
    assert.equal(await second.state(), 'built')
    assert.equal((await second.find(words('cat'), EVER, 1)).found.length, 1)
    await second.close()
  })

  const PAGE = 4_096
  const pagesOf = (bytes: Buffer) => Math.ceil(bytes.length / PAGE)
  const overwrite = (bytes: Buffer, from: number, to: number) =>
    Buffer.concat([
      bytes.subarray(0, from * PAGE),
      systemRandom.bytes((to - from) * PAGE),
      bytes.subarray(to * PAGE),
    ])
  /** What becomes of the bytes of the file. */
  const damages: Record<string, (bytes: Buffer) => Buffer> = {
    'is no database': () =>
      Buffer.from('no database at all, but a text that is longer than the head of one would be. '.repeat(20)),
    'has random bytes in its first page': (bytes) => overwrite(bytes, 0, 1),
    'has random bytes in all pages but the first': (bytes) => overwrite(bytes, 1, pagesOf(bytes)),
    'has random bytes in its second half': (bytes) =>
      overwrite(bytes, Math.floor(pagesOf(bytes) / 2), pagesOf(bytes)),
    'is empty': () => Buffer.alloc(0),
    'has lost its second half': (bytes) => bytes.subarray(0, Math.floor(pagesOf(bytes) / 2) * PAGE),
  }
  const UNNOTICED = new Set([
    'is empty while it is closed',
    'has random bytes in its first page while it is open',
  ])
  const IDS = Array.from({ length: 500 }, (_, n) => at(-10, n))
  const everything = IDS.map((id, n) => put(document(id, `cat number${n} ${'word '.repeat(20)}`)))

  for (const when of ['while it is closed', 'while it is open'])
    for (const [what, damage] of Object.entries(damages))
      test(`that ${what}, which happened ${when}, is replaced and can be built again`, async () => {
        const file = join(folder, `${mark()}.db`)
        const first = sqliteSearchIndex(file)
        await first.apply(everything)
        await first.finish()
        await first.close()
        const damaged = damage(await readFile(file))
        if (when === 'while it is closed') await writeFile(file, damaged)
        const index = sqliteSearchIndex(file)
        const lost: string[] = []
        index.onLost?.((reason) => lost.push(reason.message))
        if (when === 'while it is open') {
          assert.equal(await index.state(), 'built')
          await writeFile(file, damaged)
        }
        // Not every call reads what is damaged.
        const calls = [
          () => index.state(),
          ...IDS.map((_, n) => () => index.find(words(`cat number${n}`), EVER, 10)),
        ]
        let failure: unknown
        for (const call of calls)
          failure ??= await call().then(
            () => undefined,
            (error: unknown) => error,
          )
        // An empty file is an index that was never built, and the first page is read once.
        const isNoticed = !UNNOTICED.has(`${what} ${when}`)
        if (isNoticed) assert.ok(failure instanceof StoreUnavailable, String(failure))
        assert.deepEqual(lost, isNoticed ? ['the search index is damaged'] : [])
        assert.equal(await index.state(), isNoticed || what === 'is empty' ? 'new' : 'built')
        await index.clear()
        await index.apply(everything)
        await index.finish()
        assert.equal(await index.state(), 'built')
        assert.equal((await index.find(words('cat'), EVER, 1_000)).found.length, IDS.length)
        await index.close()
      })

  test('that is replaced while it is built is not complete', async () => {
    const file = join(folder, `${mark()}.db`)
    const index = new SearchDatabase(file)
    index.clear()
    index.apply(everything.slice(0, 250))
    // The next search finds it damaged.
    const other = new DatabaseSync(file)
    other.exec('drop table documents')
    other.close()
    const asked = {
      branches: branchesOf(words('cat')),
      window: EVER,
      candidates: 10,
    }
    assert.throws(() => index.find(asked, 10), /the search index is damaged/)
    index.apply(everything.slice(250))
    assert.throws(() => index.finish(), /replaced while it was built/)
    assert.equal(index.state(), 'new')
    index.clear()
    index.apply(everything)
    index.finish()
    assert.equal(index.state(), 'built')
    index.close()
  })
})

describe('the index of PostgreSQL', { skip: skipPostgres }, () => {
  test('a page of frequent words reads the newest documents only', async () => {
    const schema = `plaza_test_${mark()}`
    const clock = new ManualClock(NOON)
    const store = await openPostgres({ url: POSTGRES_URL, schema, clock, onError: () => undefined })
    try {
      // Five days with a document every two minutes, more than a table that would be read
      // completely.
      const ids = Array.from({ length: 3_600 }, (_, n) => idAt(NOON - n * 120_000, 0, 0))
      await postgresSearchIndex(store).apply(ids.map((id) => put(document(id, 'the cat and the dog'))))
      const asked: { text: string; values: unknown[] }[] = []
      const noted: Store = {
        ...store,
        all(query, args) {
          const statement = query.compile('postgres')
          asked.push({ text: statement.sql, values: bind(statement, args) })
          return store.all(query, args)
        },
      }
      const both = all(words('cat'), words('dog'))
      const { found } = await postgresSearchIndex(noted).find(both, { from: at(-120), before: at(1) }, 11)
      assert.deepEqual(
        found.map(({ id }) => id),
        ids.slice(0, 11),
      )
      assert.equal(asked.length, 1)
      await withPostgres(async (client) => {
        await client.query(`set search_path to ${schema}`)
        await client.query('analyze search_documents')
        const [{ text = '', values = [] } = {}] = asked
        const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
        const read = rowsRead(rows[0]['QUERY PLAN'][0].Plan)
        assert.ok(read >= 11 && read < 100, `${read} documents were read`)
        // What is compared and matches nothing ends at its bound.
        for (const expression of [likes(99), all(words('cat'), likes(99))]) {
          asked.length = 0
          const window = { from: at(-120), before: at(1) }
          const few = postgresSearchIndex(noted, { found: 150, counted: 1_000 })
          const { found: none, rest } = await few.find(expression, window, 11)
          assert.deepEqual([none, rest], [[], { from: at(-120), before: ids[149] }])
          let compared = 0
          for (const expression of asked) {
            const plan = await client.query(
              `explain (analyze, format json) ${expression.text}`,
              expression.values,
            )
            compared += rowsRead(plan.rows[0]['QUERY PLAN'][0].Plan)
          }
          assert.ok(compared >= 150 && compared < 450, `${compared} documents were compared`)
        }
      })
    } finally {
      await store.close()
      await dropSchema(schema)
    }
  })
})

interface QueryPlan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: QueryPlan[]
}

/** The number of documents that a plan read. */
function rowsRead(plan: QueryPlan): number {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const own = plan['Relation Name'] === 'search_documents' ? rows * plan['Actual Loops'] : 0
  return own + (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)
}
