import { msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { wrongAttribute } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { Entity, WriteContext } from '../entity/types.ts'
import { parentLineItem } from '../line-items/line-items.ts'
import { scheduledPosts } from '../scheduled-posts/scheduled-posts.ts'
import { fields } from './fields.ts'

/** A scheduled post that a line item promotes once it is published. */
export const scheduledPromotedPosts: Entity<typeof fields> = entity({
  one: 'scheduled promoted post',
  source: 'Campaign management (reference: scheduled promoted posts)',
  notFound: 'NOT_FOUND',
  verbs: ['list', 'get', 'create', 'delete'],
  limits: 'entity',
  filters: {
    line_item_ids: byParents('line item'),
    scheduled_promoted_post_ids: byIds('scheduled promoted post'),
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
  same: ['line_item_id', 'scheduled_post_id'],
  existing: (fresh, work) => scheduledPromotedPosts.findSame(work, fresh),
  // Runs in the transaction of the deletion, so an error rolls it back.
  afterDelete: ({ scheduled_post_id }, work) => rejectDue(scheduled_post_id, work, 'gone too'),
})

/**
 * A scheduled post cannot be changed after its time. If it was deleted, its promotions can still be
 * deleted.
 */
async function rejectDue(id: string, work: WriteContext, gone?: 'gone too'): Promise<void> {
  const scheduled = await scheduledPosts[gone ? 'find' : 'require'](work, id, 'locked')
  if (!scheduled) return
  if (scheduled.scheduled_status === 'SCHEDULED' && scheduled.scheduled_at > work.now) return
  throw adsApiError(
    wrongAttribute('scheduled_post_id', msg`The time of Scheduled Post ${id} has already passed`),
  )
}
