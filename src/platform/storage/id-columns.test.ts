import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { REACH_MS } from '../../../test/support/until.ts'
import { entities } from '../../api/ads/entity/entity.ts'
import { randomText, systemRandom } from '../common/random.ts'
// Declares every entity, and the queries of the server.
import '../../app/server.ts'
import { adHocQuery, fixedTables } from '../../app/tables.ts'
import { columnTypeOf } from './ddl.ts'
import { allQueries, type CompiledStatement } from './query.ts'
import { schemaText } from './schema/schema.ts'

const POSTGRES_URL = process.env.PLAZA_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const schema = `plaza_test_${randomText(systemRandom, 12, 'abcdefghijklmnopqrstuvwxyz')}`

// The queries of the command line.
for (const file of globSync(['../../**/*queries.ts', '../../app/checks/*.ts'], { cwd: import.meta.dirname }))
  await import(new URL(file, import.meta.url).href)

const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: REACH_MS })
client.on('error', () => undefined)
const skip = await client.connect().then(
  () => false,
  () => `PostgreSQL does not answer at ${POSTGRES_URL}`,
)
const sqlite = new DatabaseSync(':memory:')

before(async () => {
  sqlite.exec(schemaText('sqlite'))
  if (skip) return
  await client.query(`create schema ${schema}`)
  await client.query(`set search_path to ${schema}`)
  await client.query(schemaText('postgres'))
})
after(async () => {
  sqlite.close()
  if (!skip) await client.query(`drop schema ${schema} cascade`)
  await client.end()
})

/** Tables whose rows have ids that order them in time. Imported posts have ids of any age. */
const ORDERED = [
  ...['posts', 'polls', 'draft_posts', 'scheduled_posts', 'media', 'dm_events', 'notes', 'news_stories'],
  ...['activity_subscriptions', 'stream_rules'],
]
/** Columns with ids of such rows. */
const REFERENCE = /^(?:.*_)?(?:post|version|event|media|subtitles|entry|note|story|poll)_id$/
/** Columns with other ids of that name. */
const OTHERS: Readonly<Record<string, string>> = {
  'app_event_tags.provider_app_event_id': 'given by a provider',
  'deliveries.event_id': 'recognizes duplicates, and is no row',
  'media_creatives.account_media_id': 'in base 36',
}

test('the ids that order rows, and references to them, are 64-bit ids', () => {
  const tables = [...fixedTables, ...entities.map(({ table }) => table)]
  const columns = tables.flatMap(({ name: table, columns }) =>
    Object.entries(columns).map(([name, { type }]) => ({ table, name, type, path: `${table}.${name}` })),
  )
  const missing = ORDERED.filter((table) => !columns.some(({ path }) => path === `${table}.id`))
  assert.deepEqual(missing, [])
  const wrong = columns.filter(
    ({ table, name, type, path }) =>
      type !== 'id64' &&
      OTHERS[path] === undefined &&
      (REFERENCE.test(name) || (name === 'id' && ORDERED.includes(table))),
  )
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
  const conversation = columns.find(({ path }) => path === 'posts.conversation_id')
  assert.equal(conversation?.type, 'id64', 'the conversation of a post is a post')
})

test('PostgreSQL accepts the types of every query', { skip }, async () => {
  const rejected: string[] = []
  for (const query of allQueries) {
    const { sql } = query.compile('postgres')
    if (!/^\s*(select|with|insert|update|delete)\b/i.test(sql)) continue
    await client
      .query(`prepare declared as ${sql}`)
      .then(() => client.query('deallocate declared'))
      .catch((error: Error) => rejected.push(`${query.name}: ${error.message}`))
  }
  assert.deepEqual(rejected, [])
})

const NUMERIC_OID = 1700

/** The names of the columns of a result that PostgreSQL returns as ids. */
async function idsOfPostgres(sql: string, count: number): Promise<string[]> {
  await client.query('begin')
  try {
    const { fields } = await client.query({ text: sql, values: Array.from({ length: count }, () => null) })
    return fields.filter(({ dataTypeID }) => dataTypeID === NUMERIC_OID).map(({ name }) => name)
  } finally {
    await client.query('rollback')
  }
}

/** SQLite knows the types of columns, but not of expressions. */
const idsOfSqlite = (sql: string): string[] =>
  sqlite
    .prepare(sql)
    .columns()
    .filter(({ type }) => type === columnTypeOf('id64', 'sqlite'))
    .map(({ name }) => name)

test('every query returns ids as columns or as text, never as other expressions', { skip }, async () => {
  const differing: string[] = []
  for (const query of allQueries) {
    if (query.only === 'postgres') continue
    const { sql, values } = query.compile('postgres')
    if (!/^\s*(select|with)\b|\breturning\b/i.test(sql)) continue
    const ofPostgres = (await idsOfPostgres(sql, values.length)).join()
    const ofSqlite = idsOfSqlite(query.compile('sqlite').sql).join()
    if (ofPostgres !== ofSqlite)
      differing.push(`${query.name}: ${ofPostgres} on PostgreSQL, ${ofSqlite} on SQLite`)
  }
  assert.deepEqual(differing, [])
})

/** The names of the arguments that PostgreSQL takes as ids. */
async function idArguments({ sql, values }: CompiledStatement): Promise<Set<string>> {
  await client.query(`prepare declared as ${sql}`)
  const { rows } = await client.query<{ types: string[] }>(
    'select parameter_types::text[] as types from pg_prepared_statements',
  )
  await client.query('deallocate declared')
  const types = rows[0]?.types ?? []
  return new Set(values.flatMap((value, index) => (types[index] === 'numeric' ? [nameOf(value)] : [])))
}

/** The name of the argument of a placeholder; empty for a literal. */
const nameOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : ''

const COMPARISONS = new Set(['Eq', 'Ne', 'Lt', 'Le', 'Gt', 'Ge'])
/** Bits of a comparison in the code of SQLite: which of its sides are converted, and to what. */
const AFFINITY = 0x47
const NUMERIC_AFFINITY = 0x43

/** The arguments that SQLite compares with a value without converting them to integers. */
function comparedAsText({ sql, values }: CompiledStatement, ids: ReadonlySet<string>): string[] {
  const code = sqlite.prepare(`explain ${sql}`).all()
  const names = new Map<unknown, string>()
  for (const { opcode, p1, p2 } of code) {
    const name = opcode === 'Variable' ? nameOf(values[Number(p1) - 1]) : ''
    if (ids.has(name)) names.set(p2, name)
  }
  return code.flatMap(({ opcode, p1, p3, p5 }) => {
    const name = names.get(p1) ?? names.get(p3)
    const isComparison = COMPARISONS.has(String(opcode)) && (Number(p5) & AFFINITY) < NUMERIC_AFFINITY
    return isComparison && name !== undefined ? [name] : []
  })
}

test('a comparison of an id with another expression is found', { skip }, async () => {
  const query = adHocQuery<{ before: string; id: string }>('wrong', (db, at) => ({
    compile: () =>
      sql`select 1 from posts where coalesce(quoted_post_id, id) < ${at.before} and id = ${at.id}`.compile(
        db,
      ),
  }))
  const ids = await idArguments(query.compile('postgres'))
  assert.deepEqual([...ids], ['before', 'id'])
  assert.deepEqual(comparedAsText(query.compile('sqlite'), ids), ['before'])
})

test('every query compares ids with columns, never with other expressions', { skip }, async () => {
  const wrong: string[] = []
  for (const query of allQueries) {
    if (query.only === 'postgres') continue
    const ids = await idArguments(query.compile('postgres'))
    if (ids.size === 0) continue
    const names = comparedAsText(query.compile('sqlite'), ids)
    if (names.length > 0) wrong.push(`${query.name}: ${names.join()}`)
  }
  assert.deepEqual(wrong, [])
})
