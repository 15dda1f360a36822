import { nullcastRepostOf } from '../../../domain/posts/insert.ts'
import type { PostRow } from '../../../domain/posts/tables.ts'
import { lockAuthor, profilesByIds } from '../../../identity/users/queries.ts'
import { msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongAttribute, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { entity } from '../entity/entity.ts'
import { byIds, byParents } from '../entity/filters.ts'
import type { Entity, WriteContext } from '../entity/types.ts'
import { parentLineItem } from '../line-items/line-items.ts'
import { fullUser, promotableUser } from '../line-items/queries.ts'
import { isKnown, type PromotableType } from '../posts/promotable.ts'
import { knownPostsByIds } from '../posts/queries.ts'
import { fields } from './fields.ts'

/** A post that a line item shows, unless it is paused. */
export const promotedPosts: Entity<typeof fields> = entity({
  one: 'promoted post',
  source: 'Campaign management (reference: promoted posts)',
  notFound: 'PROMOTED_POST_NOT_FOUND',
  // Creation takes a list of posts, see `create.ts`.
  verbs: ['list', 'get', 'update', 'delete'],
  limits: 'entity',
  filters: {
    line_item_ids: byParents('line item'),
    promoted_post_ids: byIds('promoted post'),
  },
  hiddenWithParent: true,
  history: 'PROMOTED_POST',
  indexes: {
    promoted_posts_by_post: ['account_id', 'line_item_id', 'post_id', 'visibility'],
  },
  delivered: true,
  fields,
  async complete({ line_item_id, post_id }, work) {
    await parentLineItem(work, line_item_id, ['PROMOTED_POSTS', 'PROMOTED_ACCOUNT'])
    const shown = await shownPost(post_id, work)
    return { line_item_id, post_id: shown.id, entity_status: 'ACTIVE', approval_status: 'ACCEPTED' }
  },
  same: ['line_item_id', 'post_id'],
  existing: (fresh, work) => promotedPosts.findSame(work, fresh),
})

/**
 * What an advertisement shows for a post: the post itself or, for a post of another user, a repost.
 */
async function shownPost(postId: string, work: WriteContext): Promise<PostRow> {
  const { tx, scope, caller, context } = work
  const { environment } = scope.account
  const [post] = await tx.all(knownPostsByIds, { environment, ids: JSON.stringify([postId]) })
  const type = post && (await promotableType(post.author_id, work))
  if (!post || !isKnown(type, post)) throw adsApiError(unknownPost(postId))
  if (type === undefined) throw adsApiError(foreignAuthor(postId))
  if (type === 'FULL') return post
  const full = await tx.first(fullUser, { account: scope.accountId })
  const [original] = await tx.all(profilesByIds, { ids: JSON.stringify([post.author_id]) })
  if (!full || !original) throw adsApiError(foreignAuthor(postId))
  // Locked, so that two concurrent line items do not each create a repost.
  await tx.first(lockAuthor, { id: full.user_id })
  const by = { authorId: full.user_id, appId: caller.app.id, screenName: original.screen_name }
  const contributorId = caller.userId === full.user_id ? null : caller.userId
  return nullcastRepostOf(tx, post, { ...by, contributorId }, context)
}

async function promotableType(userId: string, { tx, scope }: WriteContext): Promise<PromotableType> {
  const found = await tx.first(promotableUser, { account: scope.accountId, userId })
  return found?.promotable_user_type as PromotableType
}

const unknownPost = (id: string): AdsError =>
  wrongParameter('post_ids', msg`Post ${id} was not found`, 'POST_NOT_FOUND')

const foreignAuthor = (id: string): AdsError =>
  wrongAttribute(
    'user_id',
    msg`The author of Post ${id} is not a promotable user of the account`,
    'INVALID_USER_ID',
  )
