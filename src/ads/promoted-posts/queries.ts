import { query } from '../../storage/query.ts'
import { VISIBLE } from '../entity/queries.ts'

/** A post as a line item holds it already. */
export const promotedPostOf = query<{ account: string; lineItem: string; post: string }, { id: string }>(
  'promotedPostOf',
  (db, at) =>
    db
      .selectFrom('promoted_posts' as never)
      .select('id' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('line_item_id' as never, '=', at.lineItem as never)
      .where('post_id' as never, '=', at.post as never)
      .where('visibility' as never, '=', VISIBLE as never)
      .limit(1) as never,
)
