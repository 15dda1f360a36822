import { query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'

/** A post that a line item already promotes. */
export const promotedPostOf = query<{ account: string; lineItem: string; post: string }, { id: string }>(
  'promotedPostOf',
  (db, at) =>
    db
      .selectFrom('promoted_posts')
      .select('id')
      .where('account_id', '=', at.account)
      .where('line_item_id', '=', at.lineItem)
      .where('post_id', '=', at.post)
      .where('visibility', '=', VISIBLE)
      .limit(1),
)
