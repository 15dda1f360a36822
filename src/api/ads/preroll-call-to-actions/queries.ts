import { query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'

/** The existing call to action of a line item. */
export const prerollCallToActionOf = query<{ account: string; lineItem: string }, { id: string }>(
  'prerollCallToActionOf',
  (db, at) =>
    db
      .selectFrom('preroll_call_to_actions')
      .select('id')
      .where('account_id', '=', at.account)
      .where('line_item_id', '=', at.lineItem)
      .where('visibility', '=', VISIBLE)
      .limit(1),
)
