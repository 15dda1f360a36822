import { sql } from 'kysely'
import { anyIn, postgres } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'

/** A user whom a line item already promotes. */
export const promotedAccountOf = query<{ account: string; lineItem: string; user: string }, { id: string }>(
  'promotedAccountOf',
  (db, at) =>
    db
      .selectFrom('promoted_accounts')
      .select('id')
      .where('account_id', '=', at.account)
      .where('line_item_id', '=', at.lineItem)
      .where('visibility', '=', VISIBLE)
      .where('user_id', '=', at.user)
      .limit(1),
)

/** One of some line items that can promote accounts, including deleted ones. `ids` is a JSON list. */
export const accountPromoter = query<{ account: string; ids: string }, { id: string }>(
  'accountPromoter',
  (db, at) => ({
    compile: () =>
      sql`select id from line_items where account_id = ${at.account}
        and ${anyIn(postgres(db), sql.ref('id'), at.ids)} and product_type = 'PROMOTED_ACCOUNT' limit 1`.compile(
        db,
      ),
  }),
)
