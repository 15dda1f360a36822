import { type TSchema, Type } from 'typebox'
import { base36, ids, long } from '../../../platform/http/schema.ts'
import { AdsApiError, adsErrorsOf } from '../../../platform/protocols/ads/api-error.ts'
import type { AdsError } from '../../../platform/protocols/ads/codes.ts'
import { adsEndpoint } from '../endpoint.ts'
import type { WriteContext } from '../entity/types.ts'
import { createItem } from '../entity/write.ts'
import { parentLineItem } from '../line-items/line-items.ts'
import { promotedPosts } from './promoted-posts.ts'

const MAX_POSTS = 50

export const createPromotedPosts = adsEndpoint({
  id: 'createPromotedPosts',
  method: 'POST',
  path: promotedPosts.declared.path,
  summary: 'Promote posts',
  description:
    'Promotes up to 50 posts with a line item: all of them or, when one of them cannot be promoted, none. A post that the line item already promotes is left unchanged. A post of a user whose posts may only be reposted is promoted as a repost, whose id is in the response.',
  source: promotedPosts.declared.source,
  right: 'campaigns',
  form: {
    line_item_id: base36('Line item that will show them.'),
    post_ids: ids(long('A post.'), 'Posts to promote.', MAX_POSTS),
  },
  status: 201,
  codes: ['INCOMPATIBLE_LINE_ITEM', 'INVALID_USER_ID', 'LINE_ITEM_NOT_FOUND', 'POST_NOT_FOUND'],
  data: Type.Array<TSchema>(promotedPosts.schema),
  beside: ['total'],
  async handle({ scope, principal, form }, context) {
    await context.delivery.settle(scope.accountId)
    const items = await context.store.write((tx) =>
      promote(form, { tx, scope, caller: principal, context, now: context.clock.now() }),
    )
    return { total_count: items.length, data: items }
  },
})

/** Promotes each post. When some cannot be promoted, reports each of them and promotes none. */
async function promote(
  { line_item_id, post_ids }: { line_item_id: string; post_ids: string[] },
  work: WriteContext,
) {
  await parentLineItem(work, line_item_id, ['PROMOTED_POSTS', 'PROMOTED_ACCOUNT'])
  const items: unknown[] = []
  const errors: AdsError[] = []
  for (const post_id of post_ids) {
    try {
      items.push(await createItem(promotedPosts, { line_item_id, post_id }, work))
    } catch (error) {
      const found = adsErrorsOf(error)
      if (found.length === 0) throw error
      errors.push(...found)
    }
  }
  if (errors.length > 0) throw new AdsApiError({ errors })
  return items
}
