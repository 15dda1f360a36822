import { query } from '../../store/query.ts'
import type { AccountHistoryRow } from '../../store/tables.ts'

export const addHistory = query<AccountHistoryRow>('addHistory', (db, at) =>
  db.insertInto('account_history').values({
    account_id: at.account_id,
    entity: at.entity,
    entity_id: at.entity_id,
    id: at.id,
    change_time: at.change_time,
    change_type: at.change_type,
    user_id: at.user_id,
    app_id: at.app_id,
    item: at.item,
    before: at.before,
  }),
)
