import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ManualClock } from '../src/common/clock.ts'
import { idAt } from '../src/common/ids.ts'
import { fractions, randomText, seededRandom, systemRandom } from '../src/common/random.ts'
import { blockAt } from '../src/insights/block.ts'
import type { KeywordInsights } from '../src/insights/insights.ts'
import { keywordInsights } from '../src/insights/insights.ts'
import { placesOfTerms, setInsightsState } from '../src/insights/queries.ts'
import { rollupVersion } from '../src/insights/rollup.ts'
import { changeRollups } from '../src/insights/write.ts'
import { rowOfPlainPost } from '../src/posts/insert.ts'
import { addPost } from '../src/posts/queries.ts'
import type { StoreLocation } from '../src/storage/open.ts'
import { openStore } from '../src/storage/open.ts'
import { bind } from '../src/storage/query.ts'
import type { Store } from '../src/storage/store.ts'
import { createUser } from '../src/users/users.ts'
import type { Figure } from './figure.ts'

// Keyword insights of ten keywords over 7 days by the hour, among a tenth of the posts and among all of them: embedded, and
// on PostgreSQL beside its largest query alone.

const TARGET_MS = 100
const GROWTH_TARGET = 2
const SHARE = 10
const BATCH = 500
const VOCABULARY = 20_000
const WORDS_OF_A_POST = 12
const KEYWORDS = 10
const PROBES = 100
const WARM_UP = 10
const HOUR_MS = 3_600_000
const WEEK_MS = 168 * HOUR_MS
/** The posts of a service that has them in four weeks. */
const SPAN_MS = 4 * WEEK_MS
const END_MS = Date.UTC(2026, 1, 1)
const COUNTRIES = ['US', 'US', 'US', 'GB', 'JP', 'BR', 'DE', 'IN']

/** Frequent words are frequent, as in languages: the first in one of ten places. */
const wordAt = (fraction: number) => `w${Math.floor(VOCABULARY ** fraction) - 1}`

async function fill(store: Store, count: number, random: () => number): Promise<void> {
  const author = {
    id: '1',
    screen_name: 'a',
    screen_name_key: 'a',
    name: 'A',
    password_hash: '',
    suspended: 0,
  }
  await store.write((tx) => createUser(tx, { ...author, created_at: END_MS }))
  const clock = new ManualClock(END_MS)
  for (let at = 0; at < count; at += BATCH) {
    const posts = Array.from({ length: Math.min(BATCH, count - at) }, (_, n) => {
      const atMs = END_MS - SPAN_MS + Math.floor(((at + n) / count) * SPAN_MS)
      clock.moveTo(atMs)
      const words = Array.from({ length: WORDS_OF_A_POST }, () => wordAt(random()))
      const id = idAt(atMs, 0, (at + n) % 4096)
      const row = rowOfPlainPost(
        {
          environment: 'production',
          authorId: author.id,
          text: words.join(' '),
          nullcast: false,
          replySettings: 'everyone',
          appId: '1',
          contributorId: null,
          lang: 'en',
        },
        { clock, ids: { next: () => id } },
      )
      const country = COUNTRIES[Math.floor(random() * COUNTRIES.length)] as string
      return { row, counted: { id, country, atMs, terms: new Set(words) } }
    })
    await store.write(async (tx) => {
      for (const { row } of posts) await tx.run(addPost, row)
    })
    await store.write((tx) =>
      changeRollups(
        tx,
        posts.map(({ counted }) => counted),
        [],
      ),
    )
  }
  await store.write((tx) => tx.run(setInsightsState, { value: rollupVersion }))
}

/** Milliseconds of each call, sorted. */
async function timed(call: () => Promise<unknown>): Promise<number[]> {
  const spent: number[] = []
  for (let n = 0; n < PROBES + WARM_UP; n++) {
    const started = performance.now()
    await call()
    if (n >= WARM_UP) spent.push(performance.now() - started)
  }
  return spent.sort((one, other) => one - other)
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN

const words = (random: () => number) => Array.from({ length: KEYWORDS }, () => wordAt(random()))

const ask = (insights: KeywordInsights, random: () => number) =>
  insights.search({
    keywords: words(random).map((word) => [word]),
    negativeKeywords: [],
    country: 'US',
    startMs: END_MS - WEEK_MS,
    endMs: END_MS,
    bucketMs: HOUR_MS,
  })

async function measure(location: StoreLocation, posts: number) {
  const random = fractions(seededRandom(`insights ${posts}`))
  const store = await openStore(location, { clock: new ManualClock(END_MS), onError: console.error })
  try {
    const started = performance.now()
    await fill(store, posts, random)
    const perSecond = (posts * 1000) / (performance.now() - started)
    const insights = keywordInsights(store)
    const calls = await timed(() => ask(insights, random))
    const bare = location.kind === 'postgres' ? await timedBare(location, random) : undefined
    return { perSecond, calls, bare }
  } finally {
    await store.close()
  }
}

/** The query that reads the words of every hour, sent to PostgreSQL by its client. */
async function timedBare({ url, schema }: StoreLocation & { kind: 'postgres' }, random: () => number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`ANALYZE "${schema}".insight_terms`)
    await client.query(`SET search_path TO "${schema}"`)
    const first = blockAt(END_MS - WEEK_MS)
    const blocks = Array.from({ length: WEEK_MS / HOUR_MS }, (_, n) => first + n * blockAt(HOUR_MS))
    const statement = placesOfTerms.compile('postgres')
    return await timed(() => {
      const args = { country: 'US', blocks: JSON.stringify(blocks), terms: JSON.stringify(words(random)) }
      return client.query({ name: 'bare', text: statement.sql, values: bind(statement, args) })
    })
  } finally {
    await client.end()
  }
}

async function onPostgres(url: string, posts: number) {
  const schema = `plaza_bench_${randomText(systemRandom, 8, 'abcdefghijklmnopqrstuvwxyz')}`
  try {
    return await measure({ kind: 'postgres', url, schema }, posts)
  } finally {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    await client.end()
  }
}

async function embedded(folder: string, posts: number) {
  return measure({ kind: 'file', path: join(folder, `${posts}.db`) }, posts)
}

export async function measureInsights(options: {
  add: (figure: Figure) => void
  rows: number
  databaseUrl: string
}): Promise<void> {
  const { add, rows, databaseUrl } = options
  const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-insights-'))
  const fewer = Math.ceil(rows / SHARE)
  try {
    for (const [name, run] of [
      ['embedded', (posts: number) => embedded(folder, posts)],
      ['PostgreSQL', (posts: number) => onPostgres(databaseUrl, posts)],
    ] as const) {
      const small = await run(fewer)
      const large = await run(rows)
      const p99 = at(large.calls, 0.99)
      const growth = at(large.calls, 0.5) / at(small.calls, 0.5)
      add({ name: `insights, ${name}: ${rows} posts with their rollups`, unit: '/s', plaza: large.perSecond })
      add({
        name: `insights, ${name}: ten keywords over 7 days by the hour, p99`,
        unit: 'ms',
        plaza: p99,
        bare: large.bare && at(large.bare, 0.99),
        target: `< ${TARGET_MS}`,
        pass: p99 < TARGET_MS,
      })
      add({
        name: `insights, ${name}: beside ${fewer} posts, p50`,
        unit: '×',
        plaza: growth,
        target: `≤ ${GROWTH_TARGET}`,
        pass: growth <= GROWTH_TARGET,
      })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
