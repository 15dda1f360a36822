import { sql } from 'kysely'
import { anyIn, postgres } from '../../../platform/storage/query.ts'
import { query } from '../../tables.ts'

/**
 * One of some line items that can promote accounts, including deleted ones. `ids` is a JSON list.
 */
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
