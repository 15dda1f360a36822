import { msg } from '../../../platform/http/message.ts'
import { base36, ids } from '../../../platform/http/schema.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import type { Entity, WriteContext } from '../entity/types.ts'
import { parentLineItem } from '../line-items/parent.ts'
import { scheduledPosts } from '../scheduled-posts/scheduled-posts.ts'
import { fields } from './fields.ts'
import { scheduledPromotedPostOf } from './queries.ts'

/** A scheduled post that a line item promotes once it is published. */
export const scheduledPromotedPosts: Entity<typeof fields> = entity({
  one: 'scheduled promoted post',
  many: 'scheduled promoted posts',
  table: 'scheduled_promoted_posts',
  path: '/accounts/{account_id}/scheduled_promoted_posts',
  id: 'scheduled_promoted_post_id',
  source: 'Campaign management (reference: scheduled promoted posts)',
  notFound: 'NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  limits: 'entity',
  filters: {
    line_item_ids: {
      column: 'line_item_id',
      schema: ids(base36('A line item.'), 'Returns only the items that belong to these.'),
    },
    scheduled_promoted_post_ids: {
      column: 'id',
      schema: ids(base36('A scheduled promoted post.'), 'Returns only the items with these ids.'),
    },
  },
  hiddenWithParent: true,
  codes: ['INCOMPATIBLE_LINE_ITEM', 'INVALID', 'LINE_ITEM_NOT_FOUND'],
  indexes: {
    scheduled_promoted_posts_by_scheduled_post: ['account_id', 'scheduled_post_id', 'visibility'],
  },
  fields,
  async complete({ line_item_id, scheduled_post_id }, work) {
    await parentLineItem(work, line_item_id, ['PROMOTED_POSTS', 'PROMOTED_ACCOUNT'])
    await rejectDue(scheduled_post_id, work)
    return { line_item_id, scheduled_post_id, post_id: null }
  },
  async existing({ line_item_id, scheduled_post_id }, work) {
    const at = { account: work.scope.accountId, lineItem: line_item_id, scheduledPost: scheduled_post_id }
    const known = await work.tx.first(scheduledPromotedPostOf, at)
    return known && scheduledPromotedPosts.find(work, known.id)
  },
  // Runs in the transaction of the deletion, so an error rolls it back.
  afterDelete: ({ scheduled_post_id }, work) => rejectDue(scheduled_post_id, work, 'gone too'),
})

/** A scheduled post cannot be changed after its time. If it was deleted, its promotions can still be deleted. */
async function rejectDue(id: string, work: WriteContext, gone?: 'gone too'): Promise<void> {
  const scheduled = await scheduledPosts.find(work, id, 'locked')
  if (!scheduled && gone) return
  if (!scheduled) throw scheduledPosts.missing(work.scope.accountId, id)
  if (scheduled.scheduled_status === 'SCHEDULED' && scheduled.scheduled_at > work.now) return
  throw adsApiError(
    wrongAttribute('scheduled_post_id', msg`The time of Scheduled Post ${id} has already passed`),
  )
}
