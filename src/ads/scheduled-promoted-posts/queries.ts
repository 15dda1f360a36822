import { query } from '../../storage/query.ts'
import { VISIBLE } from '../entity/queries.ts'

/** A scheduled post as a line item is going to show it already. */
export const scheduledPromotedPostOf = query<
  { account: string; lineItem: string; scheduledPost: string },
  { id: string }
>(
  'scheduledPromotedPostOf',
  (db, at) =>
    db
      .selectFrom('scheduled_promoted_posts' as never)
      .select('id' as never)
      .where('account_id' as never, '=', at.account as never)
      .where('scheduled_post_id' as never, '=', at.scheduledPost as never)
      .where('visibility' as never, '=', VISIBLE as never)
      .where('line_item_id' as never, '=', at.lineItem as never)
      .limit(1) as never,
)
