import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type KeywordInsights, keywordInsights } from '../src/domain/insights/insights.ts'
import { rowOfPlainPost } from '../src/domain/posts/insert.ts'
import { addPost } from '../src/domain/posts/queries.ts'
import { countedIn } from '../src/domain/search/document.ts'
import { postgresSearchIndex } from '../src/domain/search/index/postgres-index.ts'
import type { SearchIndex } from '../src/domain/search/index/search-index.ts'
import { sqliteSearchIndex } from '../src/domain/search/index/sqlite-index.ts'
import { indexTurns } from '../src/domain/search/search.ts'
import { createUser } from '../src/identity/users/users.ts'
import { ManualClock } from '../src/platform/common/clock.ts'
import { idAt } from '../src/platform/common/ids.ts'
import { fractions, randomText, seededRandom, systemRandom } from '../src/platform/common/random.ts'
import { openStore, type StoreLocation } from '../src/platform/storage/open.ts'
import { bind, type Query } from '../src/platform/storage/query.ts'
import type { Store } from '../src/platform/storage/store.ts'
import type { Figure } from './figure.ts'

// Keyword insights of ten keywords over 7 days by the hour, among a tenth of the posts and among
// all of them: embedded, and on PostgreSQL beside its statements alone.

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

interface Posts {
  store: Store
  index: SearchIndex
}

const NUMBERS = { likes: 0, replies: 0, reposts: 0 }

/** Frequent words are frequent, as in languages: the first in one of ten places. */
const wordAt = (fraction: number) => `w${Math.floor(VOCABULARY ** fraction) - 1}`

async function fill({ store, index }: Posts, count: number, random: () => number): Promise<void> {
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
      const document = { id, words, links: [], terms: [countedIn(country)], numbers: NUMBERS }
      return { row, document }
    })
    await store.write(async (tx) => {
      for (const { row } of posts) await tx.run(addPost, row)
    })
    await index.apply(posts.map(({ document }) => ({ kind: 'put', document })))
  }
  await index.finish()
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN

interface Filled extends Posts {
  perSecond: number
}

async function filled(location: StoreLocation, posts: number): Promise<Filled> {
  const store = await openStore(location, { clock: new ManualClock(END_MS), onError: console.error })
  const isFile = location.kind === 'file'
  const index = isFile ? sqliteSearchIndex(`${location.path}.search`) : postgresSearchIndex(store)
  const started = performance.now()
  await fill({ store, index }, posts, fractions(seededRandom(`insights ${posts}`)))
  return { store, index, perSecond: (posts * 1000) / (performance.now() - started) }
}

async function close({ store, index }: Posts): Promise<void> {
  await index.close()
  await store.close()
}

const insightsOf = (store: Pick<Store, 'all'>, index: SearchIndex): KeywordInsights =>
  // What it reads is built before.
  keywordInsights(store, indexTurns(index, { caughtUp: async () => undefined }))

const ask = (insights: KeywordInsights, words: readonly string[]) =>
  insights.search({
    keywords: words.map((word) => [word]),
    negativeKeywords: [],
    country: 'US',
    startMs: END_MS - WEEK_MS,
    endMs: END_MS,
    bucketMs: HOUR_MS,
    owner: 'user 1',
  })

interface Statement {
  /** Absent if the text differs from call to call. */
  name?: string
  text: string
  values: unknown[]
}

/** A store that notes the statements of a call, so that they can be sent again without Plaza. */
function noting(store: Store, statements: Statement[]): Pick<Store, 'all' | 'first' | 'write'> {
  const note = (query: Query<never, unknown>, args: object) => {
    const statement = query.compile('postgres')
    const { name, prepared } = query
    statements.push({ ...(prepared && { name }), text: statement.sql, values: bind(statement, args) })
  }
  return {
    all(query, args) {
      note(query, args)
      return store.all(query, args)
    },
    first(query, args) {
      note(query, args)
      return store.first(query, args)
    },
    write: (work) => store.write(work),
  }
}

/**
 * Milliseconds of each call among few posts and among many, and of the statements of the latter
 * alone, sorted. They take turns, so that what else the machine does is the same for all of them.
 */
async function measure(small: Posts, large: Posts, client: pg.Client | undefined) {
  const statements: Statement[] = []
  const random = fractions(seededRandom('insights probes'))
  const few = insightsOf(small.store, small.index)
  const noted = noting(large.store, statements)
  const many =
    client === undefined
      ? insightsOf(large.store, large.index)
      : insightsOf(noted, postgresSearchIndex(noted))
  const spent = { few: [] as number[], many: [] as number[], bare: [] as number[] }
  const timed = async (name: keyof typeof spent, turn: number, call: () => Promise<unknown>) => {
    const started = performance.now()
    await call()
    if (turn >= WARM_UP) spent[name].push(performance.now() - started)
  }
  for (let turn = 0; turn < PROBES + WARM_UP; turn++) {
    const words = Array.from({ length: KEYWORDS }, () => wordAt(random()))
    await timed('few', turn, () => ask(few, words))
    statements.length = 0
    await timed('many', turn, () => ask(many, words))
    await timed('bare', turn, async () => {
      for (const one of statements) await client?.query(one)
    })
  }
  for (const list of Object.values(spent)) list.sort((one, other) => one - other)
  return spent
}

interface Wanted {
  add: (figure: Figure) => void
  rows: number
}

async function addFigures(
  { add, rows }: Wanted,
  name: string,
  where: { small: StoreLocation; large: StoreLocation; client?: pg.Client },
): Promise<void> {
  const fewer = Math.ceil(rows / SHARE)
  const small = await filled(where.small, fewer)
  const large = await filled(where.large, rows)
  const { few, many, bare } = await measure(small, large, where.client).finally(() =>
    Promise.all([close(small), close(large)]),
  )
  const p99 = at(many, 0.99)
  const growth = at(many, 0.5) / at(few, 0.5)
  add({
    name: `insights, ${name}: ${rows} posts into the store and the index`,
    unit: '/s',
    plaza: large.perSecond,
  })
  add({
    name: `insights, ${name}: ten keywords over 7 days by the hour, p99`,
    unit: 'ms',
    plaza: p99,
    bare: where.client && at(bare, 0.99),
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
  if (where.client === undefined) return
  const [plaza, alone] = [at(many, 0.5), at(bare, 0.5)]
  add({
    name: `insights, ${name}: beside its statements alone, p50`,
    unit: 'ms',
    plaza,
    bare: alone,
    ratio: plaza / alone,
  })
}

async function embedded(wanted: Wanted): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plaza-bench-insights-'))
  const file = (name: string) => ({ kind: 'file', path: join(folder, `${name}.db`) }) as const
  try {
    await addFigures(wanted, 'embedded', { small: file('small'), large: file('large') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(wanted: Wanted, url: string): Promise<void> {
  const schema = `plaza_bench_${randomText(systemRandom, 8, 'abcdefghijklmnopqrstuvwxyz')}`
  const [small, large] = [`${schema}_small`, `${schema}_large`]
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${large}` })
  await client.connect()
  const location = (name: string) => ({ kind: 'postgres', url, schema: name }) as const
  try {
    await addFigures(wanted, 'PostgreSQL', { small: location(small), large: location(large), client })
  } finally {
    for (const one of [small, large]) await client.query(`DROP SCHEMA IF EXISTS "${one}" CASCADE`)
    await client.end()
  }
}

export async function measureInsights({ databaseUrl, ...wanted }: Wanted & { databaseUrl: string }) {
  await embedded(wanted)
  await onPostgres(wanted, databaseUrl)
}
