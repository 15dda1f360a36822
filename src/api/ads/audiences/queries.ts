import { sql } from 'kysely'
import type { Int64 } from '../../../platform/common/int64.ts'
import { locked, picked, postgres } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import { anyOf, DELETED, VISIBLE } from '../entity/queries.ts'
import { type AudiencePermissionRow, audiencePermissions, type FlexibleAudienceRow } from './tables.ts'

/**
 * An audience that is not deleted, of an account that is not deleted, with the permission of an
 * account.
 */
export const audienceFor = query<
  { id: string; account: string },
  { account_id: string; name: string; audience_type: string; permission_level: string | null }
>('audienceFor', (db, at) => ({
  compile: () =>
    sql`select custom_audiences.account_id, custom_audiences.name, custom_audiences.audience_type,
        granted.permission_level from custom_audiences
      inner join accounts as owner on owner.id = custom_audiences.account_id and owner.deleted = 0
      left join audience_permissions as granted on granted.audience_id = custom_audiences.id
        and granted.granted_account_id = ${at.account} and granted.deleted = 0
      where custom_audiences.id = ${at.id} and custom_audiences.deleted = 0`.compile(db),
}))

/** The audience of an account with a name, by its key, if it is not deleted. */
export const audienceOfName = query<{ account: string; key: string }, { id: string }>(
  'audienceOfName',
  (db, at) => ({
    compile: () =>
      sql`select id from custom_audiences
        where account_id = ${at.account} and name_key = ${at.key} and deleted = 0`.compile(db),
  }),
)

/** The do not reach list of an account, if it is not deleted. */
export const doNotReachListOf = query<{ account: string }, { id: string }>('doNotReachListOf', (db, at) => ({
  compile: () =>
    sql`select id from do_not_reach_lists where account_id = ${at.account} and deleted = 0 limit 1`.compile(
      db,
    ),
}))

/** The audiences of an account, and its do not reach list. */
export const audiencesOfAccount = query<{ account: string }, { id: string }>(
  'audiencesOfAccount',
  (db, at) => ({
    compile: () =>
      sql`select id from custom_audiences where account_id = ${at.account} and deleted = 0
        union all
        select id from do_not_reach_lists where account_id = ${at.account} and deleted = 0`.compile(db),
  }),
)

// Audiences that combine others

export const addFlexible = query<{ audience: string }>('addFlexible', (db, at) =>
  db.insertInto('flexible_audiences').values({
    audience_id: at.audience,
    revision: 1,
    counted_revision: 0,
    size: 0,
    counted_at: 0,
    progress: null,
  }),
)

export const addFlexiblePart = query<{ audience: string; part: string }>('addFlexiblePart', (db, at) =>
  db.insertInto('flexible_audience_parts').values({ audience_id: at.audience, part_id: at.part }),
)

export const removeFlexible = query<{ audience: string }>('removeFlexible', (db, at) =>
  db.deleteFrom('flexible_audiences').where('audience_id', '=', at.audience),
)

export const removeFlexibleParts = query<{ audience: string }>('removeFlexibleParts', (db, at) =>
  db.deleteFrom('flexible_audience_parts').where('audience_id', '=', at.audience),
)

/** The number of combinations that name an audience, counted no further than a limit. */
export const countOfCombinations = query<{ part: string; limit: number }, { count: number }>(
  'countOfCombinations',
  (db, at) =>
    db
      .selectFrom(
        db
          .selectFrom('flexible_audience_parts')
          .select('part_id')
          .where('part_id', '=', at.part)
          .limit(at.limit)
          .as('counted'),
      )
      .select(sql<number>`count(*)`.as('count')),
)

/** The combinations that name an audience with their accounts, locked by this transaction. */
export const combinationsOf = query<{ part: string }, { audience: string; account: string }>(
  'combinationsOf',
  (db, at) => ({
    compile: () =>
      sql`select flexible.audience_id as audience, custom_audiences.account_id as account
      from flexible_audience_parts as part
      inner join flexible_audiences as flexible on flexible.audience_id = part.audience_id
      inner join custom_audiences on custom_audiences.id = part.audience_id
      where part.part_id = ${at.part} order by part.audience_id
      ${postgres(db) ? sql`for no key update of flexible` : sql``}`.compile(db),
  }),
)

/** Members of parts of these combinations change. `audiences` is a JSON list. */
export const markCombinations = query<{ audiences: string }>('markCombinations', (db, at) =>
  db
    .updateTable('flexible_audiences')
    .set({ revision: sql`revision + 1` })
    .where(anyOf(db, sql.ref('audience_id'), at.audiences)),
)

/** Those of some audiences that combine others. `audiences` is a JSON list. */
export const flexibleStates = query<
  { audiences: string },
  { audience: string; size: number; processing: number }
>('flexibleStates', (db, at) =>
  db
    .selectFrom('flexible_audiences')
    .select([
      'audience_id as audience',
      'size',
      sql<number>`case when counted_revision < revision then 1 else 0 end`.as('processing'),
    ])
    .where(anyOf(db, sql.ref('audience_id'), at.audiences)),
)

/** A combination to count, unless it or its account is deleted. */
export const flexibleToCount = query<
  { audience: string },
  Pick<FlexibleAudienceRow, 'revision' | 'counted_revision' | 'counted_at' | 'progress'> & {
    segments: string
  }
>('flexibleToCount', (db, at) => ({
  compile: () =>
    sql`select flexible.revision, flexible.counted_revision, flexible.counted_at, flexible.progress,
        custom_audiences.segments
      from flexible_audiences as flexible
      inner join custom_audiences on custom_audiences.id = flexible.audience_id and custom_audiences.deleted = 0
      inner join accounts as owner on owner.id = custom_audiences.account_id and owner.deleted = 0
      where flexible.audience_id = ${at.audience}`.compile(db),
}))

export const recordFlexibleProgress = query<{ audience: string; progress: string }>(
  'recordFlexibleProgress',
  (db, at) =>
    db
      .updateTable('flexible_audiences')
      .set({ progress: at.progress })
      .where('audience_id', '=', at.audience),
)

export const recordFlexibleCount = query<{ audience: string; size: number; revision: number; now: number }>(
  'recordFlexibleCount',
  (db, at) =>
    db
      .updateTable('flexible_audiences')
      .set({ size: at.size, counted_revision: at.revision, counted_at: at.now, progress: null })
      .where('audience_id', '=', at.audience),
)

/** The permission of an account for an audience, locked by this transaction. */
export const permissionOf = query<{ audience: string; granted: string }, AudiencePermissionRow>(
  'permissionOf',
  (db, at) =>
    locked(
      db,
      db
        .selectFrom('audience_permissions')
        .selectAll()
        .where('audience_id', '=', at.audience)
        .where('granted_account_id', '=', at.granted)
        .where('deleted', '=', sql.lit(0)),
    ),
)

export const permissionById = query<{ audience: string; id: string }, AudiencePermissionRow>(
  'permissionById',
  (db, at) =>
    locked(
      db,
      db
        .selectFrom('audience_permissions')
        .selectAll()
        .where('audience_id', '=', at.audience)
        .where('id', '=', at.id)
        .where('visibility', '=', VISIBLE),
    ),
)

export const addPermission = query<AudiencePermissionRow>('addPermission', (db, at) =>
  db.insertInto('audience_permissions').values(picked(at, columnNames(audiencePermissions))),
)

export const changePermission = query<{ audience: string; id: string; level: string; now: number }>(
  'changePermission',
  (db, at) =>
    db
      .updateTable('audience_permissions')
      .set({ permission_level: at.level, updated_at: at.now })
      .where('audience_id', '=', at.audience)
      .where('id', '=', at.id),
)

export const removePermission = query<{ audience: string; id: string; now: number }>(
  'removePermission',
  (db, at) =>
    db
      .updateTable('audience_permissions')
      .set({ deleted: 1, visibility: DELETED, updated_at: at.now })
      .where('audience_id', '=', at.audience)
      .where('id', '=', at.id),
)

/** An account that an audience may be shared with: in the same environment, and not deleted. */
export const accountToGrant = query<
  { id: string; environment: string },
  { id: string; business_id: string | null }
>('accountToGrant', (db, at) =>
  db
    .selectFrom('accounts')
    .select(['id', 'business_id'])
    .where('id', '=', at.id)
    .where('environment', '=', at.environment)
    .where('deleted', '=', 0),
)

export const hasFeature = query<{ account: string; feature: string }, { feature_key: string }>(
  'hasFeature',
  (db, at) =>
    db
      .selectFrom('account_features')
      .select('feature_key')
      .where('account_id', '=', at.account)
      .where('feature_key', '=', at.feature),
)

export interface TargetingLineItem {
  id: string
  name: string | null
  campaign_id: string
  bid_amount_local_micro: Int64 | null
  total_budget_amount_local_micro: Int64 | null
}

/** The next line items of an account that target an audience. */
export const lineItemsTargetedAt = query<
  { account: string; audience: string; after: string; limit: number },
  TargetingLineItem
>('lineItemsTargetedAt', (db, at) => ({
  compile: () =>
    // One criterion of a line item is enough; it may have one for each operator.
    sql`select line_items.id, line_items.name, line_items.campaign_id, line_items.bid_amount_local_micro,
        line_items.total_budget_amount_local_micro
      from (
        select distinct line_item_id from targeting_criteria
        where account_id = ${at.account} and targeting_type = 'CUSTOM_AUDIENCE' and targeting_value = ${at.audience}
          and visibility = 0 and line_item_id > ${at.after}
        order by line_item_id limit ${at.limit}
      ) as targeted
      inner join line_items on line_items.account_id = ${at.account} and line_items.id = targeted.line_item_id
      order by targeted.line_item_id`.compile(db),
}))

/** The names of some campaigns, including deleted ones, ordered by id. `ids` is a JSON list. */
export const namesOfCampaigns = query<{ account: string; ids: string }, { id: string; name: string }>(
  'namesOfCampaigns',
  (db, at) => ({
    compile: () =>
      sql`select id, name from campaigns
        where account_id = ${at.account} and ${anyOf(db, sql.ref('id'), at.ids)} order by id`.compile(db),
  }),
)
