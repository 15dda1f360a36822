import { query } from '../../tables.ts'
import { VISIBLE } from '../entity/queries.ts'

/** A scheduled post that a line item will already promote. */
export const scheduledPromotedPostOf = query<
  { account: string; lineItem: string; scheduledPost: string },
  { id: string }
>('scheduledPromotedPostOf', (db, at) =>
  db
    .selectFrom('scheduled_promoted_posts')
    .select('id')
    .where('account_id', '=', at.account)
    .where('scheduled_post_id', '=', at.scheduledPost)
    .where('visibility', '=', VISIBLE)
    .where('line_item_id', '=', at.lineItem)
    .limit(1),
)
