import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '../src/common/clock.ts'
import { idAt } from '../src/common/ids.ts'
import { fractions, seededRandom } from '../src/common/random.ts'
import type { SearchDocument, SearchIndex } from '../src/storage/search/search-index.ts'
import { openPostgres } from '../src/storage/postgres.ts'
import { postgresSearchIndex } from '../src/storage/search/postgres-index.ts'
import { sqliteSearchIndex } from '../src/storage/search/sqlite-index.ts'
import type { Figure } from './figure.ts'

// Searches of the index, embedded and on PostgreSQL, among a tenth of the posts and among all of them: how long the first page takes, and counts.

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
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 168 * HOUR_MS
/** The posts of a service that has them in four weeks. */
const SPAN_MS = 4 * WEEK_MS
const END_MS = Date.UTC(2026, 1, 1)

/** Frequent words are frequent, as in languages: the first in one of ten places. */
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

/** Milliseconds of each call, sorted. */
async function timed(times: number, call: () => Promise<unknown>): Promise<number[]> {
  const spent: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    await call()
    spent.push(performance.now() - started)
  }
  return spent.sort((one, other) => one - other)
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN
const word = (text: string) => ({ kind: 'words', of: 'text', words: [text] }) as const
const between = (fromMs: number) => ({ from: idAt(fromMs, 0, 0), before: idAt(END_MS, 0, 0) })

interface Measured {
  perSecond: number
  pages: readonly number[]
  counts: readonly number[]
}

async function measure(index: SearchIndex, posts: number): Promise<Measured> {
  const random = fractions(seededRandom(`search ${posts}`))
  const started = performance.now()
  await fill(index, posts, random)
  const perSecond = (posts * 1000) / (performance.now() - started)
  const pages = await timed(PROBES, () => {
    const both = { kind: 'all', of: [word(wordAt(random())), word(wordAt(random()))] } as const
    return index.find(both, between(END_MS - WEEK_MS), PAGE)
  })
  const counts = await timed(COUNT_PROBES, () =>
    index.count(word('w100'), between(END_MS - WEEK_MS), HOUR_MS),
  )
  return { perSecond, pages, counts }
}

function addFigures(
  add: (figure: Figure) => void,
  { name, rows, small, large }: { name: string; rows: number; small: Measured; large: Measured },
): void {
  const page = at(large.pages, 0.99)
  const count = at(large.counts, 0.99)
  const growth = at(large.pages, 0.5) / at(small.pages, 0.5)
  add({ name: `${name}: ${rows} posts into the index`, unit: '/s', plaza: large.perSecond })
  add({
    name: `${name}: first page of two words, p99`,
    unit: 'ms',
    plaza: page,
    target: `< ${PAGE_TARGET_MS}`,
    pass: page < PAGE_TARGET_MS,
  })
  add({
    name: `${name}: counts by hour over 7 days, p99`,
    unit: 'ms',
    plaza: count,
    target: `< ${COUNT_TARGET_MS}`,
    pass: count < COUNT_TARGET_MS,
  })
  add({
    name: `${name}: first page beside one of ${Math.ceil(rows / SHARE)} posts, p50`,
    unit: '×',
    plaza: growth,
    target: `≤ ${GROWTH_TARGET}`,
    pass: growth <= GROWTH_TARGET,
  })
}

interface Wanted {
  add: (figure: Figure) => void
  rows: number
}

export async function measureSearch({ add, rows }: Wanted): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-search-'))
  const measured = async (posts: number) => {
    const index = sqliteSearchIndex(join(folder, `${posts}.db`))
    return measure(index, posts).finally(() => index.close())
  }
  try {
    const small = await measured(Math.ceil(rows / SHARE))
    addFigures(add, { name: 'search', rows, small, large: await measured(rows) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same on PostgreSQL, where the large index is also asked by bare SQL of the same plan. */
export async function measureSearchOnPostgres({ add, rows, url }: Wanted & { url: string }): Promise<void> {
  const measured = async (posts: number) => {
    const schema = `plaza_bench_${randomBytes(6).toString('hex')}`
    const store = await openPostgres({ url, schema, clock: systemClock, onError: () => undefined })
    const db = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
    await db.connect()
    try {
      const found = await measure(postgresSearchIndex(store), posts)
      return { ...found, bare: await barePages(db, posts) }
    } finally {
      await db.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
      await db.end()
      await store.close()
    }
  }
  const small = await measured(Math.ceil(rows / SHARE))
  const large = await measured(rows)
  const name = 'search on PostgreSQL'
  addFigures(add, { name, rows, small, large })
  const [plaza, bare] = [at(large.pages, 0.5), at(large.bare, 0.5)]
  add({ name: `${name}: first page beside bare SQL, p50`, unit: 'ms', plaza, bare, ratio: plaza / bare })
}

/** Asks the newest day first, and the rest of the week when that has too few. */
function barePages(db: pg.Client, posts: number): Promise<number[]> {
  const random = fractions(seededRandom(`search ${posts} bare`))
  const newest = Math.floor(END_MS / DAY_MS) - 1
  /** Days are counted back from the newest. */
  const ask = async (words: string, from: number, to: number) => {
    const days = Array.from({ length: to - from + 1 }, (_, n) => `'d:${newest - from - n}'`).join(' | ')
    const { rows } = await db.query(
      `select id, likes, replies, reposts from search_documents
       where words @@ $1::tsquery and id >= $2 and id < $3 order by id desc limit ${PAGE}`,
      [`${words} & (${days})`, idAt(END_MS - (to + 1) * DAY_MS, 0, 0), idAt(END_MS - from * DAY_MS, 0, 0)],
    )
    return rows.length
  }
  return timed(PROBES, async () => {
    const words = `'t:${wordAt(random())}' & 't:${wordAt(random())}'`
    if ((await ask(words, 0, 0)) < PAGE) await ask(words, 1, 6)
  })
}
