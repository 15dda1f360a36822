import { sql } from 'kysely'
import { anyIdIn, anyIn, picked, postgres } from '../../platform/storage/query.ts'
import { columnNames } from '../../platform/storage/table.ts'
import { query } from '../tables.ts'
import { type StreamRuleRow, streamRules } from './tables.ts'

/** The app and the stream of rules. */
export interface RuleOwner {
  app: string
  stream: string
}

/**
 * Blocks other writers of rules of the same owner until the transaction ends, so that a count stays
 * correct.
 */
export const lockOwner = query<{ owner: string }>('lockOwnerOfRules', (db, at) =>
  db.updateTable('apps').set({ name: sql<string>`name` }).where('owner_user_id', '=', at.owner),
)

export const addRule = query<StreamRuleRow>('addStreamRule', (db, at) =>
  db.insertInto('stream_rules').values(picked(at, columnNames(streamRules))),
)

/** The next rules of an app in the order of their ids. */
export const pageOfRules = query<RuleOwner & { after: string; limit: number }, StreamRuleRow>(
  'pageOfStreamRules',
  (db, at) =>
    db
      .selectFrom('stream_rules')
      .selectAll()
      .where('app_id', '=', at.app)
      .where('stream', '=', at.stream)
      .where('id', '>', at.after)
      .orderBy('id')
      .limit(at.limit),
)

/** The next ids of the rules of an app. */
export const pageOfRuleIds = query<RuleOwner & { after: string; limit: number }, { id: string }>(
  'pageOfStreamRuleIds',
  (db, at) =>
    db
      .selectFrom('stream_rules')
      .select('id')
      .where('app_id', '=', at.app)
      .where('stream', '=', at.stream)
      .where('id', '>', at.after)
      .orderBy('id')
      .limit(at.limit),
)

/** `ids` is a JSON list. */
export const rulesByIds = query<RuleOwner & { ids: string }, StreamRuleRow>('streamRulesByIds', (db, at) =>
  db
    .selectFrom('stream_rules')
    .selectAll()
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
    .where('app_id', '=', at.app)
    .where('stream', '=', at.stream)
    .orderBy('id'),
)

/** `fingerprints` is a JSON list. */
export const rulesByValues = query<RuleOwner & { fingerprints: string }, StreamRuleRow>(
  'streamRulesByValues',
  (db, at) =>
    db
      .selectFrom('stream_rules')
      .selectAll()
      .where('app_id', '=', at.app)
      .where('stream', '=', at.stream)
      .where(anyIn(postgres(db), sql.ref('fingerprint'), at.fingerprints)),
)

/** `ids` is a JSON list. */
export const removeRules = query<RuleOwner & { ids: string }>('removeStreamRules', (db, at) =>
  db
    .deleteFrom('stream_rules')
    .where(anyIdIn(postgres(db), sql.ref('id'), at.ids))
    .where('app_id', '=', at.app)
    .where('stream', '=', at.stream),
)

export const removeAllRules = query<RuleOwner>('removeAllStreamRules', (db, at) =>
  db.deleteFrom('stream_rules').where('app_id', '=', at.app).where('stream', '=', at.stream),
)

/** The number of rules of each app of an owner that has rules. */
export const rulesOfOwner = query<{ owner: string; stream: string }, { app_id: string; rules: number }>(
  'streamRulesOfOwner',
  (db, at) =>
    db
      .selectFrom('apps')
      .innerJoin('stream_rules', 'stream_rules.app_id', 'apps.id')
      .select(['apps.id as app_id', sql<number>`count(*)`.as('rules')])
      .where('apps.owner_user_id', '=', at.owner)
      .where('stream_rules.stream', '=', at.stream)
      .groupBy('apps.id')
      .orderBy('apps.id'),
)
