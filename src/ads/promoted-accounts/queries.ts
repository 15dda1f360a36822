import { sql } from 'kysely'
import { anyIn, postgres, query } from '../../storage/query.ts'
import { VISIBLE } from '../entity/queries.ts'

/** A user as a line item promotes it already. */
export const promotedAccountOf = query<{ account: string; lineItem: string; user: string }, { id: string }>(
  'promotedAccountOf',
  (db, at) =>
    db
      .selectFrom('promoted_accounts' as never)
      .select('id' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('line_item_id' as never, '=', at.lineItem as never)
      .where('visibility' as never, '=', VISIBLE as never)
      .where('user_id' as never, '=', at.user as never)
      .limit(1) as never,
)

/** One of some line items that can promote accounts, deleted ones too. `ids` is a JSON list. */
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
