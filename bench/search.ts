import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { postgresSearchIndex } from '../src/domain/search/index/postgres-index.ts'
import type { SearchDocument, SearchIndex } from '../src/domain/search/index/search-index.ts'
import { sqliteSearchIndex } from '../src/domain/search/index/sqlite-index.ts'
import { systemClock } from '../src/platform/common/clock.ts'
import { ID_EPOCH_MS, idAt } from '../src/platform/common/ids.ts'
import { fractions, seededRandom } from '../src/platform/common/random.ts'
import { openPostgres } from '../src/platform/storage/postgres.ts'
import type { Figure } from './figure.ts'

// Searches of the index, embedded and on PostgreSQL, among a tenth of the posts and among all of
// them: the times of the first page and of counts.

const PAGE_TARGET_MS = 25
const COUNT_TARGET_MS = 50
const GROWTH_TARGET = 2
const SHARE = 10
const BATCH = 2_000
const VOCABULARY = 20_000
const WORDS_OF_A_POST = 12
const AUTHORS = 5_000
const PROBES = 400
const COUNT_PROBES = 40
const PAGE = 11
const HOUR_MS = 3_600_000
const WEEK_MS = 168 * HOUR_MS
/** The posts are spread over four weeks. */
const SPAN_MS = 4 * WEEK_MS
const END_MS = Date.UTC(2026, 1, 1)

/** Word frequencies are skewed, as in languages: the most frequent word is one in ten. */
const wordAt = (fraction: number) => `w${Math.floor(VOCABULARY ** fraction) - 1}`

function document(n: number, count: number, random: () => number): SearchDocument {
  const words = Array.from({ length: WORDS_OF_A_POST }, () => wordAt(random()))
  const terms = [`from:${Math.floor(random() * AUTHORS)}`, 'lang:en', ...(random() < 0.2 ? ['is:reply'] : [])]
  const id = idAt(END_MS - SPAN_MS + Math.floor((n / count) * SPAN_MS), 0, n % 4096)
  return { id, words, links: [], terms, numbers: { likes: 0, replies: 0, reposts: 0 } }
}

async function fill(index: SearchIndex, count: number, random: () => number): Promise<void> {
  for (let at = 0; at < count; at += BATCH) {
    const length = Math.min(BATCH, count - at)
    const documents = Array.from({ length }, (_, n) => document(at + n, count, random))
    await index.apply(documents.map((one) => ({ kind: 'put', document: one })))
  }
  await index.finish()
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN
const word = (text: string) => ({ kind: 'words', of: 'text', words: [text] }) as const
const WEEK = { from: idAt(END_MS - WEEK_MS, 0, 0), before: idAt(END_MS, 0, 0) }
const COUNTED_WORD = 'w100'

/**
 * Queries: the first page of the posts of a week that have all words, and the counts of a word by
 * hour.
 */
interface Asked {
  page(words: readonly string[]): Promise<unknown>
  count(): Promise<unknown>
}

const asked = (index: SearchIndex): Asked => ({
  page: (words) => index.find({ kind: 'all', of: words.map(word) }, WEEK, PAGE),
  count: () => index.count(word(COUNTED_WORD), WEEK, HOUR_MS),
})

/**
 * The milliseconds of each call, sorted, for each index. The indexes take turns, so that other load
 * affects all of them alike.
 */
async function inTurn<Name extends string>(
  times: number,
  of: Readonly<Record<Name, Asked>>,
  call: (one: Asked, turn: number) => Promise<unknown>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(of) as Name[]
  const spent = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let turn = 0; turn < times; turn++)
    for (const name of names) {
      const started = performance.now()
      await call(of[name], turn)
      spent[name].push(performance.now() - started)
    }
  for (const name of names) spent[name].sort((one, other) => one - other)
  return spent
}

async function measure<Name extends string>(of: Readonly<Record<Name, Asked>>) {
  const random = fractions(seededRandom('search probes'))
  const words = Array.from({ length: PROBES }, () => [wordAt(random()), wordAt(random())])
  const pages = await inTurn(PROBES, of, (one, turn) => one.page(words[turn] ?? []))
  const counts = await inTurn(COUNT_PROBES, of, (one) => one.count())
  return { pages, counts }
}

/** Fills an index. Resolves to posts per second. */
async function filled(index: SearchIndex, posts: number): Promise<number> {
  const started = performance.now()
  await fill(index, posts, fractions(seededRandom(`search ${posts}`)))
  return (posts * 1000) / (performance.now() - started)
}

type Times = Readonly<Record<'small' | 'large', readonly number[]>> & { bare?: readonly number[] }

interface Measured {
  name: string
  rows: number
  perSecond: number
  pages: Times
  counts: Times
}

function addFigures(add: Wanted['add'], { name, rows, perSecond, pages, counts }: Measured): void {
  const page = at(pages.large, 0.99)
  const count = at(counts.large, 0.99)
  add({ name: `${name}: ${rows} posts into the index`, unit: '/s', plaza: perSecond })
  add({
    name: `${name}: first page of two words, p99`,
    unit: 'ms',
    plaza: page,
    bare: pages.bare && at(pages.bare, 0.99),
    target: `< ${PAGE_TARGET_MS}`,
    pass: page < PAGE_TARGET_MS,
  })
  add({
    name: `${name}: counts by hour over 7 days, p99`,
    unit: 'ms',
    plaza: count,
    bare: counts.bare && at(counts.bare, 0.99),
    target: `< ${COUNT_TARGET_MS}`,
    pass: count < COUNT_TARGET_MS,
  })
  for (const [what, times] of [
    ['first page', pages],
    ['counts', counts],
  ] as const) {
    const growth = at(times.large, 0.5) / at(times.small, 0.5)
    add({
      name: `${name}: ${what} compared with ${Math.ceil(rows / SHARE)} posts, p50`,
      unit: '×',
      plaza: growth,
      target: `≤ ${GROWTH_TARGET}`,
      pass: growth <= GROWTH_TARGET,
    })
  }
}

interface Wanted {
  add: (figure: Figure) => void
  rows: number
}

export async function measureSearch({ add, rows }: Wanted): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-search-'))
  const small = sqliteSearchIndex(join(folder, 'small.db'))
  const large = sqliteSearchIndex(join(folder, 'large.db'))
  try {
    await filled(small, Math.ceil(rows / SHARE))
    const perSecond = await filled(large, rows)
    const found = await measure({ small: asked(small), large: asked(large) })
    addFigures(add, { name: 'search', rows, perSecond, ...found })
  } finally {
    await Promise.all([small.close(), large.close()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same on PostgreSQL, where the large index is also asked by bare SQL of the same plan. */
export async function measureSearchOnPostgres({ add, rows, url }: Wanted & { url: string }): Promise<void> {
  const name = 'search on PostgreSQL'
  await withSchema(url, async (small) => {
    await withSchema(url, async (large, db) => {
      await filled(small, Math.ceil(rows / SHARE))
      const perSecond = await filled(large, rows)
      const found = await measure({ small: asked(small), large: asked(large), bare: askedInSql(db) })
      addFigures(add, { name, rows, perSecond, ...found })
      for (const [what, times] of [
        ['first page', found.pages],
        ['counts', found.counts],
      ] as const) {
        const [plaza, bare] = [at(times.large, 0.5), at(times.bare, 0.5)]
        add({ name: `${name}: ${what} beside bare SQL, p50`, unit: 'ms', plaza, bare, ratio: plaza / bare })
      }
    })
  })
}

/** An index in a schema of its own, and a client of that schema. */
async function withSchema(url: string, run: (index: SearchIndex, db: pg.Client) => Promise<void>) {
  const schema = `plaza_bench_${randomBytes(6).toString('hex')}`
  const store = await openPostgres({ url, schema, clock: systemClock, onError: () => undefined })
  const db = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await db.connect()
  try {
    await run(postgresSearchIndex(store), db)
  } finally {
    await db.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    await db.end()
    await store.close()
  }
}

/** The bits of an id right of the number of its span, by the name of the span. */
const SPAN_BITS = { s1: 44n, s2: 48n }

/** The spans of a name from an id on and before another, as a query. */
function spansOf(name: keyof typeof SPAN_BITS, from: string, before: string): string {
  const [first, last] = [BigInt(from) >> SPAN_BITS[name], (BigInt(before) - 1n) >> SPAN_BITS[name]]
  const spans = Array.from({ length: Number(last - first) + 1 }, (_, n) => `'${name}:${first + BigInt(n)}'`)
  return spans.join(' | ')
}

const minutesBack = (minutes: number) => idAt(END_MS - minutes * 60_000, 0, 0)

/**
 * Asks the newest hours first, then the newest day, and the rest of the week when these have too
 * few.
 */
function askedInSql(db: pg.Client): Asked {
  const [hours, day] = [minutesBack(70), minutesBack(1_120)]
  const parts = [
    { from: hours, before: WEEK.before, spans: spansOf('s1', hours, WEEK.before) },
    { from: day, before: hours, spans: spansOf('s2', day, hours) },
    { from: WEEK.from, before: day, spans: spansOf('s2', WEEK.from, day) },
  ]
  return {
    async page(words) {
      let found = 0
      for (const { spans, from, before } of parts) {
        const { rows } = await db.query(
          `select id, likes, replies, reposts from search_documents
           where words @@ $1::tsquery and words @@ $2::tsquery and words @@ $3::tsquery and id + 0 >= $4 and id + 0 < $5
           order by id desc limit ${PAGE}`,
          [spans, ...words.map((one) => `'t:${one}'`), from, before],
        )
        found += rows.length
        if (found >= PAGE) break
      }
    },
    count: () =>
      db.query(
        `select ((id >> 22) + ${ID_EPOCH_MS}) / ${HOUR_MS} as hour, count(*) from search_documents
         where words @@ $1::tsquery and words @@ $2::tsquery and id + 0 >= $3 and id + 0 < $4 group by 1 order by 1`,
        [spansOf('s2', WEEK.from, WEEK.before), `'t:${COUNTED_WORD}'`, WEEK.from, WEEK.before],
      ),
  }
}
