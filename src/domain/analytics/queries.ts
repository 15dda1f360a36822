import { type RawBuilder, sql } from 'kysely'
import { anyIdIn, postgres } from '../../platform/storage/query.ts'
import { removalOf } from '../../platform/storage/removal.ts'
import type { PostRow } from '../posts/tables.ts'
import { query } from '../tables.ts'
import { postHours } from './tables.ts'

/** An amount that is counted in an hour, of a post (any version) or a medium. */
export interface CountRow {
  readonly id: string
  readonly hour: number
  readonly metric: string
  readonly amount: number
}

/** A JSON list of `CountRow` as a table. */
const rowsIn = (isPostgres: boolean, rows: unknown) =>
  isPostgres
    ? sql`jsonb_to_recordset(${rows}::jsonb) as given(id numeric, hour bigint, metric text, amount bigint)`
    : sql`(select value->>'id' as id, value->>'hour' as hour, value->>'metric' as metric,
        value->>'amount' as amount from json_each(${rows})) as given`

/** Where the rows of one kind of object belong: its id, and how it is found. */
const KINDS = {
  post: {
    id: sql`posts.first_version_id`,
    from: sql`join posts on posts.id = given.id where posts.deleted = 0`,
  },
  media: { id: sql`media.id`, from: sql`join media on media.id = given.id where true` },
} as const
type Kind = keyof typeof KINDS

/**
 * Adds to the amounts of hours. `rows` is a JSON list of `CountRow`. Objects that are gone are
 * skipped. In one order, so that two transactions cannot deadlock.
 */
const addHours = (kind: Kind) =>
  query<{ rows: string }>(`addHoursOf_${kind}`, (db, at) => {
    const { id, from } = KINDS[kind]
    const key = sql.ref(`${kind}_id`)
    return {
      compile: () =>
        sql`insert into ${sql.table(`${kind}_hours`)} (${key}, hour, metric, amount)
          select ${id}, given.hour, given.metric, cast(sum(given.amount) as bigint)
            from ${rowsIn(postgres(db), at.rows)} ${from}
            group by ${id}, given.hour, given.metric order by ${id}, given.hour, given.metric
          on conflict (${key}, hour, metric)
          do update set amount = ${sql.ref(`${kind}_hours.amount`)} + excluded.amount`.compile(db),
    }
  })

/** Adds to the sums over all hours. */
const addTotals = (kind: Kind) =>
  query<{ rows: string }>(`addTotalsOf_${kind}`, (db, at) => {
    const { id, from } = KINDS[kind]
    const key = sql.ref(`${kind}_id`)
    return {
      compile: () =>
        sql`insert into ${sql.table(`${kind}_totals`)} (${key}, metric, amount)
          select ${id}, given.metric, cast(sum(given.amount) as bigint)
            from ${rowsIn(postgres(db), at.rows)} ${from}
            group by ${id}, given.metric order by ${id}, given.metric
          on conflict (${key}, metric)
          do update set amount = ${sql.ref(`${kind}_totals.amount`)} + excluded.amount`.compile(db),
    }
  })

export const addPostHours = addHours('post')
export const addPostTotals = addTotals('post')
export const addMediaHours = addHours('media')
export const addMediaTotals = addTotals('media')

/** Adds the impressions among the rows of posts, whose first versions are locked. */
export const addImpressions = query<{ rows: string }>('addImpressionsOfPosts', (db, at) => ({
  compile: () =>
    sql`update posts set impression_count = posts.impression_count + counted.amount
      from (select named.first_version_id as first, cast(sum(given.amount) as bigint) as amount
        from ${rowsIn(postgres(db), at.rows)} join posts as named on named.id = given.id
        where given.metric = 'impressions' group by named.first_version_id) as counted
      where posts.first_version_id = counted.first`.compile(db),
}))

/** Posts that were viewed. `ids` is a JSON list. */
export const viewedPosts = query<{ ids: string }, Pick<PostRow, 'id' | 'reposted_post_id' | 'media_keys'>>(
  'viewedPosts',
  (db, at) =>
    db
      .selectFrom('posts')
      .select(['id', 'reposted_post_id', 'media_keys'])
      .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
      .where('deleted', '=', 0),
)

/** The videos among some media. `ids` is a JSON list. */
export const videosAmong = query<{ ids: string }, { id: string }>('videosAmongMedia', (db, at) =>
  db
    .selectFrom('media')
    .select('id')
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
    .where('category', 'in', [sql.lit('POST_VIDEO'), sql.lit('AMPLIFY_VIDEO')]),
)

/** The hours from one to another (exclusive), in buckets of `size` hours, shifted by `shift`. */
export interface BucketArgs {
  /** A JSON list of first versions of posts, or of media. */
  ids: string
  from: number
  until: number
  size: number
  shift: number
}

/** What was counted of an object in a bucket. */
export interface BucketRow {
  id: string
  bucket: number
  metric: string
  amount: number
}

const integer = (value: unknown): RawBuilder<number> => sql<number>`cast(${value} as bigint)`

const buckets = (kind: Kind) =>
  query<BucketArgs, BucketRow>(`bucketsOf_${kind}`, (db, at) => {
    const id = sql.ref(`${kind}_id`)
    const bucket = sql`(hour + ${integer(at.shift)}) / ${integer(at.size)}`
    return {
      compile: () =>
        sql`select id, bucket, metric, cast(sum(amount) as bigint) as amount
          from (select ${id} as id, ${bucket} as bucket, metric, amount from ${sql.table(`${kind}_hours`)}
            where ${anyIdIn(postgres(db), id, at.ids)} and hour >= ${at.from} and hour < ${at.until}) as hours
          group by id, bucket, metric`.compile(db),
    }
  })

export const postBuckets = buckets('post')
export const mediaBuckets = buckets('media')

const totals = (kind: Kind) =>
  query<{ ids: string }, Omit<BucketRow, 'bucket'>>(`totalsOf_${kind}`, (db, at) => ({
    compile: () => {
      const id = sql.ref(`${kind}_id`)
      return sql`select ${id} as id, metric, amount from ${sql.table(`${kind}_totals`)}
        where ${anyIdIn(postgres(db), id, at.ids)}`.compile(db)
    },
  }))

export const postTotalsOf = totals('post')
export const mediaTotalsOf = totals('media')

/** Removes some hours of a post that is deleted. */
export const removePostHours = removalOf('removeSomePostHours', postHours, 'post_id', 'post')

export const removePostTotals = query<{ post: string }>('removePostTotals', (db, at) =>
  db.deleteFrom('post_totals').where('post_id', '=', at.post),
)
