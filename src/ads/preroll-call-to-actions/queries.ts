import { query } from '../../storage/query.ts'
import { VISIBLE } from '../entity/queries.ts'

/** The call to action that a line item has already. */
export const prerollCallToActionOf = query<{ account: string; lineItem: string }, { id: string }>(
  'prerollCallToActionOf',
  (db, at) =>
    db
      .selectFrom('preroll_call_to_actions' as never)
      .select('id' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('line_item_id' as never, '=', at.lineItem as never)
      .where('visibility' as never, '=', VISIBLE as never)
      .limit(1) as never,
)
