import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { anyIdIn, locked, postgres } from '../../platform/storage/query.ts'
import { isPublicPost } from '../posts/public-sql.ts'
import type { Database } from '../tables.ts'
import { query } from '../tables.ts'

const STATE = 'keyword_insights'

/** The version of the rollups. Transactions that change rollups lock its row. */
export const lockInsights = query<object, { value: string }>('lockInsights', (db) =>
  locked(db, db.selectFrom('settings').select('value').where('name', '=', STATE)),
)

export const insightsState = query<object, { value: string }>('insightsState', (db) =>
  db.selectFrom('settings').select('value').where('name', '=', STATE),
)

export const setInsightsState = query<{ value: string }>('setInsightsState', (db, at) =>
  db
    .insertInto('settings')
    .values({ name: STATE, value: at.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`excluded.value` })),
)

/**
 * The row of a table with a given key, as a lateral join: it is looked up for each of the given rows. PostgreSQL does not know how
 * few rows are given, and would otherwise read the whole table; a limit prevents that.
 */
const lookedUp = (db: Database, table: string, key: RawBuilder<unknown>): RawBuilder<unknown> =>
  postgres(db)
    ? sql`cross join lateral (select * from ${sql.table(table)} t where ${key} limit 1) t`
    : sql`cross join ${sql.table(table)} t on ${key}`

/** An argument that is a JSON list of lists as the rows of `given`, with a column for each type. */
function rowsOf(
  db: Database,
  list: unknown,
  columns: Readonly<Record<string, 'text' | 'id' | 'integer' | 'bytes'>>,
): RawBuilder<unknown> {
  const isPostgres = postgres(db)
  const cells = Object.entries(columns).map(([name, type], index) => {
    const position = sql.lit(index)
    const cell = isPostgres ? sql`value ->> ${position}` : sql`json_extract(value, ${sql.lit(`$[${index}]`)})`
    const typed = isPostgres
      ? {
          text: cell,
          id: sql`(${cell})::numeric`,
          integer: sql`(${cell})::integer`,
          bytes: sql`decode(${cell}, 'hex')`,
        }
      : { text: cell, id: cell, integer: cell, bytes: sql`unhex(${cell})` }
    return sql`${typed[type]} as ${sql.ref(name)}`
  })
  const source = isPostgres ? sql`jsonb_array_elements(${list}::jsonb)` : sql`json_each(${list})`
  return sql`(select ${sql.join(cells)} from ${source}) as given`
}

export interface PlacedPost {
  post_id: string
  country: string
  block: number
  place: number
}

/** The blocks and positions of posts. `ids` is a JSON list. */
export const placesOfPosts = query<{ ids: string }, PlacedPost>('insightPlacesOfPosts', (db, at) =>
  db
    .selectFrom('insight_posts')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('post_id'), at.ids)),
)

interface Block {
  country: string
  block: number
  posts: Uint8Array
}

const blockKey = sql`t.country = given.country and t.block = given.block`

/** The last block of each period and country. `times` is a JSON list of countries with the first blocks of a period and of the next. */
export const lastBlocks = query<{ times: string }, Block>('lastInsightBlocks', (db, at) => {
  const key = sql`t.country = given.country and t.block = (
    select max(x.block) from insight_blocks x
    where x.country = given.country and x.block >= given.start and x.block < given.next)`
  const columns = { country: 'text', start: 'integer', next: 'integer' } as const
  return {
    compile: () =>
      sql`select t.country, t.block, t.posts from ${rowsOf(db, at.times, columns)}
          ${lookedUp(db, 'insight_blocks', key)}`.compile(db),
  }
})

/** `keys` is a JSON list of countries with blocks. */
export const blocksByKeys = query<{ keys: string }, Block>('insightBlocksByKeys', (db, at) => ({
  compile: () =>
    sql`select t.country, t.block, t.posts
        from ${rowsOf(db, at.keys, { country: 'text', block: 'integer' })}
        ${lookedUp(db, 'insight_blocks', blockKey)}`.compile(db),
}))

/** `blocks` is a JSON list of countries with blocks and their posts in hexadecimal digits. */
export const putBlocks = query<{ blocks: string }>('putInsightBlocks', (db, at) => ({
  compile: () =>
    sql`insert into insight_blocks (country, block, posts)
        select country, block, posts
        from ${rowsOf(db, at.blocks, { country: 'text', block: 'integer', posts: 'bytes' })} where true
        on conflict (country, block) do update set posts = excluded.posts`.compile(db),
}))

/** `posts` is a JSON list of ids with countries, blocks and places. */
export const addPlaces = query<{ posts: string }>('addInsightPosts', (db, at) => ({
  compile: () =>
    sql`insert into insight_posts (post_id, country, block, place)
        select post_id, country, block, place
        from ${rowsOf(db, at.posts, { post_id: 'id', country: 'text', block: 'integer', place: 'integer' })}`.compile(
      db,
    ),
}))

/** `terms` is a JSON list of countries with blocks, terms and places in hexadecimal digits, which are appended. */
export const addTerms = query<{ terms: string }>('addInsightTerms', (db, at) => {
  const both = sql`insight_terms.places || excluded.places`
  // In SQLite, `||` of blobs returns text with the same bytes.
  const joined = postgres(db) ? both : sql`cast(${both} as blob)`
  const columns = { country: 'text', block: 'integer', term: 'text', places: 'bytes' } as const
  return {
    compile: () =>
      sql`insert into insight_terms (country, block, term, places)
          select country, block, term, places from ${rowsOf(db, at.terms, columns)} where true
          on conflict (country, block, term) do update set places = ${joined}`.compile(db),
  }
})

/** The blocks of a country in a range, the end exclusive, oldest first. */
export const blocksBetween = query<
  { country: string; from: number; before: number },
  Pick<Block, 'block' | 'posts'>
>('insightBlocksBetween', (db, at) =>
  db
    .selectFrom('insight_blocks')
    .select(['block', 'posts'])
    .where('country', '=', at.country)
    .where('block', '>=', at.from)
    .where('block', '<', at.before)
    .orderBy('block'),
)

interface OfTerms {
  country: string
  /** A JSON list of numbers. */
  blocks: string
  /** A JSON list. */
  terms: string
}

/** The rows of some terms in some blocks. */
function termRows(db: Database, at: OfTerms): RawBuilder<unknown> {
  const block = postgres(db) ? sql`asked_blocks.value::integer` : sql`asked_blocks.value`
  const key = sql`t.country = ${at.country} and t.block = ${block} and t.term = asked_terms.value`
  return sql`${list(db, at.blocks, 'asked_blocks')} cross join ${list(db, at.terms, 'asked_terms')}
      ${lookedUp(db, 'insight_terms', key)}`
}

const list = (db: Database, values: unknown, name: string) =>
  postgres(db)
    ? sql`jsonb_array_elements_text(${values}::jsonb) as ${sql.ref(name)}(value)`
    : sql`json_each(${values}) as ${sql.ref(name)}`

/** The positions of terms in blocks. */
export const placesOfTerms = query<OfTerms, { block: number; term: string; places: Uint8Array }>(
  'insightPlacesOfTerms',
  (db, at) => ({ compile: () => sql`select t.block, t.term, t.places from ${termRows(db, at)}`.compile(db) }),
)

/** The texts of public posts by position. `places` is a JSON list of lists of a block and a position. */
export const textsAt = query<
  { country: string; places: string },
  { author_id: string; text: string; entities: string }
>('insightTextsAt', (db, at) => {
  const key = sql`t.country = ${at.country} and t.block = given.block and t.place = given.place`
  // PostgreSQL looks up each post because of the limit, as in `lookedUp`.
  const post = postgres(db)
    ? sql`cross join lateral (select * from posts where id = t.post_id and ${isPublicPost('posts.id')} limit 1) posts`
    : sql`cross join posts on posts.id = t.post_id and ${isPublicPost('posts.id')}`
  return {
    compile: () =>
      sql`select posts.author_id, posts.text, posts.entities
          from ${rowsOf(db, at.places, { block: 'integer', place: 'integer' })}
          ${lookedUp(db, 'insight_posts', key)} ${post}`.compile(db),
  }
})

/** The oldest blocks before one. */
export const oldBlocks = query<{ before: number; limit: number }, Pick<Block, 'country' | 'block'>>(
  'oldInsightBlocks',
  (db, at) =>
    db
      .selectFrom('insight_blocks')
      .select(['country', 'block'])
      .where('block', '<', at.before)
      .orderBy('block')
      .limit(at.limit),
)

export const removeTerms = query<{ country: string; block: number; limit: number }>(
  'removeInsightTerms',
  (db, at) =>
    db
      .deleteFrom('insight_terms')
      .where('country', '=', at.country)
      .where('block', '=', at.block)
      .where('term', 'in', (on) =>
        on
          .selectFrom('insight_terms as old')
          .select('old.term')
          .where('old.country', '=', at.country)
          .where('old.block', '=', at.block)
          .orderBy('old.term')
          .limit(at.limit),
      ),
)

export const removePlaces = query<{ country: string; block: number }>('removeInsightPosts', (db, at) =>
  db.deleteFrom('insight_posts').where('country', '=', at.country).where('block', '=', at.block),
)

export const removeBlock = query<{ country: string; block: number }>('removeInsightBlock', (db, at) =>
  db.deleteFrom('insight_blocks').where('country', '=', at.country).where('block', '=', at.block),
)
