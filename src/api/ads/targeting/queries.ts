import { sql } from 'kysely'
import { isPublicPost } from '../../../domain/posts/public-sql.ts'
import { ORGANIC } from '../../../domain/posts/visibility.ts'
import { sampleKey } from '../../../identity/users/sample-sql.ts'
import { anyIn, locked, postgres } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'
import type { TargetingType } from './names.ts'

/**
 * A line item that is not deleted, locked by this transaction, so that two concurrent requests
 * cannot both add the last allowed criterion.
 */
export const targetedLineItem = query<{ account: string; id: string }, { id: string; objective: string }>(
  'targetedLineItem',
  (db, at) =>
    locked(
      db,
      db
        .selectFrom('line_items')
        .select(['id', 'objective'])
        .where('account_id', '=', at.account)
        .where('id', '=', at.id)
        .where('deleted', '=', 0),
    ),
)

/** The criteria of a line item with one value: at most one row per operator. */
export const criteriaOfValue = query<
  { account: string; lineItem: string; type: TargetingType; value: string },
  { id: string; operator_type: string }
>('criteriaOfValue', (db, at) =>
  db
    .selectFrom('targeting_criteria')
    .select(['id', 'operator_type'])
    .where('account_id', '=', at.account)
    .where('line_item_id', '=', at.lineItem)
    .where('targeting_type', '=', at.type)
    .where('targeting_value', '=', at.value)
    .where('visibility', '=', VISIBLE),
)

/** The number of criteria of each type of a line item. */
export const countCriteria = query<
  { account: string; lineItem: string },
  { targeting_type: string; total: number }
>('countCriteria', (db, at) => ({
  compile: () =>
    sql`select targeting_type, count(*) as total from targeting_criteria
      where account_id = ${at.account} and line_item_id = ${at.lineItem} and visibility = 0
      group by targeting_type`.compile(db),
}))

/** The values of one type that a line item targets. */
export const valuesOfType = query<
  { account: string; lineItem: string; type: TargetingType },
  { targeting_value: string; operator_type: string }
>('valuesOfType', (db, at) =>
  db
    .selectFrom('targeting_criteria')
    .select(['targeting_value', 'operator_type'])
    .where('account_id', '=', at.account)
    .where('line_item_id', '=', at.lineItem)
    .where('targeting_type', '=', at.type)
    .where('visibility', '=', VISIBLE),
)

/** Whether a line item has a curated category. */
export const curatedCategoryOfLineItem = query<
  { account: string; lineItem: string },
  { id: string; curated_category_id: string }
>('curatedCategoryOfLineItem', (db, at) =>
  db
    .selectFrom('line_item_curated_categories')
    .select(['id', 'curated_category_id'])
    .where('account_id', '=', at.account)
    .where('line_item_id', '=', at.lineItem)
    .where('visibility', '=', VISIBLE)
    .limit(1),
)

/** The first users by sample key: the same random sample every time. */
export const sampleOfUsers = query<
  { limit: number },
  { id: string; sample_key: number; description: string; location: string; suspended: number }
>('sampleOfUsers', (db, at) =>
  db
    .selectFrom('users')
    .select(['id', 'description', 'location', 'suspended', sampleKey.as('sample_key')])
    .where(sampleKey, '>=', 0)
    .orderBy(sampleKey)
    .limit(at.limit),
)

/** Some users who are not suspended. `ids` is a JSON list. */
export const usersByIds = query<{ ids: string }, { id: string; description: string; suspended: number }>(
  'usersByIds',
  (db, at) =>
    db
      .selectFrom('users')
      .select(['id', 'description', 'suspended'])
      .where(anyIn(postgres(db), sql.ref('id'), at.ids))
      .where('suspended', '=', 0),
)

/** Characters of a long post that estimates and suggestions read, which bounds their work. */
const READ_CHARACTERS = 1_000

/** The latest public posts of a user, or the beginning of long ones. */
export const latestPosts = query<
  { author: string; environment: string; limit: number },
  { text: string; lang: string }
>('latestPosts', (db, at) =>
  db
    .selectFrom('posts')
    .select([sql<string>`substr(text, 1, ${sql.lit(READ_CHARACTERS)})`.as('text'), 'lang'])
    .where('author_id', '=', at.author)
    .where('environment', '=', at.environment)
    .where('visibility', '=', ORGANIC)
    .where(isPublicPost('posts.id'))
    .orderBy('id', 'desc')
    .limit(at.limit),
)

/** The number of followers of a user. */
export const followersOf = query<{ id: string }, { followers_count: number }>('followersOf', (db, at) =>
  db.selectFrom('users').select('followers_count').where('id', '=', at.id),
)
