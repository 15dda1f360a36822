import { sql } from 'kysely'
import { picked } from '../../../platform/storage/query.ts'
import { columnNames } from '../../../platform/storage/table.ts'
import { query } from '../../tables.ts'
import { type AccountHistoryRow, accountHistory } from '../accounts/tables.ts'

export const addHistory = query<AccountHistoryRow>('addHistory', (db, at) =>
  db.insertInto('account_history').values(picked(at, columnNames(accountHistory))),
)

/** The start of a page of the history: before this time, or at it and before this id. */
interface HistoryPageArgs {
  account: string
  entity: string
  entityId: string
  start: number
  beforeTime: number
  beforeId: string
  limit: number
}

type Planner = Parameters<Parameters<typeof query>[1]>[0]

const page = (db: Planner, at: HistoryPageArgs) =>
  db
    .selectFrom('account_history')
    .selectAll()
    .where('account_id', '=', at.account)
    .where('entity', '=', at.entity)
    .where('entity_id', '=', at.entityId)
    .where('change_time', '>=', at.start)
    .where(sql<boolean>`(change_time, id) < (${at.beforeTime}, ${at.beforeId})`)
    .orderBy('change_time', 'desc')
    .orderBy('id', 'desc')
    .limit(at.limit)

/** The changes of an entity, newest first. */
export const historyOfEntity = query<HistoryPageArgs, AccountHistoryRow>('historyOfEntity', page)

/** Those that one user made. */
export const historyOfEntityByUser = query<HistoryPageArgs & { userId: string }, AccountHistoryRow>(
  'historyOfEntityByUser',
  (db, at) => page(db, at).where('user_id', '=', at.userId),
)
