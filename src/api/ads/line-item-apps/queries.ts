import { query } from '../../tables.ts'
import { DELETED, VISIBLE } from '../entity/queries.ts'

interface AppOfLineItem {
  account: string
  lineItem: string
  system: 'ANDROID' | 'IOS'
}

/** The app that a line item promotes on a system. */
export const lineItemApp = query<AppOfLineItem, { id: string; app_store_identifier: string }>(
  'lineItemApp',
  (db, at) =>
    db
      .selectFrom('line_item_apps')
      .select(['id', 'app_store_identifier'])
      .where('account_id', '=', at.account)
      .where('line_item_id', '=', at.lineItem)
      .where('visibility', '=', VISIBLE)
      .where('os_type', '=', at.system),
)

export const removeLineItemApp = query<{ account: string; id: string; now: number }>(
  'removeLineItemApp',
  (db, at) =>
    db
      .updateTable('line_item_apps')
      .set({ deleted: 1, visibility: DELETED, updated_at: at.now })
      .where('account_id', '=', at.account)
      .where('id', '=', at.id),
)

export const addLineItemApp = query<AppOfLineItem & { id: string; identifier: string; now: number }>(
  'addLineItemApp',
  (db, at) =>
    db.insertInto('line_item_apps').values({
      account_id: at.account,
      id: at.id,
      line_item_id: at.lineItem,
      app_store_identifier: at.identifier,
      os_type: at.system,
      visibility: VISIBLE,
      created_at: at.now,
      updated_at: at.now,
      deleted: 0,
    }),
)
